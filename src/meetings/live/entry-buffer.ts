/** An encoded entry frame. All followers get the same bytes. */
export type EncodedEntry = { seq: number; bytes: Buffer }

/**
 * The last entries of a transcript, ready to send. A client that is further behind reads from the database. `startSeq`
 * is the last number that is not in the buffer.
 */
export function entryBuffer(startSeq: number, bytesMax: () => number) {
  let entries: EncodedEntry[] = []
  let bytes = 0
  /** Every entry after this number is in the buffer. */
  let bufferedAfter = startSeq
  let lastSeq = startSeq

  return {
    /** The number of the last entry that is known. */
    lastSeq: () => lastSeq,
    covers: (afterSeq: number) => afterSeq >= bufferedAfter,
    push: (entry: EncodedEntry): void => {
      entries.push(entry)
      bytes += entry.bytes.length
      lastSeq = entry.seq
      let dropped = 0
      for (; bytes > bytesMax() && dropped < entries.length; dropped++) {
        const first = entries[dropped] as EncodedEntry
        bytes -= first.bytes.length
        bufferedAfter = first.seq
      }
      // Cutting an array costs its length, so it is done once per call.
      if (dropped > 0) entries = entries.slice(dropped)
    },
    /** The entries after a number up to another, in order: about `bytesWanted`, and at least one if there is any. */
    readBetween: (afterSeq: number, lastSeq: number, bytesWanted: number): EncodedEntry[] => {
      let from = entries.length
      while (from > 0 && (entries[from - 1] as EncodedEntry).seq > afterSeq) from--
      let to = from
      for (let size = 0; size < bytesWanted; to++) {
        const entry = entries[to]
        if (entry === undefined || entry.seq > lastSeq) break
        size += entry.bytes.length
      }
      return entries.slice(from, to)
    },
  }
}
