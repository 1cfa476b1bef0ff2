import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { changes } from '../../../test/harness/changes.ts'
import { startProxy } from '../../../test/harness/proxy.ts'
import { type RedisServer, redisMissing, startRedisServer } from '../../../test/harness/redis-server.ts'
import { openRedis, type Redis, type RedisCall } from '../../storage/redis.ts'
import { memoryRateCounter, type RateCounter } from './rate-limit.ts'
import { sharedRateCounter } from './shared-rate-counter.ts'

const windowSeconds = 900
const start = new Date('2026-11-21T12:00:00Z')
// For the tests of what is counted: a busy machine must not look like a Redis that is away.
const patient = { answerMsMax: 20_000, patienceMs: 20_000 }
type Patience = { answerMsMax?: number; patienceMs?: number }

const after = (seconds: number) => new Date(start.getTime() + seconds * 1000)

/** A node as far as limits go; `said` is what it logged. */
async function nodeOn(t: TestContext, url: string, { answerMsMax, patienceMs }: Patience = {}) {
  const redis = await openRedis(answerMsMax === undefined ? { url } : { url, answerMsMax })
  t.after(() => redis.close())
  return { ...nodeWith(redis, patienceMs), redis }
}

function nodeWith(redis: Pick<Redis, 'evaluate'>, patienceMs?: number) {
  const said: string[] = []
  const { changed, until } = changes()
  const write = (_fields: Record<string, unknown>, message: string) => {
    said.push(message.slice(0, 13))
    changed()
  }
  const settings = { redis, windowSeconds, ...(patienceMs === undefined ? {} : { patienceMs }) }
  return { counter: sharedRateCounter({ ...settings, log: { info: write, warn: write } }), said, until }
}

async function serverFor(t: TestContext): Promise<RedisServer> {
  const server = await startRedisServer()
  t.after(() => server.kill())
  return server
}

/** How many of so many parallel requests were admitted. */
async function admitted(counters: RateCounter[], requests: number, limit: number, now = start): Promise<number> {
  const verdicts = await Promise.all(
    Array.from({ length: requests }, (_, index) => counters[index % counters.length]?.take('a', limit, now)),
  )
  return verdicts.filter((verdict) => verdict?.isAllowed).length
}

