import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** One request as it goes over the wire. A body is sent as JSON; a Buffer is JSON already, byte for byte. */
export type Wire = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: unknown }

export type Answer = { status: number; headBytes: number; bodyBytes: number }

export type Connection = { send(request: Buffer): Promise<Answer>; end(): void }

const headEnd = Buffer.from('\r\n\r\n')

export function requestBytes({ method, path, headers, body }: Wire, host: string): Buffer {
  const payload = body instanceof Buffer ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body))
  const sent = {
    host,
    ...headers,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(payload.length) }),
  }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), payload])
}

/**
 * The answer that these bytes begin with, or null while part of it is missing. Reads no more of HTTP than the bench
 * meets: throws for an answer without Content-Length.
 */
export function readAnswer(bytes: Buffer): Answer | null {
  const end = bytes.indexOf(headEnd)
  if (end === -1) return null
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined && status !== 204 && status !== 304) throw new Error(`No Content-Length:\n${head}`)
  const headBytes = end + headEnd.length
  const bodyBytes = Number(length ?? 0)
  return bytes.length < headBytes + bodyBytes ? null : { status, headBytes, bodyBytes }
}

/** A kept connection that has one request on its way at a time. */
export async function openConnection({ host, port }: { host: string; port: number }): Promise<Connection> {
  const socket = connect({ host, port, noDelay: true })
  await once(socket, 'connect')
  let waiting: PromiseWithResolvers<Answer> | null = null
  let arrived: Buffer | null = null
  const fail = (error: Error) => waiting?.reject(error)
  socket.on('data', (chunk) => {
    arrived = arrived === null ? chunk : Buffer.concat([arrived, chunk])
    try {
      const answer = readAnswer(arrived)
      if (answer === null) return
      arrived = null
      waiting?.resolve(answer)
    } catch (error) {
      fail(error as Error)
    }
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('The server closed a connection.')))
  return { send: (request) => sendOn(socket, request, (next) => (waiting = next)), end: () => socket.destroy() }
}

function sendOn(
  socket: Socket,
  request: Buffer,
  expect: (waiting: PromiseWithResolvers<Answer>) => void,
): Promise<Answer> {
  const waiting = Promise.withResolvers<Answer>()
  expect(waiting)
  if (socket.destroyed) waiting.reject(new Error('The server has closed the connection.'))
  else socket.write(request)
  return waiting.promise
}
