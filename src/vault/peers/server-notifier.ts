import type { FanOut } from '../../storage/fan-out.ts'

/** Channels that carry the id of a server. */
export const notifierChannels = {
  /** The node must poll again: its peers changed, or it is no longer the node. */
  peers: 'vault.peers',
  /** The node has confirmed a revision. */
  acknowledgements: 'vault.acknowledgements',
} as const

type Watch = {
  /** Resolves at the next notification (also one since the last call), after `ms`, or when waiting has ended. */
  next(ms: number): Promise<void>
  close(): void
}

export type ServerNotifier = {
  /** Misses nothing from this call on. Close it after use. */
  watch(serverId: string, signal?: AbortSignal | null): Watch
  /** Ends all waiting, now and later. */
  end(): void
  isEnded(): boolean
  waiting(): number
}

/** Wakes those who wait for one server, and only them. Waiting costs no polling. */
export function serverNotifier(fanOut: FanOut, channel: string): ServerNotifier {
  const watches = new Map<string, Set<() => void>>()
  let isEnded = false
  const all = () => [...watches.values()].flatMap((waiters) => [...waiters])
  const wakeAll = () => {
    for (const wake of all()) wake()
  }
  fanOut.subscribe(channel, {
    message: (serverId) => {
      for (const wake of [...(watches.get(serverId) ?? [])]) wake()
    },
    gap: wakeAll,
  })

  return {
    watch: (serverId, signal = null) => {
      let isNotified = false
      let resume: () => void = () => undefined
      const wake = () => {
        isNotified = true
        resume()
      }
      const waiters = watches.get(serverId) ?? new Set()
      watches.set(serverId, waiters.add(wake))
      signal?.addEventListener('abort', wake, { once: true })
      return {
        next: async (ms) => {
          if (!isNotified && !isEnded && !signal?.aborted) {
            const { promise, resolve } = Promise.withResolvers<void>()
            const timer = setTimeout(resolve, ms)
            resume = resolve
            await promise
            clearTimeout(timer)
          }
          isNotified = false
        },
        close: () => {
          signal?.removeEventListener('abort', wake)
          waiters.delete(wake)
          if (waiters.size === 0 && watches.get(serverId) === waiters) watches.delete(serverId)
        },
      }
    },
    end: () => {
      isEnded = true
      wakeAll()
    },
    isEnded: () => isEnded,
    waiting: () => all().length,
  }
}
