/** An entry as it goes over the wire; the same bytes for everybody. */
export type EncodedEntry = { seq: number; bytes: Buffer }

/**
 * The last entries of a transcript, ready to be sent. Who is further behind reads the database.
 * @param startSeq where the transcript ends that is not kept.
 */
export function entryBuffer(startSeq: number, bytesMax: () => number) {
  let entries: EncodedEntry[] = []
  let bytes = 0
  /** Everything after it is kept. */
  let bufferedAfter = startSeq
  let end = startSeq

  return {
    /** Where what is known of the transcript ends. */
    end: () => end,
    has: (afterSeq: number) => afterSeq >= bufferedAfter,
    push: (entry: EncodedEntry): void => {
      entries.push(entry)
      bytes += entry.bytes.length
      end = entry.seq
      let dropped = 0
      for (; bytes > bytesMax() && dropped < entries.length; dropped++) {
        const first = entries[dropped] as EncodedEntry
        bytes -= first.bytes.length
        bufferedAfter = first.seq
      }
      // Cutting an array costs its length: not for each entry.
      if (dropped > 0) entries = entries.slice(dropped)
    },
    /** In order, what comes after a number: about `bytesWanted`, and one at least where there is one. */
    after: (afterSeq: number, bytesWanted: number): EncodedEntry[] => {
      let from = entries.length
      while (from > 0 && (entries[from - 1] as EncodedEntry).seq > afterSeq) from--
      let to = from
      for (let size = 0; to < entries.length && size < bytesWanted; to++)
        size += (entries[to] as EncodedEntry).bytes.length
      return entries.slice(from, to)
    },
  }
}
