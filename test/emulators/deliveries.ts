import type { Delivery, EmulatorClock } from './emulator.ts'

export type SentDelivery = { id: number; about: string; url: string; status: number | null; at: string }

export type Deliveries = {
  add(delivery: Delivery): void
  /** While they are held, they are sent only by `send`: late, twice, in any order. */
  hold(isHeld: boolean): void
  waiting(): { id: number; about: string }[]
  send(id: number): Promise<number | null>
  sent(): SentDelivery[]
  /** Resolves when nothing is on its way. */
  settle(): Promise<void>
}

/** Sends a webhook. Answers with the status of the receiver; null: it could not be reached. */
export type PostDelivery = (
  url: string,
  sent: { headers: Record<string, string>; body: string },
) => Promise<number | null>

const postOverHttp: PostDelivery = (url, sent) =>
  fetch(url, { method: 'POST', ...sent, signal: AbortSignal.timeout(10_000) })
    .then(async (response) => {
      await response.arrayBuffer()
      return response.status
    })
    .catch(() => null)

/** Webhooks on their way. Each keeps its id, so that it can be sent again. */
export function createDeliveries(clock: EmulatorClock, post: PostDelivery = postOverHttp): Deliveries {
  const all = new Map<number, Delivery>()
  const waiting = new Set<number>()
  const running = new Set<Promise<unknown>>()
  const sent: SentDelivery[] = []
  let isHeld = false
  let last = 0

  async function send(id: number): Promise<number | null> {
    const delivery = all.get(id)
    if (delivery === undefined) return null
    waiting.delete(id)
    const status = await post(delivery.url, delivery.sign(clock.now()))
    sent.push({ id, about: delivery.about, url: delivery.url, status, at: clock.now().toISOString() })
    return status
  }

  return {
    add: (delivery) => {
      last += 1
      all.set(last, delivery)
      if (isHeld) {
        waiting.add(last)
        return
      }
      const sending = send(last).finally(() => running.delete(sending))
      running.add(sending)
    },
    hold: (next) => {
      isHeld = next
    },
    waiting: () => [...waiting].map((id) => ({ id, about: all.get(id)?.about ?? '' })),
    send,
    sent: () => sent,
    settle: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
