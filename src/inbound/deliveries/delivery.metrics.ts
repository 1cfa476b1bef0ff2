import type { Metrics } from '../../kernel/metrics.ts'
import type { SchemeName } from '../scheme.ts'

/** `unknown`: for no known connection, and so without a scheme. The words are stored in dashboards. */
type Result =
  | 'accepted'
  | 'duplicate'
  | 'handshake'
  | 'refused'
  | 'unusable'
  | 'unknown'
  | 'limited'
  | 'processed'
  | 'ignored'
  | 'retried'
  | 'dead'

export type CountDelivery = (scheme: SchemeName | 'none', result: Result) => void

export function deliveryMetrics(metrics: Metrics): CountDelivery {
  const deliveries = metrics.counter({
    name: 'inbound_deliveries_total',
    help: 'Inbound deliveries by scheme and result. An accepted delivery is counted again when it is processed.',
    labels: ['scheme', 'result'],
  })
  return (scheme, result) => deliveries(scheme, result).add()
}
