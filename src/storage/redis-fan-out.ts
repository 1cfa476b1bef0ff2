import { randomUUID } from 'node:crypto'
import { withTimeout } from '../kernel/with-timeout.ts'
import { type FanOut, listeners } from './fan-out.ts'
import { connectMsMax, createRedisClient } from './redis.ts'

const redisChannel = 'atrium:fan-out'
const reopenPauseMs = 1_000
// Messages to a Redis that does not answer would pile up, so it is pinged this often.
const pingMs = 1_000

type Client = ReturnType<typeof createRedisClient>
type Envelope = { from: string; channel: string; text: string }

/**
 * Fan-out through one channel of Redis. While Redis is down this node receives only its own messages; when it is back,
 * `gap` is called for every subscriber.
 */
export function redisFanOut(url: string): FanOut {
  const local = listeners()
  const self = randomUUID()
  let publisher: Client | null = null
  let drop: () => void = () => undefined
  let isClosed = false

  const deliver = (channel: string, text: string): void => {
    for (const listener of local.onChannel(channel)) listener.message(text)
  }
  const receive = (message: string): void => {
    const { from, channel, text } = readEnvelope(message)
    if (from !== self) deliver(channel, text) // our own messages were delivered when they were published
  }

  const open = async (): Promise<void> => {
    if (isClosed) return
    const [publishing, subscribing] = [createRedisClient(url), createRedisClient(url)]
    const clients = [publishing, subscribing]
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
      if (publisher === publishing) withTimeout(pingMs, publishing.ping()).catch(dropThese)
    }, pingMs).unref()
    try {
      await withTimeout(2 * connectMsMax, Promise.all(clients.map((client) => client.connect())))
      await withTimeout(connectMsMax, subscribing.subscribe(redisChannel, receive))
      if (isClosed) return dropThese()
      publisher = publishing
      for (const listener of local.all()) listener.gap()
    } catch {
      dropThese()
    }
  }
  void open()

  return {
    publish: (channel, text) => {
      deliver(channel, text)
      const envelope: Envelope = { from: self, channel, text }
      publisher?.publish(redisChannel, JSON.stringify(envelope)).catch(() => undefined)
    },
    subscribe: local.subscribe,
    close: () => {
      isClosed = true
      drop()
    },
  }
}

/** Only nodes of this installation write there. A malformed message reaches nobody. */
function readEnvelope(message: string): Envelope {
  try {
    return JSON.parse(message) as Envelope
  } catch {
    return { from: '', channel: '', text: '' }
  }
}
