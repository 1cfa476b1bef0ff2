import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { serverWith } from '../../test/harness/floor.ts'
import { StrictObject } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { open } from './access/access.ts'
import { ok } from './answer.ts'
import { type RawBody, route } from './route.ts'

const mebibyte = 1024 * 1024

/** Takes what `?who=somebody` sends, and throws away what anybody else does. */
function taking() {
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
  const server = serverWith({ routes: [taker] })
  const send = async (who: string, bytes: number) => {
    const headers = { 'content-type': 'application/json' }
    const url = `/bodies?who=${who}`
    const reply = await server.inject({ method: 'POST', url, headers, payload: Buffer.alloc(bytes, 'x') })
    return { status: reply.statusCode, bytes: reply.json().bytes, retryAfter: reply.headers['retry-after'] }
  }
  return { server, send, asked }
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
