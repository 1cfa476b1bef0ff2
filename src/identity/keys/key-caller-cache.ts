import type { KeyCaller } from '../../http/access/callers.ts'
import { hasBase62Check } from '../../kernel/checksum.ts'
import type { FanOut } from '../../storage/fan-out.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { apiKeyFormat } from './key.rules.ts'
import { findKeyCaller } from './key.store.ts'

/** How long an entry is used. If the message of another node is lost, its change takes effect after at most this time. */
const cachedMs = 1_000
/** About 1 KB each. */
const entriesMax = 10_000
const channel = 'identity.key-callers'

type CacheEntry = { caller: KeyCaller; readAtMs: number }

export type KeyCallerCache = {
  /** Null if the text is not a key, or the key is unknown, revoked or expired, or its tenant is deleted. */
  find(text: string, now: Date): Promise<KeyCaller | null>
  /** Clears the cache on all nodes. Call it after every commit that changes a key or its tenant. */
  forget(): void
}

/**
 * Finds the caller of an API key, with at most one query per key and second. A change takes effect on this node before it
 * is answered, and on other nodes when its message arrives, or within a second if the message is lost. Unknown keys are
 * not cached, so a key that another node created works at once.
 */
export function keyCallerCache(platform: PlatformScope, fanOut: FanOut): KeyCallerCache {
  const entries = new Map<string, CacheEntry>()
  // Counts the clears: a query that started before a clear must not fill the cache after it.
  let generation = 0
  const clear = () => {
    generation += 1
    entries.clear()
  }
  fanOut.subscribe(channel, { message: clear, gap: clear })

  return {
    find: async (text, now) => {
      const keyHash = apiKeyFormat.hashUnchecked(text)
      if (keyHash === null) return null
      const cacheKey = keyHash.toString('latin1')
      // A monotonic clock, because the system clock may be set back.
      const readAtMs = performance.now()
      const cached = entries.get(cacheKey)
      if (cached !== undefined && readAtMs - cached.readAtMs < cachedMs) return unlessExpired(cached.caller, now)
      if (!hasBase62Check(text)) return null
      const startedIn = generation
      const caller = await findKeyCaller(platform, { keyHash, now })
      if (caller !== null && startedIn === generation) {
        if (entries.size >= entriesMax) entries.clear()
        entries.set(cacheKey, { caller, readAtMs })
      }
      return caller
    },
    forget: () => fanOut.publish(channel, ''),
  }
}

function unlessExpired(caller: KeyCaller, now: Date): KeyCaller | null {
  return caller.expiresAt !== null && caller.expiresAt <= now ? null : caller
}
