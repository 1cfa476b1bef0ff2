/** Concurrent attempts per endpoint in this process. A failing endpoint gets one: it may hang. */
const concurrencyMax = { healthy: 5, failing: 1 }
/** An endpoint of which no attempt has ended for so long may hang. Nobody waits for it: others need the slots of the jobs. */
const patienceMs = 200

export type AttemptLimiter = {
  /**
   * Begins an attempt at an endpoint. Where it has as many as it may have and they end, this waits for the next to end.
   * False: none ends, or one has failed; try again later.
   */
  start(place: string, isHealthy: boolean): Promise<boolean>
  /** An endpoint where an attempt failed may have asked for a pause: no waiting attempt starts. */
  end(place: string, isDelivered: boolean): void
}

type Place = { running: number; progressAtMs: number; waiting: ((isFree: boolean) => void)[] }

export function attemptLimiter(): AttemptLimiter {
  const places = new Map<string, Place>()

  const waitForEnd = (place: Place): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (isFree: boolean) => {
        clearTimeout(timer)
        resolve(isFree)
      }
      const timer = setTimeout(() => {
        place.waiting = place.waiting.filter((other) => other !== settle)
        resolve(false)
      }, patienceMs)
      place.waiting.push(settle)
    })

  return {
    start: async (name, isHealthy) => {
      const place = places.get(name) ?? { running: 0, progressAtMs: performance.now(), waiting: [] }
      places.set(name, place)
      if (place.running < (isHealthy ? concurrencyMax.healthy : concurrencyMax.failing)) {
        place.running += 1
        return true
      }
      return isHealthy && performance.now() - place.progressAtMs < patienceMs && waitForEnd(place)
    },
    end: (name, isDelivered) => {
      const place = places.get(name)
      if (place === undefined) return
      place.progressAtMs = performance.now()
      if (!isDelivered) for (const settle of place.waiting.splice(0)) settle(false)
      const next = place.waiting.shift()
      if (next !== undefined) return next(true)
      place.running -= 1
      if (place.running === 0) places.delete(name)
    },
  }
}
