import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import { type FanOut, listeners } from './fan-out.ts'

const channelOfAll = 'atrium:fan-out'
const reopenPauseMs = 1_000
const connectMsMax = 1_000

type Client = ReturnType<typeof clientOf>
type Envelope = { from: string; channel: string; text: string }

/**
 * Fan-out through one channel of Redis. While Redis is away this node hears itself alone; when it is back every
 * listener is told of the gap.
 */
export function redisFanOut(url: string): FanOut {
  const here = listeners()
  const self = randomUUID()
  let publisher: Client | null = null
  let isClosed = false
  let timer: NodeJS.Timeout | null = null

  const deliver = (channel: string, text: string): void => {
    for (const listener of here.of(channel)) listener.message(text)
  }
  const hear = (message: string): void => {
    const { from, channel, text } = readEnvelope(message)
    if (from === self) return // was delivered when it was published
    deliver(channel, text)
  }

  const open = async (): Promise<void> => {
    const [speaking, listening] = [clientOf(url), clientOf(url)]
    const drop = () => {
      for (const client of [speaking, listening]) if (client.isOpen) client.destroy()
      if (publisher === speaking) publisher = null
      if (!isClosed) timer ??= setTimeout(reopen, reopenPauseMs).unref()
    }
    for (const client of [speaking, listening]) client.on('error', drop).on('end', drop)
    try {
      await Promise.all([speaking.connect(), listening.connect()])
      await listening.subscribe(channelOfAll, hear)
      if (isClosed) return drop()
      publisher = speaking
      for (const listener of here.all()) listener.gap()
    } catch {
      drop()
    }
  }
  const reopen = () => {
    timer = null
    if (!isClosed) void open()
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
      if (timer !== null) clearTimeout(timer)
      publisher?.emit('end')
    },
  }
}

function clientOf(url: string) {
  return createClient({ url, RESP: 2, socket: { connectTimeout: connectMsMax, reconnectStrategy: false } })
}

/** Only nodes of this installation write there; what cannot be read reaches nobody. */
function readEnvelope(message: string): Envelope {
  try {
    return JSON.parse(message) as Envelope
  } catch {
    return { from: '', channel: '', text: '' }
  }
}
