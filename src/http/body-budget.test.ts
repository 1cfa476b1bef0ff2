import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { serverWith } from '../../test/harness/floor.ts'
import { metricsRegistry } from '../kernel/metrics.ts'
import { StrictObject } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { open, optionalTenantKey } from './access/access.ts'
import { noContent, ok } from './answer.ts'
import { type RawBody, route } from './route.ts'
import type { ServerDeps } from './server-deps.ts'

const mebibyte = 1024 * 1024

/** Takes what `?who=somebody` sends, and throws away what anybody else does. */
function taking(overrides: Partial<ServerDeps> = {}) {
  const asked: string[] = []
  const taker = route({
    method: 'POST',
    path: '/bodies',
    name: 'takeBody',
    tag: 'Utility',
    summary: 's',
    access: open('test'),
    query: StrictObject({ who: Type.Optional(Type.String({ examples: ['somebody'] })) }),
    rawBody: {
      examples: { 'application/json': {} },
      bytesMax: 30 * mebibyte,
      bodyLimitFor: async ({ query }) => {
        asked.push(String(query['who']))
        return { bytesMax: 25 * mebibyte, isKept: query['who'] === 'somebody' }
      },
    },
    answers: { 200: StrictObject({ bytes: Type.Integer({ examples: [1] }) }) },
    handle: async ({ raw }) => ok({ bytes: (raw as RawBody).bytes.length }),
  })
  const metrics = metricsRegistry()
  const server = serverWith({ routes: [taker], metrics, trustedProxies: ['127.0.0.1'], ...overrides })
  const send = async (who: string, bytes: number) => {
    const headers = { 'content-type': 'application/json' }
    const url = `/bodies?who=${who}`
    const reply = await server.inject({ method: 'POST', url, headers, payload: Buffer.alloc(bytes, 'x') })
    return { status: reply.statusCode, bytes: reply.json().bytes, retryAfter: reply.headers['retry-after'] }
  }
  /** Sends only the beginning of a body. `answer` resolves with all that was answered when the connection ends. */
  const begin = (body: { from: string; bytes: number | 'unannounced'; sent: number; who?: string }) => {
    const { port } = server.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    const head = [
      `POST /bodies?who=${body.who ?? 'nobody'} HTTP/1.1`,
      'Host: test',
      'Content-Type: application/json',
      `X-Forwarded-For: ${body.from}`,
      body.bytes === 'unannounced' ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.bytes}`,
    ]
    socket.on('error', () => undefined).write(`${head.join('\r\n')}\r\n\r\n`)
    if (body.bytes === 'unannounced') socket.write(`${body.sent.toString(16)}\r\n`)
    socket.write(Buffer.alloc(body.sent, 'x'))
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    return { socket, answer: once(socket, 'close').then(() => text) }
  }
  const heldBytes = async (of = 'strangers') =>
    Number(new RegExp(`^http_body_bytes_held\\{of="${of}"\\} (\\d+)$`, 'm').exec(await metrics.text('prometheus'))?.[1])
  return { server, send, asked, begin, heldBytes }
}

describe('large bodies', () => {
  test('a large body is taken whole of whom the route knows, and none of it is kept of anybody else', async () => {
    const { send, asked } = taking()
    assert.deepEqual(await send('nobody', mebibyte), { status: 200, bytes: mebibyte, retryAfter: undefined })
    assert.deepEqual(asked, [])
    assert.equal((await send('somebody', 2 * mebibyte)).bytes, 2 * mebibyte)
    assert.equal((await send('nobody', 2 * mebibyte)).bytes, 0)
    assert.equal((await send('somebody', 25 * mebibyte + 1)).status, 413)
  })

  test('no more large bodies are held at the same time than there is room for, and those that end make room', async () => {
    const { server, send, asked } = taking()
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as AddressInfo
    const announced = 25 * mebibyte
    const sockets = Array.from({ length: 4 }, () => {
      const socket = connect(port, '127.0.0.1')
      const head = `POST /bodies?who=somebody HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n`
      socket.on('error', () => undefined).write(`${head}Content-Length: ${announced}\r\n\r\nx`)
      return socket
    })
    while (asked.length < sockets.length) await setImmediate()
    assert.deepEqual(await send('somebody', announced), { status: 503, bytes: undefined, retryAfter: '5' })
    assert.equal((await send('nobody', announced)).status, 200)
    assert.equal((await send('somebody', mebibyte)).status, 200)
    for (const socket of sockets) {
      socket.destroy()
      await once(socket, 'close')
    }
    while ((await send('somebody', 4 * mebibyte)).status !== 200) await setImmediate()
    assert.equal((await send('somebody', announced)).bytes, announced)
  })
})

describe('a body that does not come', () => {
  const hasty = { bodies: { patienceMs: 60, checkMs: 10 } }

  test('is given up, small or large, and its memory and connection are free again', async () => {
    const { server, begin, heldBytes } = taking(hasty)
    await server.listen({ host: '127.0.0.1', port: 0 })
    for (const bytes of [100, 60_000, mebibyte]) {
      const { answer } = begin({ from: '198.51.100.1', bytes, sent: bytes - 6 })
      assert.match(await answer, /^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*"code":"REQUEST_TIMEOUT"/)
    }
    while ((await heldBytes()) > 0) await setImmediate()
  })
})

test('an address that fills the memory for bodies gives way to others, and is refused itself', async () => {
  const { server, begin, heldBytes } = taking({ bodies: { strangersBytesMax: 4 * mebibyte + 50_000 } })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const stopped = Array.from({ length: 4 }, () => begin({ from: '198.51.100.1', bytes: mebibyte, sent: 10 }))
  while ((await heldBytes()) < 4 * mebibyte) await setImmediate()
  // It gets the answer although nobody reads what it goes on to send.
  const refused = begin({ from: '198.51.100.1', bytes: mebibyte, sent: mebibyte - 6 })
  assert.match(String((await once(refused.socket, 'data'))[0]), /^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n/)
  const honest = begin({ from: '198.51.100.2', bytes: 100_000, sent: 100_000 })
  assert.match(String((await once(honest.socket, 'data'))[0]), /^HTTP\/1\.1 200 /)
  assert.match(await Promise.race(stopped.map(({ answer }) => answer)), /^HTTP\/1\.1 503 [\s\S]*"code":"UNAVAILABLE"/)
  for (const { socket } of [honest, refused, ...stopped]) socket.destroy()
})

test('a body that does not announce its size takes room for 1 MiB until it is there', async () => {
  const { server, begin, heldBytes } = taking()
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { socket } = begin({ from: '198.51.100.1', bytes: 'unannounced', sent: 100_000, who: 'somebody' })
  while ((await heldBytes('known')) !== mebibyte) await setImmediate()
  socket.write('\r\n0\r\n\r\n')
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /)
  while ((await heldBytes('known')) !== 0) await setImmediate()
  socket.destroy()
})

const keyed = route({
  method: 'POST',
  path: '/keyed-bodies',
  name: 'takeKeyedBody',
  tag: 'Utility',
  summary: 's',
  access: optionalTenantKey(),
  body: StrictObject({ name: Type.String({ examples: ['a'] }) }),
  answers: { 204: null },
  handle: async () => noContent(),
})

test('a body that is larger than the route takes is 413, also where there is no room for it', async () => {
  const server = serverWith({ routes: [keyed], bodies: { strangersBytesMax: mebibyte } })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  for (const bytes of [300_000, 40 * mebibyte]) {
    const socket = connect(port, '127.0.0.1')
    const head = 'POST /keyed-bodies HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n'
    socket.on('error', () => undefined).write(`${head}Content-Length: ${bytes}\r\n\r\n{`)
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 413 /)
    socket.destroy()
  }
})

test('who sends without a credential is a stranger, also where a key is optional', async () => {
  const metrics = metricsRegistry()
  const server = serverWith({ routes: [keyed], metrics })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  for (const [key, of] of [
    ['', 'strangers'],
    ['X-API-Key: key-a\r\n', 'known'],
  ]) {
    const socket = connect(port, '127.0.0.1')
    const head = `POST /keyed-bodies HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n${key}`
    socket.on('error', () => undefined).write(`${head}Content-Length: 1000\r\n\r\n{`)
    const held = new RegExp(`^http_body_bytes_held\\{of="${of}"\\} 1000$`, 'm')
    while (!held.test(await metrics.text('prometheus'))) await setImmediate()
    socket.destroy()
  }
})
