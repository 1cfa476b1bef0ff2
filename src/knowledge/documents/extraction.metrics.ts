import type { Metrics } from '../../kernel/metrics.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { countUnderWay } from './document-version.store.ts'

export type ExtractionMetrics = ReturnType<typeof extractionMetrics>

const boundsSeconds = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 180]

export function extractionMetrics(metrics: Metrics, platform: PlatformScope) {
  const seconds = metrics.histogram({
    name: 'document_extraction_seconds',
    help: 'How long reading a document took, with storing its text. The outcome is ready, AGAIN after a try that took too long, or the code of the failure.',
    labels: ['type', 'outcome'],
    bounds: boundsSeconds,
  })
  metrics.sampled(
    {
      name: 'document_extractions',
      help: 'Versions of documents that wait to be read, and that are read now.',
      kind: 'gauge',
      labels: ['status'],
    },
    async () => (await countUnderWay(platform)).map(({ status, count }) => ({ labels: [status], value: count })),
  )
  const leftovers = metrics.counter({
    name: 'document_erasure_leftovers_total',
    help: 'Places in which the nightly search found the id of an erased document or collection.',
  })()
  return {
    /** Returns what to call with the outcome. */
    begin: (type: string): ((outcome: string) => void) => {
      const startedAt = performance.now()
      return (outcome) => seconds(type, outcome).observe((performance.now() - startedAt) / 1000)
    },
    leftovers,
  }
}
