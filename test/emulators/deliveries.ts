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

/** Webhooks on their way. Each keeps its id, so that it can be sent again. */
export function createDeliveries(clock: EmulatorClock): Deliveries {
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
    const { headers, body } = delivery.sign(clock.now())
    const status = await fetch(delivery.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
      .then(async (response) => {
        await response.arrayBuffer()
        return response.status
      })
      .catch(() => null)
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
