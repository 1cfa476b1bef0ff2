import { once } from 'node:events'
import { WebSocket } from 'ws'

// Frames are what JSON gave: tests read into them and assert what they find.
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a wrong path fails the test, which is its purpose
export type LiveFrame = { type: string } & Record<string, any>
type Closed = { code: number; reason: string }

export type LiveClient = {
  /** All that came, in order. */
  frames: LiveFrame[]
  socket: WebSocket
  send(frame: unknown): void
  /** The first frame of a type that was not asked for before; waits for it. Rejects when the connection ends. */
  next(type: string): Promise<LiveFrame>
  closed: Promise<Closed>
  close(): Promise<void>
}

export type LiveOptions = { base: string; token?: string; headers?: Record<string, string>; protocols?: string[] }

/** A client of `/assistant/v1/ws`; waits until the connection is open. */
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
  const taken = new Map<string, number>()
  let tell = Promise.withResolvers<void>()
  const { promise: closed, resolve: isClosed } = Promise.withResolvers<Closed>()
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    tell.resolve()
    tell = Promise.withResolvers()
  })
  let over: Closed | null = null
  socket.on('close', (code, reason) => {
    over = { code, reason: String(reason) }
    isClosed(over)
    tell.resolve()
  })
  await once(socket, 'open') // rejects with 'error'
  socket.on('error', () => undefined)

  const next = async (type: string): Promise<LiveFrame> => {
    for (;;) {
      const from = taken.get(type) ?? 0
      const at = frames.findIndex((frame, index) => index >= from && frame.type === type)
      if (at >= 0) {
        taken.set(type, at + 1)
        return frames[at] as LiveFrame
      }
      if (over !== null) throw new Error(`The connection ended with ${over.code} ${over.reason} before ${type}.`)
      await tell.promise
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

/** The status and the problem of an upgrade that is refused. */
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
