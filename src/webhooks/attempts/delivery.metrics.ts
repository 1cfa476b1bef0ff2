import { cacheFor } from '../../kernel/cache-for.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { countPending } from './delivery.store.ts'
import type { Outcome } from './retry.rules.ts'

/** Counting reads an index entry for each pending delivery, so the number is cached. */
const everyMs = 15_000

type Deps = { metrics: Metrics; platform: PlatformScope; clock: Clock }

export function attemptMetrics({ metrics, platform, clock }: Deps): (outcome: Outcome) => void {
  const attempts = metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver an event to an endpoint of a tenant, by result.',
    labels: ['result'],
  })
  const waiting = cacheFor({ everyMs, clock }, () => countPending(platform))
  metrics.sampled(
    {
      name: 'webhook_deliveries_waiting',
      help: 'Pending deliveries of all nodes, at most 15 s old. Every node reports the same number: use max, not sum.',
      kind: 'gauge',
    },
    async () => [{ value: await waiting() }],
  )
  return ({ result }) => attempts(result).add()
}
