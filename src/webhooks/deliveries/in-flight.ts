/** Tries to one endpoint that run at once in this process. One that is failing has one: perhaps it hangs. */
const triesMax = { healthy: 5, failing: 1 }

export type InFlight = {
  /** False: as many as may be are on their way. */
  begin(place: string, isHealthy: boolean): boolean
  end(place: string): void
}

export function inFlight(): InFlight {
  const counts = new Map<string, number>()
  return {
    begin: (place, isHealthy) => {
      const count = counts.get(place) ?? 0
      if (count >= (isHealthy ? triesMax.healthy : triesMax.failing)) return false
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
