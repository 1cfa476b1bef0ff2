/** What a subscriber is told. */
export type Listener = {
  message(text: string): void
  /** Messages of other nodes may have been missed: whoever keeps something by them reads it anew. */
  gap(): void
}

/**
 * Short messages to whoever listens, on all nodes that share a Redis, else in this process alone. Delivered at once
 * here, and at most once elsewhere: nothing may depend on a message that others could not also find out in time.
 */
export type FanOut = {
  publish(channel: string, text: string): void
  /** Gives the function that ends it. */
  subscribe(channel: string, listener: Listener): () => void
  close(): void
}

/** Who listens in this process. */
export type Listeners = Pick<FanOut, 'subscribe'> & { of(channel: string): Listener[]; all(): Listener[] }

export function listeners(): Listeners {
  const channels = new Map<string, Set<Listener>>()
  return {
    of: (channel) => [...(channels.get(channel) ?? [])],
    all: () => [...channels.values()].flatMap((there) => [...there]),
    subscribe: (channel, listener) => {
      const there = channels.get(channel) ?? new Set()
      channels.set(channel, there.add(listener))
      return () => void there.delete(listener)
    },
  }
}

export function memoryFanOut(): FanOut {
  const here = listeners()
  return {
    subscribe: here.subscribe,
    publish: (channel, text) => {
      for (const listener of here.of(channel)) listener.message(text)
    },
    close: () => undefined,
  }
}
