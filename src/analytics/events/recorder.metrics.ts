import type { Metrics } from '../../kernel/metrics.ts'

/** Visits that wait to be written. */
export type Waiting = () => { noted: number; facts: number; condensed: number }

export function recorderMetrics(metrics: Metrics, waiting: Waiting) {
  const events = metrics.counter({
    name: 'analytics_visits_total',
    help: 'Visits by outcome: WRITTEN, PREFETCHED (not counted), CONDENSED (counted without a row of their own), LOST.',
    labels: ['outcome'],
  })
  metrics.sampled(
    {
      name: 'analytics_buffered_visits',
      help: 'Visits that wait to be written, by stage: untouched, ready, condensed.',
      kind: 'gauge',
      labels: ['stage'],
    },
    () => {
      const { noted, facts, condensed } = waiting()
      return [
        { labels: ['untouched'], value: noted },
        { labels: ['ready'], value: facts },
        { labels: ['condensed'], value: condensed },
      ]
    },
  )
  return {
    written: events('WRITTEN'),
    prefetched: events('PREFETCHED'),
    condensed: events('CONDENSED'),
    lost: events('LOST'),
    failures: metrics.counter({
      name: 'analytics_flush_failures_total',
      help: 'Failed writes of visits, which are tried again.',
    })(),
  }
}