describe('rate limits in Redis', { skip: redisMissing }, () => {
  test('two nodes together admit exactly the limit of 200 parallel requests', async (t) => {
    const { url } = await serverFor(t)
    const nodes = [await nodeOn(t, url, patient), await nodeOn(t, url, patient)]
    const counters = nodes.map(({ counter }) => counter)
    assert.equal(await admitted(counters, 200, 101), 101)
    for (const counter of counters) assert.equal((await counter.peek('a', 101, start)).remaining, 0)
    assert.equal((await counters[0]?.peek('b', 101, start))?.remaining, 101, 'another bucket is untouched')
    assert.deepEqual(
      nodes.map(({ said }) => said),
      [[], []],
    )
  })

  test('any row of requests gets the same verdicts as on one node in memory', async (t) => {
    const { url } = await serverFor(t)
    const nodes = [await nodeOn(t, url, patient), await nodeOn(t, url, patient)]
    let run = 0
    const request = fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400_000 })),
      node: fc.constantFrom(0, 1),
      asks: fc.constantFrom('take', 'take', 'take', 'peek'),
      limit: fc.integer({ min: 1, max: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 40 }), async (requests) => {
        const bucket = `run-${run++}`
        const memory = memoryRateCounter(windowSeconds)
        let nowMs = start.getTime()
        for (const { waitMs, node, asks, limit } of requests) {
          nowMs += waitMs
          const expected = await memory[asks](bucket, limit, new Date(nowMs))
          assert.deepEqual(await nodes[node]?.counter[asks](bucket, limit, new Date(nowMs)), expected)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('a count is kept for two windows and then forgotten', async (t) => {
    const { url } = await serverFor(t)
    const { counter, redis } = await nodeOn(t, url, patient)
    await counter.take('a', 10, start)
    await counter.take('a', 10, start)
    const index = start.getTime() / 1000 / windowSeconds
    const script = `return {redis.call('DBSIZE'), tonumber(redis.call('GET', KEYS[1])), redis.call('TTL', KEYS[1])}`
    const answer = (await redis.evaluate({ script, keys: [`atrium:rate:a:${index}`], args: [] })) as number[]
    assert.deepEqual(answer.slice(0, 2), [1, 2])
    const [, , seconds = 0] = answer
    assert.ok(seconds > windowSeconds && seconds <= 2 * windowSeconds, String(seconds))
  })

  test('limits go on from where they were when Redis is killed, and are shared again when it is back, which is said once each', async (t) => {
    const first = await serverFor(t)
    const [one, two] = [await nodeOn(t, first.url, patient), await nodeOn(t, first.url, patient)]
    assert.equal(await admitted([one.counter, two.counter], 10, 5), 5)

    await first.kill()
    assert.equal(await admitted([one.counter], 50, 8, after(1)), 3)
    assert.equal(await admitted([one.counter], 50, 8, after(1.5)), 0)
    assert.deepEqual(one.said, ['Redis is away'])

    const second = await startRedisServer(Number(new URL(first.url).port))
    t.after(() => second.kill())
    assert.equal((await one.counter.peek('a', 8, after(3))).remaining, 0, 'Redis has lost its counts, the node has not')
    assert.deepEqual(one.said, ['Redis is away', 'Redis is back'])
    assert.equal(await admitted([two.counter], 2, 8, after(3)), 2)
    assert.equal((await one.counter.peek('a', 11, after(3))).remaining, 3)
    assert.equal(await admitted([two.counter], 50, 8, after(3)), 1)
    assert.deepEqual(two.said, [], 'it met no Redis that was away')
  })

  test('a Redis that falls silent in the middle holds up no request, and is used again when it answers', async (t) => {
    const server = await serverFor(t)
    const { counter, said, until } = await nodeOn(t, server.url)
    await untilShared(server.url, counter)
    said.length = 0

    server.freeze()
    assert.equal(await admitted([counter], 50, 5, after(10)), 5)
    await until(() => said.length > 0)
    assert.equal(await admitted([counter], 50, 5, after(20)), 0, 'a new connection is not answered either')
    assert.deepEqual(said, ['Redis is away'])

    server.thaw()
    await untilShared(server.url, counter)
    assert.deepEqual(said, ['Redis is away', 'Redis is back'])
  })

  test('one that is slow holds up no request for long, is not taken for one that is away, and counts for all', async (t) => {
    const server = await serverFor(t)
    const proxy = await startProxy(server.url)
    t.after(() => proxy.close())
    const far = await nodeOn(t, proxy.before(server.url), { answerMsMax: patient.answerMsMax })
    const near = await nodeOn(t, server.url, patient)
    const left = async ({ counter }: { counter: RateCounter }) => (await counter.peek('a', 5, start)).remaining
    proxy.delay(1000)
    assert.equal(await admitted([far.counter], 3, 5), 3)
    assert.equal(await left(near), 5, 'decided before Redis knew')
    while ((await left(near)) > 2) await delay(10)
    assert.equal(await admitted([near.counter], 1, 5), 1)
    proxy.delay(0)
    while ((await left(far)) > 1) await delay(10)
    assert.deepEqual(far.said, [], 'it was there all the time')
  })

  test('a node that starts without Redis limits in memory and finds it later', async (t) => {
    const server = await serverFor(t)
    await server.kill()
    const { counter, said } = await nodeOn(t, server.url, patient)
    assert.equal(await admitted([counter], 50, 5), 5)

    const later = await startRedisServer(Number(new URL(server.url).port))
    t.after(() => later.kill())
    assert.equal((await counter.take('b', 5, after(2))).remaining, 4)
    assert.deepEqual(said, ['Redis is away', 'Redis is back'])
  })
})

/** Asks at moments a second apart until the counts are seen by another node. */
async function untilShared(url: string, counter: RateCounter): Promise<void> {
  const observer = await openRedis({ url, ...patient })
  for (let second = 30; ; second++) {
    await counter.take('shared', 1_000_000, after(second))
    const script = "return #redis.call('KEYS', 'atrium:rate:shared:*')"
    if ((await observer.evaluate({ script, keys: [], args: [] })) !== 0) break
    assert.ok(second < 630, 'Redis was never asked again')
  }
  await observer.evaluate({ script: "return redis.call('FLUSHALL')", keys: [], args: [] })
  observer.close()
}

test('a Redis that accepts connections and never answers holds up neither the start nor a request', async (t) => {
  const sockets: Socket[] = []
  const hole = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(hole, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    hole.close()
  })
  const { counter, said, until } = await nodeOn(t, `redis://127.0.0.1:${(hole.address() as AddressInfo).port}`)
  assert.equal(await admitted([counter], 50, 5), 5)
  assert.equal(await admitted([counter], 50, 5, after(2)), 0)
  await until(() => said.length > 0)
  assert.deepEqual(said, ['Redis is away'])
})

