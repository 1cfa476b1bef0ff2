import { randomUUID } from 'node:crypto'
import { withTimeout } from '../kernel/with-timeout.ts'
import { type FanOut, listeners } from './fan-out.ts'
import { connectMsMax, createRedisClient } from './redis.ts'

const channelOfAll = 'atrium:fan-out'
const reopenPauseMs = 1_000
// What is published to a Redis that has fallen silent would pile up: it is asked this often whether it is there.
const pingMs = 1_000

type Client = ReturnType<typeof createRedisClient>
type Envelope = { from: string; channel: string; text: string }

/**
 * Fan-out through one channel of Redis. While Redis is away this node hears itself alone; when it is back every
 * listener is told of the gap.
 */
export function redisFanOut(url: string): FanOut {
  const here = listeners()
  const self = randomUUID()
  let publisher: Client | null = null
  let drop: () => void = () => undefined
  let isClosed = false

  const deliver = (channel: string, text: string): void => {
    for (const listener of here.of(channel)) listener.message(text)
  }
  const hear = (message: string): void => {
    const { from, channel, text } = readEnvelope(message)
    if (from !== self) deliver(channel, text) // the own ones were delivered when they were published
  }

  const open = async (): Promise<void> => {
    if (isClosed) return
    const [speaking, listening] = [createRedisClient(url), createRedisClient(url)]
    const clients = [speaking, listening]
    let isDropped = false
    drop = () => {
      if (isDropped) return
      isDropped = true
      clearInterval(pulse)
      for (const client of clients) if (client.isOpen) client.destroy()
      publisher = null
      if (!isClosed) setTimeout(open, reopenPauseMs).unref()
    }
    const dropThese = drop
    for (const client of clients) client.on('error', dropThese).on('end', dropThese)
    const pulse = setInterval(() => {
      if (publisher === speaking) withTimeout(pingMs, speaking.ping()).catch(dropThese)
    }, pingMs).unref()
    try {
      await withTimeout(2 * connectMsMax, Promise.all(clients.map((client) => client.connect())))
      await withTimeout(connectMsMax, listening.subscribe(channelOfAll, hear))
      if (isClosed) return dropThese()
      publisher = speaking
      for (const listener of here.all()) listener.gap()
    } catch {
      dropThese()
    }
  }
  void open()

  return {
    publish: (channel, text) => {
      deliver(channel, text)
      const envelope: Envelope = { from: self, channel, text }
      publisher?.publish(channelOfAll, JSON.stringify(envelope)).catch(() => undefined)
    },
    subscribe: here.subscribe,
    close: () => {
      isClosed = true
      drop()
    },
  }
}

/** Only nodes of this installation write there; what cannot be read reaches nobody. */
function readEnvelope(message: string): Envelope {
  try {
    return JSON.parse(message) as Envelope
  } catch {
    return { from: '', channel: '', text: '' }
  }
}
