import { PerformanceObserver } from 'node:perf_hooks'

/** What held the event loop between two of its turns. `gcMs` of the time by the clock went to garbage collection. */
export type Held = { wallMs: number; cpuMs: number; gcMs: number }
type Turn = { from: number; to: number; cpuMs: number }

/**
 * Looks every millisecond how long the event loop was held since the last look: by the clock, and by the processor time of this
 * thread. Other processes lengthen the first and not the second.
 */
export function startLoopProbe() {
  let collections: { startTime: number; duration: number }[] = []
  const collected = new PerformanceObserver((list) => collections.push(...list.getEntries()))
  collected.observe({ entryTypes: ['gc'] })
  let [at, cpu] = [performance.now(), process.threadCpuUsage()]
  let longest: Turn = { from: at, to: at, cpuMs: 0 }
  const look = () => {
    const spent = process.threadCpuUsage(cpu)
    const now = performance.now()
    const cpuMs = (spent.user + spent.system) / 1000
    if (cpuMs > longest.cpuMs) longest = { from: at, to: now, cpuMs }
    at = now
    cpu = process.threadCpuUsage()
  }
  const timer = setInterval(look, 1)
  return {
    /** The longest since the last call. A garbage collection is known a turn of the loop after it ended. */
    take: (): Held => {
      look()
      const { from, to, cpuMs } = longest
      const gcMs = collections
        .filter(({ startTime }) => startTime >= from && startTime <= to)
        .reduce((sum, { duration }) => sum + duration, 0)
      collections = []
      longest = { from: at, to: at, cpuMs: 0 }
      return { wallMs: to - from, cpuMs, gcMs }
    },
    stop: () => {
      clearInterval(timer)
      collected.disconnect()
    },
  }
}
