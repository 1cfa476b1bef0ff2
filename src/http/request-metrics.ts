import type { Counter, Histogram, Metrics } from '../kernel/metrics.ts'
import { type RefusalCode, refusals } from '../kernel/refusal.ts'

/** The name of a route in log and metrics: the declared pattern, never the requested URL. */
export type RouteName = { method: string; path: string }

/** Seconds: from an answer out of memory to waits that few callers accept. No handler has a timeout. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]

/**
 * Counts requests. Tenants are not labels, because their number is unbounded; the log names them. Series are found by index,
 * because this runs for every request.
 */
export function requestMetrics(metrics: Metrics) {
  const labels = ['method', 'route'] as const
  const total = metrics.counter({
    name: 'http_requests_total',
    help: 'Requests answered, by declared path. Status 499: the client closed the connection before the answer.',
    labels: [...labels, 'status'],
  })
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'From the arrival of the headers to the last byte of the answer.',
    labels,
    bounds: durationBounds,
  })
  let inFlight = 0
  metrics.sampled(
    { name: 'http_requests_in_flight', help: 'Requests in progress, including this one.', kind: 'gauge' },
    () => [{ value: inFlight }],
  )

  return ({ method, path }: RouteName) => {
    const byStatus: Counter[] = []
    // Created with the first request, so that unused routes add nothing to a scrape.
    let duration: Histogram | null = null
    return {
      begin: (): void => {
        inFlight++
      },
      end: (status: number, seconds: number): void => {
        inFlight--
        byStatus[status] ??= total(method, path, String(status))
        byStatus[status].add()
        duration ??= durations(method, path)
        duration.observe(seconds)
      },
    }
  }
}

/** A counter per refusal code, such as wrong credentials, limits and faults of ours. */
export function refusalMetrics(metrics: Metrics): Record<RefusalCode, Counter> {
  const total = metrics.counter({
    name: 'http_refusals_total',
    help: 'Requests refused, by error code.',
    labels: ['code'],
  })
  return Object.fromEntries(Object.keys(refusals).map((code) => [code, total(code)])) as Record<RefusalCode, Counter>
}
