import type { FanOut } from '../../storage/fan-out.ts'

/** Channels on which the id of a server is told. */
export const notifierChannels = {
  /** Its node is to be told something: peers, or that it is a node no more. */
  peers: 'vault.peers',
  /** Its node has said what it applied. */
  acknowledgements: 'vault.acknowledgements',
} as const

type Watch = {
  /** Resolves at the next news, also such as came since the last call, or after `ms`, or when there is no use in waiting any more. */
  next(ms: number): Promise<void>
  close(): void
}

export type ServerNotifier = {
  /** From this call on nothing is missed. To be closed. */
  watch(serverId: string, signal?: AbortSignal | null): Watch
  /** Nobody waits any more, now or later. */
  end(): void
  isEnded(): boolean
  waiting(): number
}

/** Whoever waits for news of one server: told of others' news is nobody, and nobody costs anything while waiting. */
export function serverNotifier(fanOut: FanOut, channel: string): ServerNotifier {
  const watches = new Map<string, Set<() => void>>()
  let isEnded = false
  const all = () => [...watches.values()].flatMap((there) => [...there])
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
      const there = watches.get(serverId) ?? new Set()
      watches.set(serverId, there.add(wake))
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
          there.delete(wake)
          if (there.size === 0 && watches.get(serverId) === there) watches.delete(serverId)
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
