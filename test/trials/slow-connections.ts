import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** A way to use a connection slowly, or not at all. `begin` is sent at once, and `drop` twice a second. */
export type SlowKind = { name: string; localAddress: string; begin(index: number): string; drop(index: number): string }

const dropMs = 500

const upgrade = (authorization: string) =>
  [
    'GET /assistant/v1/ws HTTP/1.1',
    'Host: slow',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    `${authorization}\r\n\r\n`,
  ].join('\r\n')

/** Each from an address of its own, because an address may have 512 connections. */
export function slowKinds(tokens: string[]): SlowKind[] {
  const isDripping = (index: number) => index % 2 === 0
  return [
    {
      name: 'headers',
      localAddress: '127.0.0.11',
      begin: () => 'GET /health HTTP/1.1\r\nHost: slow\r\nX-Slow: ',
      drop: (index) => (isDripping(index) ? 'x' : ''),
    },
    {
      name: 'body',
      localAddress: '127.0.0.12',
      begin: () =>
        'POST /assistant/v1/webhooks/inbound/issue-tracker HTTP/1.1\r\nHost: slow\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n{',
      drop: (index) => (isDripping(index) ? ' ' : ''),
    },
    {
      name: 'WebSocket',
      localAddress: '127.0.0.13',
      // Half of them have no token. The others begin a frame of 60,000 bytes.
      begin: (index) =>
        upgrade(isDripping(index) ? `Authorization: Bearer ${tokens[index % tokens.length]}` : 'X-None: 1'),
      drop: (index) => (isDripping(index) ? '\x81\xfe\xea\x60\x00\x00\x00\x00{' : ''),
    },
    {
      name: 'answer not read',
      localAddress: '127.0.0.14',
      begin: () => 'GET /openapi.json HTTP/1.1\r\nHost: slow\r\n\r\n'.repeat(4),
      drop: () => '',
    },
  ]
}

/** Keeps `count` such connections open: one that the service closes is opened again. */
export function holdSlowly({ port, count, kind }: { port: number; count: number; kind: SlowKind }): { stop(): void } {
  const sockets = new Map<number, Socket>()
  let isOver = false
  const open = (index: number): void => {
    if (isOver) return
    const socket = connect({ host: '127.0.0.1', port, localAddress: kind.localAddress })
    sockets.set(index, socket)
    socket.pause()
    socket.on('error', () => undefined)
    socket.on('close', () => setTimeout(open, dropMs, index))
    socket.write(kind.begin(index), 'latin1')
    // Otherwise the end of the connection would not be noticed.
    if (kind.name !== 'answer not read') socket.resume()
  }
  for (let index = 0; index < count; index++) open(index)
  const timer = setInterval(() => {
    for (const [index, socket] of sockets) {
      const drop = kind.drop(index)
      if (drop !== '' && socket.writable) socket.write(drop, 'latin1')
    }
  }, dropMs)
  return {
    stop: () => {
      isOver = true
      clearInterval(timer)
      for (const socket of sockets.values()) socket.destroy()
    },
  }
}
