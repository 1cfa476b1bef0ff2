import type { Clock } from './clock.ts'
import { withTimeout } from './with-timeout.ts'

/** How long a scrape waits for what is slow to answer: Prometheus itself gives up after 10 s, and most of it is there at once. */
const patienceMs = 1000

/** A question that costs something, asked at most once in `everyMs` however many ask; its answer is shared. Rejects when it is late. */
export function cacheFor<T>(
  { everyMs, clock }: { everyMs: number; clock: Clock },
  ask: () => Promise<T>,
): () => Promise<T> {
  let last: { atMs: number; answer: Promise<T> } | null = null
  return () => {
    const nowMs = clock.now().getTime()
    // A clock that was set back asks again.
    if (last === null || nowMs < last.atMs || nowMs >= last.atMs + everyMs) last = { atMs: nowMs, answer: ask() }
    return withTimeout(patienceMs, last.answer)
  }
}
