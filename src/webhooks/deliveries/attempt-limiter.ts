/** Concurrent attempts per endpoint in this process. A failing endpoint gets one: it may hang. */
const concurrencyMax = { healthy: 5, failing: 1 }

export type AttemptLimiter = {
  /** False: the maximum is reached. */
  tryStart(place: string, isHealthy: boolean): boolean
  end(place: string): void
}

export function attemptLimiter(): AttemptLimiter {
  const counts = new Map<string, number>()
  return {
    tryStart: (place, isHealthy) => {
      const count = counts.get(place) ?? 0
      if (count >= (isHealthy ? concurrencyMax.healthy : concurrencyMax.failing)) return false
      counts.set(place, count + 1)
      return true
    },
    end: (place) => {
      const left = (counts.get(place) ?? 1) - 1
      if (left > 0) counts.set(place, left)
      else counts.delete(place)
    },
  }
}