describe('while Redis is away', () => {
  function failing() {
    const calls: { settle: PromiseWithResolvers<unknown>; call: RedisCall }[] = []
    const redis: Pick<Redis, 'evaluate'> = {
      evaluate: (call) => {
        const settle = Promise.withResolvers<unknown>()
        calls.push({ settle, call })
        return settle.promise
      },
    }
    return { redis, calls, ...nodeWith(redis) }
  }

  test('only one request a second asks for it, and the others do not wait for that one', async () => {
    const { calls, counter } = failing()
    const first = counter.take('a', 5, start)
    calls[0]?.settle.reject(new Error('gone'))
    assert.equal((await first).remaining, 4)

    assert.equal((await counter.take('a', 5, after(0.999))).remaining, 3)
    assert.equal(calls.length, 1)
    const probe = counter.take('a', 5, after(1))
    assert.equal((await counter.take('a', 5, after(1))).remaining, 2)
    assert.equal(calls.length, 2)
    calls[1]?.settle.resolve([0, 0])
    assert.equal((await probe).remaining, 1, 'what was admitted meanwhile is remembered')
    void counter.take('a', 5, after(1))
    assert.equal(calls.length, 3)
  })

  test('a clock that is set back does not keep the node from asking again', async () => {
    const { calls, counter } = failing()
    const first = counter.take('a', 5, start)
    calls[0]?.settle.reject(new Error('gone'))
    await first
    void counter.take('a', 5, after(-3600))
    assert.equal(calls.length, 2)
  })

  test('a Redis that comes and goes with each request admits no more than one that stays', async () => {
    const { calls, counter } = failing()
    let allowed = 0
    for (let second = 0, counted = 0; second < 50; second++) {
      const taken = counter.take('a', 20, after(2 * second))
      if (second % 2 === 0) calls.at(-1)?.settle.reject(new Error('gone'))
      else calls.at(-1)?.settle.resolve([counted++, 0])
      if ((await taken).isAllowed) allowed++
    }
    assert.equal(allowed, 20)
  })

  test('an answer that is no count is a Redis that is away', async () => {
    for (const answer of [null, 'OK', [], ['1', '0'], [1]]) {
      const { calls, counter, said } = failing()
      const first = counter.take('a', 1, start)
      calls[0]?.settle.resolve(answer)
      assert.equal((await first).isAllowed, true)
      assert.equal((await counter.take('a', 1, start)).isAllowed, false)
      assert.deepEqual(said, ['Redis is away'])
    }
  })
})
