import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { testClock } from '../../test/harness/clock.ts'
import { floorTenantId, serverWith } from '../../test/harness/floor.ts'
import { metricsRegistry } from '../kernel/metrics.ts'
import { Refusal } from '../kernel/refusal.ts'
import { openLog } from '../log.ts'
import { open } from './access/access.ts'
import { ok } from './answer.ts'
import { route } from './route.ts'
import type { ServerDeps } from './server-deps.ts'

const quiet = { slowMs: Number.POSITIVE_INFINITY, sampleOneOf: 0 }

/** A server that writes its log into a list. */
function logged(overrides: Partial<ServerDeps> = {}) {
  let text = ''
  const write = (chunk: string) => {
    text += chunk
  }
  const server = serverWith({ log: openLog('info', { write }), requestLog: quiet, ...overrides })
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  return { server, lines, text: () => text }
}

describe('the request log', () => {
  test('a fault of ours is one line with its error, its route and its caller, and nothing of what was sent', async () => {
    const { server, lines, text } = logged({ requestLog: { slowMs: 0, sampleOneOf: 1 } })
    await server.inject({
      url: '/broken?token=opensesame',
      headers: { 'x-request-id': 'request-4711', cookie: 'opensesame' },
    })
    const [line, ...others] = lines()
    assert.deepEqual(others, [])
    const { time, durationMs, err, ...fields } = line
    assert.ok(time && durationMs >= 0 && err.stack.includes('floor.ts'))
    assert.deepEqual(fields, {
      level: 'error',
      requestId: 'request-4711',
      method: 'GET',
      route: '/broken',
      status: 500,
      caller: 'open',
      ip: '127.0.0.1',
      msg: 'a request failed',
    })
    assert.ok(!text().includes('opensesame'))
  })

  test('what callers do wrong is not logged one by one', async () => {
    const { server, lines } = logged()
    for (const url of ['/nowhere', '/admin', '/keyed', '/%zz']) {
      assert.ok((await server.inject({ url })).statusCode >= 400)
    }
    assert.deepEqual(lines(), [])
  })

  test('a slow request is one line, with who asked by id and never by key', async () => {
    const { server, lines, text } = logged({ requestLog: { slowMs: 0, sampleOneOf: 1 } })
    await server.inject({ url: '/keyed', headers: { 'x-api-key': 'key-of-somebody' } })
    await server.inject({ url: '/admin', headers: { 'x-admin-key': 'right' } })
    await server.inject({ url: '/open' })
    const told = lines().map(({ level, msg, route, caller, callerId, tenantId, status, bytes }) => {
      return { level, msg, route, caller, callerId, tenantId, status, bytes }
    })
    const slow = { level: 'warn', msg: 'slow request', callerId: undefined, tenantId: undefined, bytes: undefined }
    assert.deepEqual(told, [
      // In these tests a key's id is its text.
      {
        ...slow,
        route: '/keyed',
        caller: 'tenantKey',
        callerId: 'key-of-somebody',
        tenantId: floorTenantId,
        status: 204,
      },
      { ...slow, route: '/admin', caller: 'admin', callerId: null, status: 204 },
      { ...slow, route: '/open', caller: 'open', status: 200, bytes: 15 },
    ])
    assert.ok(!text().includes('right'))
  })

  test('one of n requests is logged, failed or not', async () => {
    const { server, lines } = logged({ requestLog: { ...quiet, sampleOneOf: 3 } })
    for (let count = 0; count < 9; count++) await server.inject({ url: count < 6 ? '/open' : '/nowhere' })
    assert.deepEqual(
      lines().map(({ level, msg, route, status }) => [level, msg, route, status]),
      [
        ['info', 'request', '/open', 200],
        ['info', 'request', '/open', 200],
        ['info', 'request', 'unknown', 404],
      ],
    )
  })

  test('an outage is one line a second, however many it refuses, and the other kinds go on', async () => {
    const { server, lines } = logged({ routes: [away], requestLog: { slowMs: 0, sampleOneOf: 1 } })
    for (let count = 0; count < 20; count++) assert.equal((await server.inject({ url: '/away' })).statusCode, 503)
    assert.deepEqual(
      lines().map(({ level, msg, status }) => [level, msg, status]),
      [['warn', 'requests are refused as unavailable', 503]],
    )
  })

  test('an outage is told of again a second later, and at once when the clock was set back', async () => {
    const clock = testClock()
    const { server, lines } = logged({ routes: [away], clock })
    const told = async (seconds: number) => {
      clock.advance({ seconds })
      const before = lines().length
      await server.inject({ url: '/away' })
      return lines().length - before
    }
    assert.deepEqual([await told(0), await told(0.9), await told(0.1)], [1, 0, 1])
    assert.deepEqual([await told(-24 * 3600), await told(0.9), await told(0.1)], [1, 0, 1])
  })

  test('nothing that is sent breaks a line or takes part in one', async () => {
    const { server, lines, text } = logged({ requestLog: { slowMs: 0, sampleOneOf: 1 } })
    const hostile = ['%0d%0a{"level":"fatal"}', '%1b[31mcrimson', 'a%22b', '%5c', '%c3%bf']
    for (const part of hostile) {
      const raw = decodeURIComponent(part)
      const headers = Object.fromEntries(
        [
          'x-api-key',
          'x-admin-key',
          'authorization',
          'x-request-id',
          'user-agent',
          'accept',
          'cookie',
          'x-forwarded-for',
        ].map((name) => [name, raw]),
      )
      await server.inject({ url: `/${part}?${part}=${part}`, headers })
      await server.inject({ url: '/broken', headers })
    }
    assert.equal(lines().length, 2 * hostile.length)
    assert.doesNotMatch(text(), /fatal|crimson|ÿ|\\u001b/)
  })
})

