import { cacheFor } from '../../kernel/cache-for.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { countOpenSessionsOfAll } from './session.store.ts'

/** Counting reads an index entry for each open session, so not at every scrape of every monitor. */
const everyMs = 15_000

export function sessionMetrics({
  metrics,
  platform,
  clock,
}: {
  metrics: Metrics
  platform: PlatformScope
  clock: Clock
}): void {
  const openSessions = cacheFor({ everyMs, clock }, () => countOpenSessionsOfAll(platform))
  metrics.sampled(
    {
      name: 'vpn_open_sessions',
      help: 'Open VPN sessions of all nodes, at most 15 s old. Every node reports the same number: take the maximum, not the sum.',
      kind: 'gauge',
    },
    async () => [{ value: await openSessions() }],
  )
}
