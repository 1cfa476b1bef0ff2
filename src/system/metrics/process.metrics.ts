import { readdir } from 'node:fs/promises'
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks'
import type { Metrics, Sample } from '../../kernel/metrics.ts'

/** Sampling interval of the event loop, in milliseconds. A finer one costs more than it is worth. */
const resolutionMs = 10

/** Metrics of the process, under the usual names of dashboards for Node. */
export function processMetrics(metrics: Metrics): void {
  useOfMachine(metrics)
  eventLoop(metrics)
  garbageCollection(metrics)
}

function useOfMachine(metrics: Metrics): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.sampled({ name, help, kind: 'gauge' }, () => [{ value: read() }])
  metrics.sampled(
    { name: 'process_cpu_seconds_total', help: 'Processor time used.', kind: 'counter', labels: ['mode'] },
    () => {
      const { user, system } = process.cpuUsage()
      return [
        { labels: ['user'], value: user / 1e6 },
        { labels: ['system'], value: system / 1e6 },
      ]
    },
  )
  gauge('process_resident_memory_bytes', 'Memory held, shared libraries included.', () => process.memoryUsage.rss())
  gauge('nodejs_heap_used_bytes', 'JavaScript objects.', () => process.memoryUsage().heapUsed)
  gauge(
    'nodejs_external_memory_bytes',
    'Buffers, and the memory of the embedded database.',
    () => process.memoryUsage().external,
  )
  gauge('process_start_time_seconds', 'Start of the process, Unix time.', () => performance.timeOrigin / 1000)
  gauge('process_uptime_seconds', 'Since the start of the process.', () => process.uptime())
  metrics.sampled(
    { name: 'process_open_fds', help: 'Open files and sockets. Linux only.', kind: 'gauge' },
    async () => [{ value: (await readdir('/proc/self/fd')).length }],
  )
}

/** Sampled from the first scrape on, so that it costs nothing without scrapes. Each scrape resets it, so two scrapers share the values. */
function eventLoop(metrics: Metrics): void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000)
  metrics.sampled(
    {
      name: 'nodejs_eventloop_lag_seconds',
      help: 'Event loop delay since the last scrape.',
      kind: 'gauge',
      labels: ['quantile'],
    },
    () => {
      const isFirst = delay.enable()
      if (isFirst || delay.count === 0) return []
      const samples = [
        { labels: ['0.5'], value: seconds(delay.percentile(50)) },
        { labels: ['0.99'], value: seconds(delay.percentile(99)) },
        { labels: ['1'], value: seconds(delay.max) },
      ]
      delay.reset()
      return samples
    },
  )
}

const collections: Record<number, string> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
}

/** Measured from the first scrape on, like the event loop. */
function garbageCollection(metrics: Metrics): void {
  const seconds = new Map<string, number>()
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { duration, detail } = entry as typeof entry & { detail: { kind: number } }
      const kind = collections[detail.kind] ?? 'other'
      seconds.set(kind, (seconds.get(kind) ?? 0) + duration / 1000)
    }
  })
  let isWatching = false
  const read = (): Sample[] => {
    if (!isWatching) observer.observe({ entryTypes: ['gc'] })
    isWatching = true
    return [...seconds].map(([kind, value]) => ({ labels: [kind], value }))
  }
  metrics.sampled(
    { name: 'nodejs_gc_seconds_total', help: 'Time spent on garbage collection.', kind: 'counter', labels: ['kind'] },
    read,
  )
}
