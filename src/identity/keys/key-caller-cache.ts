import type { KeyCaller } from '../../http/access/callers.ts'
import { hasBase62Check } from '../../kernel/checksum.ts'
import type { FanOut } from '../../storage/fan-out.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { hashUncheckedApiKey } from './key.rules.ts'
import { findKeyCaller } from './key.store.ts'

/** How long what was read of a key is believed: the most that a change on another node can stay unseen when no message of it arrives. */
const cachedMs = 1_000
/** About 1 KB each. */
const entriesMax = 10_000
const channel = 'identity.key-callers'

type CacheEntry = { caller: KeyCaller; readAtMs: number }

export type KeyCallerCache = {
  /** Null when the text is no key, or the key is unknown, revoked or expired, or its tenant is gone. */
  find(text: string, now: Date): Promise<KeyCaller | null>
  /** After every commit that changes a key or its tenant: from then on no request is answered by what was read before. */
  forget(): void
}

/**
 * Who holds an API key, read at most once a second for each key. A change on this node holds from its answer on; on
 * other nodes as soon as they hear of it, and within a second if they do not. An unknown key is always looked up, so
 * that one made on another node works at once.
 */
export function keyCallerCache(platform: PlatformScope, fanOut: FanOut): KeyCallerCache {
  const entries = new Map<string, CacheEntry>()
  // Counts the times that all was forgotten: what was asked before that is not kept when its answer comes after.
  let generation = 0
  const forgetHere = () => {
    generation += 1
    entries.clear()
  }
  fanOut.subscribe(channel, { message: forgetHere, gap: forgetHere })

  return {
    find: async (text, now) => {
      const keyHash = hashUncheckedApiKey(text)
      if (keyHash === null) return null
      const name = keyHash.toString('latin1')
      // The process's own time, because the clock of the system may be set back.
      const readAtMs = performance.now()
      const kept = entries.get(name)
      if (kept !== undefined && readAtMs - kept.readAtMs < cachedMs) return unlessExpired(kept.caller, now)
      if (!hasBase62Check(text)) return null
      const askedIn = generation
      const caller = await findKeyCaller(platform, { keyHash, now })
      if (caller !== null && askedIn === generation) {
        if (entries.size >= entriesMax) entries.clear()
        entries.set(name, { caller, readAtMs })
      }
      return caller
    },
    forget: () => fanOut.publish(channel, ''),
  }
}

function unlessExpired(caller: KeyCaller, now: Date): KeyCaller | null {
  return caller.expiresAt !== null && caller.expiresAt <= now ? null : caller
}
