import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { serverWith } from '../../../test/harness/floor.ts'
import { metricsRegistry } from '../../kernel/metrics.ts'
import type { ServerDeps } from '../server-deps.ts'

async function listening(overrides: Partial<ServerDeps>) {
  const metrics = metricsRegistry()
  const server = serverWith({ metrics, ...overrides })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  /** A connection that has been accepted, or closed without an answer. */
  const opened = async (): Promise<{ socket: Socket; isServed: boolean }> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write('GET /open HTTP/1.1\r\nHost: test\r\n\r\n')
    const isServed = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ])
    return { socket, isServed }
  }
  const metric = async (line: RegExp) => Number(line.exec(await metrics.text('prometheus'))?.[1])
  return { opened, metric }
}

describe('connections', () => {
  test('beyond the maximum of an address are closed unread, and one that ends makes room', async () => {
    const warnings: unknown[] = []
    const log = { info: () => undefined, error: () => undefined, warn: (fields: unknown) => void warnings.push(fields) }
    const { opened, metric } = await listening({ log, connections: { connectionsPerAddressMax: 2 } })
    const first = await opened()
    const all = [first, await opened(), await opened(), await opened()]
    assert.deepEqual(
      all.map(({ isServed }) => isServed),
      [true, true, false, false],
    )
    assert.equal(await metric(/^http_connections (\d+)$/m), 2)
    assert.equal(await metric(/^http_connections_refused_total\{limit="address"\} (\d+)$/m), 2)
    assert.deepEqual(warnings, [{ ip: '127.0.0.1' }])
    first.socket.destroy()
    let next = await opened()
    // The server learns of the end a moment later.
    while (!next.isServed) next = await opened()
    for (const { socket } of [...all, next]) socket.destroy()
  })

  test('of a trusted proxy are not counted by its address', async () => {
    for (const trustedProxies of [['127.0.0.1'], ['10.0.0.0/8', '127.0.0.0/8']]) {
      const { opened } = await listening({ trustedProxies, connections: { connectionsPerAddressMax: 1 } })
      const all = [await opened(), await opened(), await opened()]
      assert.ok(all.every(({ isServed }) => isServed))
      for (const { socket } of all) socket.destroy()
    }
  })

  test('beyond the maximum of the process are closed, those of trusted proxies too', async () => {
    const { opened, metric } = await listening({ trustedProxies: ['127.0.0.1'], connections: { connectionsMax: 2 } })
    const all = [await opened(), await opened(), await opened()]
    assert.deepEqual(
      all.map(({ isServed }) => isServed),
      [true, true, false],
    )
    assert.equal(await metric(/^http_connections_refused_total\{limit="process"\} (\d+)$/m), 1)
    for (const { socket } of all) socket.destroy()
  })
})
