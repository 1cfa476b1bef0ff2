import { Refusal } from './refusal.ts'

/** Runs at most `concurrent` tasks at once and queues up to `queueMax`, first in, first out. Refuses more as UNAVAILABLE. */
export function concurrencyLimit(concurrent: number, queueMax: number) {
  const waiting: (() => void)[] = []
  let running = 0

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrent) {
      // A queue of the default length is done within a second.
      if (waiting.length >= queueMax) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
      // The slot is handed over without being freed: otherwise a newcomer could take it in between.
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
