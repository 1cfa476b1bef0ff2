import type { Clock } from './clock.ts'
import { withTimeout } from './with-timeout.ts'

/** How long a scrape waits for a slow value. Prometheus itself gives up after 10 s, and most values are there at once. */
const timeoutMs = 1000

/** Calls `ask` at most once in `everyMs` and shares its answer among all callers. Rejects if it takes longer than a second. */
export function cacheFor<T>(
  { everyMs, clock }: { everyMs: number; clock: Clock },
  ask: () => Promise<T>,
): () => Promise<T> {
  let last: { atMs: number; answer: Promise<T> } | null = null
  return () => {
    const nowMs = clock.now().getTime()
    // If the clock was set back, ask again.
    if (last === null || nowMs < last.atMs || nowMs >= last.atMs + everyMs) last = { atMs: nowMs, answer: ask() }
    return withTimeout(timeoutMs, last.answer)
  }
}
