import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

// Requests and other connections wait no longer than this for frames, however many have arrived.
const sliceMs = 5

/**
 * Lets frames wait for their turn to be read. Callers take turns, so that one with many connections delays mostly itself,
 * and after each slice the event loop does everything else that waits.
 */
export function frameTurns() {
  // In the order of the callers' next turns. An entry always holds work.
  const waiting = new Map<string, (() => void)[]>()
  let isRunning = false

  const next = (): (() => void) | undefined => {
    for (const [caller, queue] of waiting) {
      const work = queue.shift()
      waiting.delete(caller)
      if (queue.length > 0) waiting.set(caller, queue)
      return work
    }
    return undefined
  }

  const run = async (): Promise<void> => {
    // Frames of all connections that were read in this round of the event loop share one slice.
    await yieldToEventLoop()
    let startedMs = performance.now()
    for (let work = next(); work !== undefined; work = next()) {
      work()
      if (performance.now() - startedMs < sliceMs) continue
      await yieldToEventLoop()
      startedMs = performance.now()
    }
    isRunning = false
  }

  return {
    /** Does the work when it is the caller's turn. The work must not throw. */
    take: <T>(caller: string, work: () => T): Promise<T> => {
      const { promise, resolve } = Promise.withResolvers<T>()
      const queue = waiting.get(caller) ?? []
      waiting.set(caller, queue)
      queue.push(() => resolve(work()))
      if (!isRunning) {
        isRunning = true
        void run()
      }
      return promise
    },
  }
}
