import type { Clock } from '../kernel/clock.ts'

/** After so many failures in a row, an endpoint gets no requests for a while. */
const failuresMax = 5
const pauseSeconds = 60
/** The longest pause, whatever an endpoint asks for. */
const pauseSecondsMax = 600

export type CircuitBreaker = {
  /** Whether a request may be sent now. After a pause one request tries; the others are refused until it has ended. */
  mayRequest(): boolean
  succeeded(): void
  /** `pauseForSeconds`: the pause that the endpoint asked for. */
  failed(pauseForSeconds?: number): void
  /** The request was not sent, or its outcome says nothing about the endpoint. */
  cancelled(): void
}

/** Keeps a broken endpoint from costing each caller the whole deadline. Its state is that of one process. */
export function circuitBreaker(clock: Clock): CircuitBreaker {
  let failures = 0
  let pausedUntilMs = 0
  let isTrying = false

  const pause = (seconds: number) => {
    pausedUntilMs = clock.now().getTime() + Math.min(seconds, pauseSecondsMax) * 1000
  }
  return {
    mayRequest: () => {
      if (pausedUntilMs === 0) return true
      if (isTrying || clock.now().getTime() < pausedUntilMs) return false
      isTrying = true
      return true
    },
    succeeded: () => {
      failures = 0
      pausedUntilMs = 0
      isTrying = false
    },
    failed: (pauseForSeconds) => {
      failures += 1
      isTrying = false
      if (pauseForSeconds !== undefined) pause(pauseForSeconds)
      else if (failures >= failuresMax) pause(pauseSeconds)
    },
    cancelled: () => {
      isTrying = false
    },
  }
}
