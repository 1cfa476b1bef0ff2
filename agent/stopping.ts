import type { Log } from './log.ts'

export type Stopping = {
  /** Aborted by the first signal. */
  signal: AbortSignal
  /** Aborted a little later: what is under way may finish until then. */
  hurry: AbortSignal
}

/** A report that is under way is waited for, because it would be counted twice if it were repeated. */
const hurryMs = 2_000
/** Less than any supervisor waits before it kills. */
const exitMs = 5_000

/**
 * Stops at the first SIGTERM, SIGINT or SIGHUP, and ends the process whatever it is doing: after a few seconds, or at the
 * second signal.
 */
export function stopOnSignal(log: Log): Stopping {
  const [stopping, hurrying] = [new AbortController(), new AbortController()]
  const exit = () => {
    log.warn('Stopped in the middle of something')
    process.exit(0)
  }
  const stop = () => {
    if (stopping.signal.aborted) exit()
    stopping.abort()
    setTimeout(() => hurrying.abort(), hurryMs)
    setTimeout(exit, exitMs)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  return { signal: stopping.signal, hurry: hurrying.signal }
}
