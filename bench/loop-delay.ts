// Loaded into the service with --import: tells how late its event loop runs between two words of its parent.
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type LoopDelay = { p50Ms: number; p99Ms: number; maxMs: number }

const histogram = monitorEventLoopDelay({ resolution: 1 })

process.on('message', (word) => {
  if (word === 'begin') {
    histogram.reset()
    histogram.enable()
    return
  }
  histogram.disable()
  const ms = (nanoseconds: number) => nanoseconds / 1e6
  const delay: LoopDelay = {
    p50Ms: ms(histogram.percentile(50)),
    p99Ms: ms(histogram.percentile(99)),
    maxMs: ms(histogram.max),
  }
  process.send?.(delay)
})
// Listening must not keep the service alive when it has drained.
process.channel?.unref()
