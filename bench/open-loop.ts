import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '../test/harness/seeded-random.ts'
import type { Call, Notice, Tally } from './closed-loop.ts'
import { percentile } from './statistics.ts'

type Arrivals = { callers: number; dueMs: readonly number[]; notice: Notice }

/**
 * Call `n` is due at `dueMs[n]` after the beginning, whatever became of those before it, and its latency counts from
 * that moment: one that had to wait for a free caller has waited.
 */
export async function openLoop(
  { callers, dueMs, notice }: Arrivals,
  call: Call,
): Promise<Tally & { latenciesMs: number[] }> {
  const latenciesMs: number[] = []
  let next = 0
  notice('begun')
  const begunAt = performance.now()
  const loop = async (_: unknown, caller: number) => {
    while (next < dueMs.length) {
      const mine = next++
      const dueAt = begunAt + (dueMs[mine] as number)
      const earlyMs = dueAt - performance.now()
      // Timers count whole milliseconds, and leave out the rest.
      if (earlyMs > 0) await delay(Math.ceil(earlyMs))
      await call(caller, mine)
      latenciesMs.push(performance.now() - dueAt)
    }
  }
  await Promise.all(Array.from({ length: callers }, loop))
  notice('ended')
  return {
    calls: latenciesMs.length,
    perSecond: latenciesMs.length / ((performance.now() - begunAt) / 1000),
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    maxMs: percentile(latenciesMs, 1),
    latenciesMs,
  }
}

/**
 * Moments that know nothing of each other, so many a second on average: gaps are distributed exponentially, as those of
 * many senders are. The same at each call.
 */
export function arrivals({ count, perSecond }: { count: number; perSecond: number }): number[] {
  const random = seededRandom(1)
  let atMs = 0
  return Array.from({ length: count }, () => {
    atMs += (-Math.log(1 - random.fraction()) * 1000) / perSecond
    return atMs
  })
}
