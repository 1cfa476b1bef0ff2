/** What a subscriber receives. */
export type Listener = {
  message(text: string): void
  /** Messages of other nodes may have been missed: reload whatever depends on them. */
  gap(): void
}

/**
 * Short messages to all subscribers, on all nodes that share a Redis, or else in this process alone. They are delivered
 * at once here, and at most once on other nodes: nothing may depend on a message alone.
 */
export type FanOut = {
  publish(channel: string, text: string): void
  /** Returns the function that ends the subscription. */
  subscribe(channel: string, listener: Listener): () => void
  close(): void
}

/** The subscribers in this process. */
export type Listeners = Pick<FanOut, 'subscribe'> & { onChannel(channel: string): Listener[]; all(): Listener[] }

export function listeners(): Listeners {
  const channels = new Map<string, Set<Listener>>()
  return {
    onChannel: (channel) => [...(channels.get(channel) ?? [])],
    all: () => [...channels.values()].flatMap((set) => [...set]),
    subscribe: (channel, listener) => {
      const set = channels.get(channel) ?? new Set()
      channels.set(channel, set.add(listener))
      return () => void set.delete(listener)
    },
  }
}

export function memoryFanOut(): FanOut {
  const local = listeners()
  return {
    subscribe: local.subscribe,
    publish: (channel, text) => {
      for (const listener of local.onChannel(channel)) listener.message(text)
    },
    close: () => undefined,
  }
}