const away = route({
  method: 'GET',
  path: '/away',
  name: 'away',
  tag: 'Utility',
  summary: 's',
  access: open('test'),
  answers: { 204: null },
  handle: async () => {
    throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
  },
})

test('a caller who leaves before the answer is counted, and no request stays in flight', async () => {
  const metrics = metricsRegistry()
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const patient = route({
    method: 'GET',
    path: '/held',
    name: 'held',
    tag: 'Utility',
    summary: 's',
    access: open('test'),
    answers: { 200: { type: 'object', properties: {} } as never },
    handle: async () => {
      begun.resolve()
      await held.promise
      return ok({} as never)
    },
  })
  const { server, lines } = logged({ metrics, routes: [patient], requestLog: { ...quiet, sampleOneOf: 1 } })
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n')
  await begun.promise
  assert.match(await metrics.text('prometheus'), /^http_requests_in_flight 1$/m)
  socket.destroy()
  while (!/in_flight 0$/m.test(await metrics.text('prometheus'))) await new Promise(setImmediate)
  held.resolve()
  assert.match(await metrics.text('prometheus'), /^http_requests_total\{method="GET",route="\/held",status="499"\} 1$/m)
  assert.deepEqual(
    lines().map(({ status }) => status),
    [499],
  )
})

test('a caller who leaves in the middle of a body is no fault of ours: nothing is told of an outage', async () => {
  const metrics = metricsRegistry()
  const { server, lines } = logged({ metrics })
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  const head = ['POST /things HTTP/1.1', 'Host: x', 'X-API-Key: key-of-somebody', 'Content-Type: application/json']
  socket.write([...head, 'Content-Length: 100', '', '{"na'].join('\r\n'))
  while (!/in_flight 1$/m.test(await metrics.text('prometheus'))) await new Promise(setImmediate)
  socket.resetAndDestroy()
  while (!/in_flight 0$/m.test(await metrics.text('prometheus'))) await new Promise(setImmediate)
  const counted = /^http_requests_total\{method="POST",route="\/things",status="(\d+)"\} 1$/m
  assert.match(counted.exec(await metrics.text('prometheus'))?.[1] ?? 'none', /^4\d\d$/)
  assert.deepEqual(lines(), [])
})
