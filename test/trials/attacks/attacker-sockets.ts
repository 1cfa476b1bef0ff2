import { once } from 'node:events'
import { setTimeout as delay, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** What the frames of some sockets were answered, and how the sockets ended. */
export type SocketsSeen = { frames: Record<string, number>; closes: Record<string, number> }

export type AttackerSockets = {
  base: string
  tokens: string[]
  socketsOfEach: number
  /** The frames of each socket: the first ones at once, the others a second later each. */
  bursts: (string | Buffer)[][]
}

const patienceMs = 10_000
// A little more than the second in which a socket may send 20 frames more.
const burstMs = 1_100

/** Resolves when every socket has been answered in full, or was closed. */
export async function attackWithSockets({
  base,
  tokens,
  socketsOfEach,
  bursts,
}: AttackerSockets): Promise<SocketsSeen> {
  const seen: SocketsSeen = { frames: {}, closes: {} }
  const sockets = await Promise.all(
    tokens.flatMap((token) => Array.from({ length: socketsOfEach }, () => openSocket(base, token))),
  )
  const ends = sockets.map((socket) => answered(socket, bursts.flat().length, seen))
  for (const [index, burst] of bursts.entries()) {
    if (index > 0) await delay(burstMs)
    for (const frame of burst) {
      for (const socket of sockets) if (socket.readyState === socket.OPEN) socket.send(frame, { binary: false })
      // Otherwise the attacker would read no answer until it has written everything.
      await yieldToEventLoop()
    }
  }
  await Promise.race([Promise.all(ends), delay(patienceMs, null, { ref: false })])
  for (const socket of sockets) socket.terminate()
  return seen
}

function answered(socket: WebSocket, frames: number, seen: SocketsSeen): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let answers = 0
  socket.on('message', (data) => {
    const { type, code } = JSON.parse(String(data))
    if (type === 'ready') return
    count(seen.frames, code ?? type)
    if (++answers === frames) resolve()
  })
  socket.on('close', (code, reason) => {
    count(seen.closes, `${code} ${reason}`)
    resolve()
  })
  return promise
}

export function describeSockets({ frames, closes }: SocketsSeen): string {
  const list = (counts: Record<string, number>) => Object.entries(counts).map(([name, times]) => `${times} x ${name}`)
  return `${list(frames).join(', ')}; closed: ${list(closes).join(', ') || 'none'}`
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

async function openSocket(base: string, token: string): Promise<WebSocket> {
  const address = `${base.replace(/^http/, 'ws')}/assistant/v1/ws`
  const headers = { authorization: `Bearer ${token}` }
  const socket = new WebSocket(address, ['assistant.v1'], { headers, perMessageDeflate: false })
  await once(socket, 'open')
  socket.on('error', () => undefined)
  return socket
}
