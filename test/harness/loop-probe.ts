/** What held the event loop between two of its turns. */
export type Held = { wallMs: number; cpuMs: number }

/**
 * Looks every millisecond how long the event loop was held since the last look: by the clock, and by the processor time of this
 * thread. Other processes lengthen the first and not the second.
 */
export function startLoopProbe() {
  let longest: Held = { wallMs: 0, cpuMs: 0 }
  let [at, cpu] = [performance.now(), process.threadCpuUsage()]
  const look = () => {
    const spent = process.threadCpuUsage(cpu)
    const now = performance.now()
    const held = { wallMs: now - at, cpuMs: (spent.user + spent.system) / 1000 }
    if (held.cpuMs > longest.cpuMs) longest = held
    at = now
    cpu = process.threadCpuUsage()
  }
  const timer = setInterval(look, 1)
  return {
    /** The longest since the last call. */
    take: (): Held => {
      look()
      const taken = longest
      longest = { wallMs: 0, cpuMs: 0 }
      return taken
    },
    stop: () => clearInterval(timer),
  }
}
