import type { Visit } from '../../kernel/visit.ts'
import type { Coding } from './content-coding.ts'

/** One variant of an answer, ready to be sent. */
export type Representation = {
  /** In quotes, as in `ETag`; null where there is no tag, as with a redirect. */
  tag: string | null
  headers: Record<string, string>
  body: Buffer
}

/** A cached answer, ready to be sent. */
export type CachedResponse = {
  status: number
  uncompressed: Representation
  compressed: Partial<Record<Coding, Promise<Representation>>>
  isCompressible: boolean
  validUntilMs: number
  onServed?: (visit: Visit) => void
  /** Bytes counted against the cache size; 0 while it is not cached. */
  countedBytes: number
}

export type ResponseCache = {
  /** The cached answer, unless public content changed since or it expired. */
  find(key: string, generation: number, nowMs: number): CachedResponse | null
  keep(key: string, prepared: CachedResponse, generation: number): void
  /** Counts the bytes of a compressed variant. */
  addVariant(prepared: CachedResponse, bytes: number): void
}

/** The overhead of an entry: headers and objects, without its key and bodies. */
const entryBytes = 1_500

/** A least-recently-used cache of about `bytesMax`. An answer larger than an eighth of it is not cached. */
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
    // The first key of a Map was inserted longest ago.
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
      // A character takes at most two bytes; keys contain text of callers.
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
