import { admin } from '../../http/access/access.ts'
import { raw } from '../../http/answer.ts'
import { preferredMediaType } from '../../http/negotiation.ts'
import { type Route, route } from '../../http/route.ts'
import type { Metrics } from '../../kernel/metrics.ts'

const prometheus = 'text/plain; version=0.0.4; charset=utf-8'
const openMetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

export function metricsRoutes({ metrics }: { metrics: Metrics }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/metrics',
      name: 'metrics',
      tag: 'Utility',
      summary: 'Get the metrics of the process',
      description: 'Only of this node: a monitor must ask each node and add the numbers.',
      access: admin('VIEWER'),
      limit: 'none',
      answers: {
        200: {
          rawTypes: [prometheus, openMetrics],
          description: 'Metrics in the Prometheus text format or in OpenMetrics.',
        },
      },
      handle: async ({ headers }) => {
        const type = preferredMediaType(headers['accept'], ['text/plain', 'application/openmetrics-text'])
        return type === 'text/plain'
          ? raw(prometheus, await metrics.text('prometheus'))
          : raw(openMetrics, await metrics.text('openmetrics'))
      },
    }),
  ]
}
