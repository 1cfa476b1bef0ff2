import type { FanOut } from '../../storage/fan-out.ts'
import { workChannel } from '../bots/bot-transitions.ts'

/** Lets long polls wait until a bot has changed, on any node. */
export function workWaiter(fanOut: FanOut) {
  const waiting = new Set<() => void>()
  let isEnded = false
  const wake = () => {
    for (const resume of [...waiting]) resume()
  }
  const unsubscribe = fanOut.subscribe(workChannel, { message: wake, gap: wake })

  /** Resolves at the next change, after a time, or when the caller has gone. */
  async function next(timeoutMs: number, signal: AbortSignal | null): Promise<void> {
    if (isEnded || timeoutMs <= 0 || signal?.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timeoutMs)
    waiting.add(resolve)
    signal?.addEventListener('abort', () => resolve(), { once: true })
    await promise
    clearTimeout(timer)
    waiting.delete(resolve)
  }

  return {
    next,
    isEnded: () => isEnded,
    /** Answers all polls, because the service stops. */
    end: (): void => {
      isEnded = true
      wake()
      unsubscribe()
    },
  }
}

export type WorkWaiter = ReturnType<typeof workWaiter>
