import { Refusal } from './refusal.ts'

/** Lets at most `concurrent` works run at once and `queueMax` wait, first come, first served; refuses more as UNAVAILABLE. */
export function concurrencyLimit(concurrent: number, queueMax: number) {
  const waiting: (() => void)[] = []
  let running = 0

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrent) {
      // A second is enough for a whole queue of the default length to be done.
      if (waiting.length >= queueMax) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
      // The place is handed over as it is: were it given back first, a newcomer could take it in between.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
