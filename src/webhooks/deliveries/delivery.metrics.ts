import { cacheFor } from '../../kernel/cache-for.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { countWaiting } from './delivery.store.ts'
import type { Outcome } from './retry.rules.ts'

/** Counting reads an index entry for each that waits: not with every scrape of every monitor. */
const everyMs = 15_000

type Deps = { metrics: Metrics; platform: PlatformScope; clock: Clock }

export function attemptMetrics({ metrics, platform, clock }: Deps): (outcome: Outcome) => void {
  const attempts = metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Tries to deliver an event to an endpoint of a tenant, by how they ended.',
    labels: ['result'],
  })
  const waiting = cacheFor({ everyMs, clock }, () => countWaiting(platform))
  metrics.sampled(
    {
      name: 'webhook_deliveries_waiting',
      help: 'Deliveries whose first or next try is still to come, of all nodes, at most 15 s old: take the greatest, not the sum.',
      kind: 'gauge',
    },
    async () => [{ value: await waiting() }],
  )
  return ({ result }) => attempts(result).add()
}
