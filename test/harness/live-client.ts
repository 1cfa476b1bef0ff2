import { once } from 'node:events'
import { WebSocket } from 'ws'

// Frames are parsed JSON. Tests read their members and assert them.
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a wrong path fails the test, which is its purpose
export type LiveFrame = { type: string } & Record<string, any>
type Closed = { code: number; reason: string }

export type LiveClient = {
  /** All received frames, in order. */
  frames: LiveFrame[]
  socket: WebSocket
  send(frame: unknown): void
  /** The next frame of a type, which may still have to arrive. Rejects when the connection ends. */
  next(type: string): Promise<LiveFrame>
  closed: Promise<Closed>
  close(): Promise<void>
}

export type LiveOptions = { base: string; token?: string; headers?: Record<string, string>; protocols?: string[] }

/** A client of `/assistant/v1/ws`. Resolves when the connection is open. */
export async function liveClient({
  base,
  token,
  headers = {},
  protocols = ['assistant.v1'],
}: LiveOptions): Promise<LiveClient> {
  const credential: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/assistant/v1/ws`, protocols, {
    headers: { ...credential, ...headers },
    perMessageDeflate: false,
  })
  const frames: LiveFrame[] = []
  const nextIndexes = new Map<string, number>()
  let arrival = Promise.withResolvers<void>()
  const { promise: closed, resolve: isClosed } = Promise.withResolvers<Closed>()
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    arrival.resolve()
    arrival = Promise.withResolvers()
  })
  let ending: Closed | null = null
  socket.on('close', (code, reason) => {
    ending = { code, reason: String(reason) }
    isClosed(ending)
    arrival.resolve()
  })
  await once(socket, 'open') // rejects with 'error'
  socket.on('error', () => undefined)

  const next = async (type: string): Promise<LiveFrame> => {
    for (;;) {
      const from = nextIndexes.get(type) ?? 0
      const at = frames.findIndex((frame, index) => index >= from && frame.type === type)
      if (at >= 0) {
        nextIndexes.set(type, at + 1)
        return frames[at] as LiveFrame
      }
      if (ending !== null) throw new Error(`The connection ended with ${ending.code} ${ending.reason} before ${type}.`)
      await arrival.promise
    }
  }
  return {
    frames,
    socket,
    next,
    closed,
    send: (frame) => socket.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame)),
    close: async () => {
      socket.close()
      await closed
    },
  }
}

/** The status and the problem document of a refused upgrade. */
export async function refusedUpgrade({
  base,
  token,
  headers = {},
  protocols = ['assistant.v1'],
  path = '/assistant/v1/ws',
}: LiveOptions & { path?: string }) {
  const credential: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const socket = new WebSocket(`${base.replace(/^http/, 'ws')}${path}`, protocols, {
    headers: { ...credential, ...headers },
  })
  socket.on('error', () => undefined)
  const [, response] = await once(socket, 'unexpected-response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode as number, headers: response.headers, body: JSON.parse(text) }
}
