import { Refusal } from './refusal.ts'

export type FairLimitSettings = {
  /** Tasks that run at once. */
  concurrent: number
  /** Tasks that may wait, in all and of one key. */
  queueMax: number
  keyQueueMax: number
}

export type FairLimit = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** As `concurrencyLimit`, but those that wait take turns by key, so that one key with many tasks does not keep the others waiting. */
export function fairLimit({ concurrent, queueMax, keyQueueMax }: FairLimitSettings): FairLimit {
  /** In the order in which their turns come. */
  const waiting = new Map<string, (() => void)[]>()
  let waitingCount = 0
  let running = 0

  function enqueue(key: string): Promise<void> {
    const own = waiting.get(key) ?? []
    if (waitingCount >= queueMax || own.length >= keyQueueMax)
      throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
    waiting.set(key, own)
    waitingCount += 1
    return new Promise((resolve) => own.push(resolve))
  }

  function startNext(): void {
    const [next] = waiting
    if (next === undefined) {
      running -= 1
      return
    }
    const [key, own] = next
    // Its next task comes after those of all others.
    waiting.delete(key)
    const start = own.shift()
    if (own.length > 0) waiting.set(key, own)
    waitingCount -= 1
    // The slot is handed over without being freed: otherwise a newcomer could take it in between.
    start?.()
  }

  return async (key, work) => {
    if (running >= concurrent) await enqueue(key)
    else running += 1
    try {
      return await work()
    } finally {
      startNext()
    }
  }
}
