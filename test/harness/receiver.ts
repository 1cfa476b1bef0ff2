import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Changes, changes } from './changes.ts'

export type Heard = { path: string; headers: IncomingHttpHeaders; body: string }
export type Receiver = {
  url: string
  port: number
  heard: Heard[]
  /** Looks again at each request and after each answer. */
  until: Changes['until']
  /** TCP connections, whether or not anything was asked over them. */
  connections(): number
  /** From now on each request is answered so. */
  answer(behave: Behaviour): void
  close(): Promise<void>
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

/** As receivers behave, and as they should not. */
export const behaviours = {
  status:
    (status: number, headers: Record<string, string> = {}): Behaviour =>
    (_request, response) =>
      void response.writeHead(status, headers).end('as it was told'),
  hang: () => undefined,
  /** A head that never ends, a byte at a time. */
  drip: (_request: IncomingMessage, response: ServerResponse) => {
    const { socket } = response
    socket?.write('HTTP/1.1 200 OK\r\nx-slow: ')
    const timer = setInterval(() => socket?.write('.'), 10)
    socket?.on('close', () => clearInterval(timer))
  },
  /** A body that never ends, a byte at a time. */
  dripBody: (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(timer))
  },
  flood: (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    let left = 50 * 16
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  },
  closeBeforeAnswer: (request: IncomingMessage) => void request.socket.destroy(),
  closeInBody: (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('the begin', () => request.socket.destroy())
  },
  /** Exactly these bytes, and then the end. */
  raw:
    (text: string): Behaviour =>
    ({ socket }) =>
      void socket.end(text),
  wordsInBetween: ({ socket }: IncomingMessage) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(100)), 10)
    socket.on('close', () => clearInterval(timer))
  },
  manyHeaders: (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'x-long': 'y'.repeat(100_000) }).end(),
}

/** A real HTTP server that hears what it is sent. */
export async function receiver(behave: Behaviour = behaviours.status(204)): Promise<Receiver> {
  const heard: Heard[] = []
  const { changed, until } = changes()
  const sockets = new Set<Socket>()
  let connections = 0
  let current = behave
  const server = createServer((request, response) => {
    response.on('finish', changed)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      heard.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
      current(request, response)
      changed()
    })
  })
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    heard,
    until,
    url: `http://127.0.0.1:${port}/hook`,
    connections: () => connections,
    answer: (next) => {
      current = next
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Receivers that are closed together. */
export function receivers() {
  const open: Receiver[] = []
  return {
    listen: async (...behave: Parameters<typeof receiver>): Promise<Receiver> => {
      const made = await receiver(...behave)
      open.push(made)
      return made
    },
    close: () => Promise.all(open.map((one) => one.close())),
  }
}
