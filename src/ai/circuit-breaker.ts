import type { Clock } from '../kernel/clock.ts'

/** Failures in a row after which an endpoint is left alone for a while. */
const failuresMax = 5
const pauseSeconds = 60
/** However long an endpoint asks to be left alone. */
const pauseSecondsMax = 600

export type CircuitBreaker = {
  /** Whether it may be asked now. After a pause one request tries; the others wait for what comes of it. */
  mayAsk(): boolean
  succeeded(): void
  /** `pauseForSeconds`: it said itself for how long it does not want to be asked. */
  failed(pauseForSeconds?: number): void
}

/** Keeps a broken endpoint from costing each caller the whole deadline. Of one process. */
export function circuitBreaker(clock: Clock): CircuitBreaker {
  let failures = 0
  let closedUntilMs = 0
  let isTrying = false

  const pause = (seconds: number) => {
    closedUntilMs = clock.now().getTime() + Math.min(seconds, pauseSecondsMax) * 1000
  }
  return {
    mayAsk: () => {
      if (closedUntilMs === 0) return true
      if (isTrying || clock.now().getTime() < closedUntilMs) return false
      isTrying = true
      return true
    },
    succeeded: () => {
      failures = 0
      closedUntilMs = 0
      isTrying = false
    },
    failed: (pauseForSeconds) => {
      failures += 1
      isTrying = false
      if (pauseForSeconds !== undefined) pause(pauseForSeconds)
      else if (failures >= failuresMax) pause(pauseSeconds)
    },
  }
}
