import type { Visit } from '../../kernel/visit.ts'
import type { Coding } from './content-coding.ts'

/** One form of an answer, ready to be sent. */
export type Representation = {
  /** In quotes, as in `ETag`; null where there is nothing to compare, as with a redirect. */
  tag: string | null
  headers: Record<string, string>
  body: Buffer
}

/** An answer to a public read that only has to be sent. */
export type CachedResponse = {
  status: number
  uncompressed: Representation
  compressed: Partial<Record<Coding, Promise<Representation>>>
  isCompressible: boolean
  validUntilMs: number
  onServed?: (visit: Visit) => void
  /** As far as counted; 0 while it is not kept. */
  countedBytes: number
}

export type ResponseCache = {
  /** What is kept under the key, unless something public changed since, or its time is over. */
  find(key: string, generation: number, nowMs: number): CachedResponse | null
  keep(key: string, prepared: CachedResponse, generation: number): void
  /** Another form of it takes room, too. */
  addVariant(prepared: CachedResponse, bytes: number): void
}

/** What an entry costs beside its key and its bodies: headers and the objects themselves. */
const entryBytes = 1_500

/** Keeps about `bytesMax` at most, those that were read last. One that would take an eighth of it is not kept. */
export function responseCache(bytesMax: number): ResponseCache {
  const kept = new Map<string, CachedResponse>()
  let keptGeneration = -1
  let bytes = 0

  const drop = (key: string) => {
    const dropped = kept.get(key)
    if (dropped === undefined) return
    kept.delete(key)
    bytes -= dropped.countedBytes
    dropped.countedBytes = 0
  }
  const shrink = () => {
    // The first key of a Map is the one that was put back longest ago.
    for (const key of kept.keys()) {
      if (bytes <= bytesMax) return
      drop(key)
    }
  }
  const grow = (prepared: CachedResponse, more: number) => {
    prepared.countedBytes += more
    bytes += more
    shrink()
  }

  return {
    find: (key, generation, nowMs) => {
      if (generation !== keptGeneration) return null
      const found = kept.get(key)
      if (found === undefined || found.validUntilMs <= nowMs) return null
      kept.delete(key)
      kept.set(key, found)
      return found
    },
    keep: (key, prepared, generation) => {
      // A character of a key has two bytes at most: a caller's own words are in it.
      const size = prepared.uncompressed.body.length + 2 * key.length + entryBytes
      if (generation < keptGeneration || size > bytesMax / 8) return
      if (generation > keptGeneration) for (const old of [...kept.keys()]) drop(old)
      keptGeneration = generation
      drop(key)
      kept.set(key, prepared)
      grow(prepared, size)
    },
    addVariant: (prepared, more) => {
      if (prepared.countedBytes > 0) grow(prepared, more)
    },
  }
}
