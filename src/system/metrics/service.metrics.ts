import { cacheFor } from '../../kernel/cache-for.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Metrics } from '../../kernel/metrics.ts'

const jobStates = ['ready', 'scheduled', 'active', 'dead'] as const

export type QueueDepth = { kind: string } & Record<(typeof jobStates)[number], number>

export type ServiceMetricsDeps = {
  metrics: Metrics
  clock: Clock
  version: string
  database: { kind: string; stats(): { total: number; idle: number; waiting: number } }
  /** The number of jobs by kind and state. */
  queueDepths: () => Promise<QueueDepth[]>
}

/** Queues are counted at most this often, however many scrapers there are. */
const queueEveryMs = 10_000

/** Metrics of the build, the database and the job queues. */
export function serviceMetrics({ metrics, clock, version, database, queueDepths }: ServiceMetricsDeps): void {
  metrics.sampled(
    {
      name: 'atrium_build_info',
      help: 'Always 1. The labels hold the versions.',
      kind: 'gauge',
      labels: ['version', 'node', 'database'],
    },
    () => [{ labels: [version, process.versions.node, database.kind], value: 1 }],
  )
  metrics.sampled(
    {
      name: 'database_connections',
      help: 'Connections of the pool. The embedded database has one.',
      kind: 'gauge',
      labels: ['state'],
    },
    () => {
      const { total, idle } = database.stats()
      return [
        { labels: ['busy'], value: total - idle },
        { labels: ['idle'], value: idle },
      ]
    },
  )
  metrics.sampled({ name: 'database_waiting', help: 'Callers waiting for a free connection.', kind: 'gauge' }, () => [
    { value: database.stats().waiting },
  ])
  const depths = cacheFor({ everyMs: queueEveryMs, clock }, queueDepths)
  metrics.sampled(
    {
      name: 'jobs',
      help: 'Jobs of all nodes, by kind and state, at most 10 s old.',
      kind: 'gauge',
      labels: ['kind', 'state'],
    },
    async () =>
      (await depths()).flatMap(({ kind, ...counts }) =>
        jobStates.map((state) => ({ labels: [kind, state], value: counts[state] })),
      ),
  )
}
