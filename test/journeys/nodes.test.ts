// Several real processes over a PostgreSQL and a Redis of their own: with PostgreSQL alone, because the embedded database
// belongs to one process.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { unique } from '../harness/app.ts'
import { startBalancer } from '../harness/balancer.ts'
import { type Answer, ask, countStatuses, load, slowestMs } from '../harness/client.ts'
import { type Cluster, type ClusterNode, startCluster } from '../harness/cluster.ts'
import { type Customer, type CustomerOptions, makeCustomer } from '../harness/customer.ts'
import { consumeUnderKills } from '../harness/history.ts'
import { type PostgresServer, postgresMissing, startPostgresServer } from '../harness/postgres-server.ts'
import { startProxy, type TcpProxy } from '../harness/proxy.ts'
import { type RedisServer, redisMissing, startRedisServer } from '../harness/redis-server.ts'

const skip = process.env['ATRIUM_TEST_DATABASE'] === 'postgres' ? postgresMissing || redisMissing : 'of PostgreSQL'
const requestsMax = 1_000
// Not how long it takes (seconds), but how long a very busy machine may take.
const timeout = 180_000

describe('nodes with one database and one Redis', { skip }, () => {
  let server: PostgresServer
  let redis: RedisServer
  let proxy: TcpProxy
  let cluster: Cluster
  let nodes: ClusterNode[]

  // Four at once on an empty database: one of them migrates and the others wait.
  before(async () => {
    server = await startPostgresServer()
    redis = await startRedisServer()
    proxy = await startProxy(redis.url)
    const environment = {
      REDIS_URL: proxy.before(redis.url),
      RATE_LIMIT_MAX: String(requestsMax),
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: '1',
      DATABASE_POOL_MAX: '6',
    }
    cluster = await startCluster({ nodes: 4, databaseUrl: server.url, environment })
    nodes = cluster.nodes.slice(0, 3)
  })
  after(async () => {
    await cluster?.stop()
    await proxy?.close()
    await redis?.kill()
    await server?.stop()
  })

  const at = (index: number) => (nodes[index % nodes.length] as ClusterNode).base
  const customerOf = (options: Partial<CustomerOptions> = {}) =>
    makeCustomer({ base: at(0), admin: cluster.admin, ...options })
  const onEach = (work: (base: string) => Promise<Answer>) => Promise.all(nodes.map(({ base }) => work(base)))
  const codes = (answers: Answer[]) => answers.map(({ status, body }) => body?.code ?? status)

  /** Asks every node until all give this status; fails after the 2 s that a change may take to be seen. */
  async function seenByAll(status: number, work: (base: string) => Promise<Answer>): Promise<void> {
    const startedAt = performance.now()
    for (;;) {
      // From when it is asked: on a busy machine the answers themselves take long.
      const askedAfterMs = performance.now() - startedAt
      const answers = await onEach(work)
      if (answers.every((answer) => answer.status === status)) return
      assert.ok(askedAfterMs < 2_000, `after 2 s: ${codes(answers)}`)
      await delay(25)
    }
  }

  test('start together on an empty database, and all are well', async () => {
    const answers = await Promise.all(cluster.nodes.map(({ base }) => ask({ url: `${base}/health` })))
    assert.deepEqual(codes(answers), Array(4).fill(200))
    await Promise.all(cluster.nodes.slice(3).map((node) => node.stop('SIGKILL')))
  })

  test('see a revoked key and a suspended tenant within two seconds, wherever it was done', async () => {
    const [revoked, suspended] = [await customerOf(), await customerOf()]
    for (const { validate } of [revoked, suspended])
      assert.deepEqual(codes(await onEach(validate)), ['VALID', 'VALID', 'VALID'])
    const changed = await Promise.all([
      ask({
        url: `${at(0)}/admin/tenants/${revoked.tenantId}/api-keys/${revoked.apiKeyId}`,
        method: 'DELETE',
        headers: cluster.admin,
      }),
      ask({
        url: `${at(0)}/admin/tenants/${suspended.tenantId}`,
        method: 'PATCH',
        headers: cluster.admin,
        body: { status: 'SUSPENDED' },
      }),
    ])
    assert.ok(
      changed.every(({ status }) => status < 300),
      JSON.stringify(changed.map(({ body }) => body)),
    )
    await Promise.all([seenByAll(401, revoked.validate), seenByAll(403, suspended.validate)])
  })

  test('do once what is sent to all of them with one Idempotency-Key', async () => {
    const customer = await customerOf()
    const racing = await Promise.all(Array.from({ length: 30 }, (_, index) => customer.consume(at(index), 'one-key')))
    assert.ok(racing.every(({ status, body }) => status === 200 || body.code === 'IDEMPOTENCY_IN_PROGRESS'))
    const later = await onEach((base) => customer.consume(base, 'one-key'))
    for (const { status, body, headers } of later) {
      assert.deepEqual([status, body.usesRemaining, headers['idempotent-replayed']], [200, 999_999, 'true'])
    }
    assert.equal((await customer.consume(at(0))).body.usesRemaining, 999_998)
  })

  test('give one successor to a refresh token that is sent to all of them', async () => {
    const { headers } = await customerOf()
    const account = { email: `${unique('u')}@example.com`, password: 'plum-Kayak-73-otter' }
    const post = (path: string, body: object) => (base: string) =>
      ask({ url: `${base}/vault/v1/auth/${path}`, method: 'POST', headers, body })
    const { body } = await post('register', account)(at(0))
    const answers = await onEach(post('refresh', { refreshToken: body.refreshToken }))
    assert.deepEqual(codes(answers), [200, 200, 200])
    assert.equal(new Set(answers.map((answer) => answer.body.refreshToken)).size, 1)
  })

  test('admit exactly the limit on one of them, and together no more', { timeout }, async (t) => {
    assert.equal(await admitted(false, 12), requestsMax)
    await untilRedisIsBack()
    // Fewer at once each time, until the machine is not so busy with them that Redis seems away.
    for (const callers of [12, 8, 5, 3, 2, 1]) {
      const awayBefore = said('Redis is away')
      const together = await admitted(true, callers)
      if (said('Redis is away') === awayBefore) {
        assert.ok(together >= requestsMax && together <= requestsMax * 1.01, `${together} admitted`)
        return
      }
      t.diagnostic(`${together} admitted: this machine is so busy that Redis seemed away`)
      await untilRedisIsBack()
    }
    assert.fail('Redis seemed away each time: nothing was seen of what they admit together')
  })

  /** Of 1,100 requests with one key, so many were not refused. */
  async function admitted(isSpread: boolean, callers: number): Promise<number> {
    const customer = await customerOf({ requestsPerWindow: null })
    const answers: Answer[] = []
    let started = 0
    const caller = async () => {
      while (started++ < requestsMax + 100) answers.push(await customer.validate(at(isSpread ? started : 0)))
    }
    await Promise.all(Array.from({ length: callers }, caller))
    const counts = countStatuses(answers)
    assert.equal((counts[200] ?? 0) + (counts[429] ?? 0), answers.length, JSON.stringify(counts))
    return counts[200] ?? 0
  }

  const said = (words: string) => nodes.reduce((count, node) => count + node.output().split(words).length - 1, 0)

  /** Until each node has found it again. */
  async function untilRedisIsBack(): Promise<void> {
    const deadline = Date.now() + 40_000
    const customer = await customerOf()
    const isAway = ({ output }: ClusterNode) =>
      output().split('Redis is away').length > output().split('Redis is back').length
    while (nodes.some(isAway)) {
      assert.ok(Date.now() < deadline, 'Redis was not found again')
      await onEach(customer.validate)
      await delay(100)
    }
  }

  describe('whose Redis', () => {
    let limited: Customer
    /** Each fault meets a bucket of its own: 20 requests to one node, of which 10 are admitted, all of them soon. */
    async function assertStillLimited(what: string): Promise<void> {
      limited = await customerOf({ requestsPerWindow: 10 })
      const answers = await Promise.all(Array.from({ length: 20 }, () => limited.validate(at(0))))
      assert.deepEqual(countStatuses(answers), { 200: 10, 429: 10 }, what)
      assert.ok(slowestMs(answers) < 1_500, `${what}: ${slowestMs(answers)} ms`)
    }

    test('is cut off, silent or gone, go on to limit each for itself, and find it again', { timeout }, async () => {
      for (const fault of ['reset', 'swallow', 'refuse'] as const) {
        await proxy.set(fault)
        await assertStillLimited(fault)
        await proxy.set('pass')
        await untilRedisIsBack()
      }
    })

    test('forgets everything or takes no writes, still limit', { timeout }, async () => {
      const direct = await createClient({ url: redis.url }).connect()
      try {
        await direct.flushAll()
        await assertStillLimited('emptied')
        await direct.sendCommand(['REPLICAOF', '127.0.0.1', '1'])
        await assertStillLimited('read-only')
        await direct.sendCommand(['REPLICAOF', 'NO', 'ONE'])
        await untilRedisIsBack()
      } finally {
        direct.destroy()
      }
    })
  })

  test('are restarted one after another behind a balancer, and no request fails', { timeout }, async (t) => {
    const balancer = await startBalancer(nodes)
    t.after(() => balancer.close())
    const customer = await customerOf()
    const callers = load(6, async (caller) => {
      await delay(25)
      return caller % 3 === 0 ? customer.consume(balancer.base) : customer.validate(balancer.base)
    })
    for (const node of nodes) {
      assert.equal(await node.stop('SIGTERM'), 0, node.output())
      await node.start()
      await balancer.probe() // it must see this one before the next one leaves
    }
    const answers = await callers.stop()
    const failed = answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body])
    assert.deepEqual(failed, [])
    assert.ok(answers.length > 100)
  })

  test('of which one is killed each second give out exactly the uses there are to callers that repeat with their key', {
    timeout,
  }, async () => {
    const seen = await consumeUnderKills({ cluster: { ...cluster, nodes }, uses: 80, callers: 300, hasKeys: true })
    const { acknowledged, refused, used, listed, kills } = seen
    assert.deepEqual({ acknowledged, refused, used, listed }, { acknowledged: 80, refused: 220, used: 80, listed: 80 })
    assert.ok(kills >= 1, JSON.stringify(seen))
  })

  test('of which one is killed each second lose no use that was acknowledged and give out none too many', {
    timeout,
  }, async () => {
    const seen = await consumeUnderKills({ cluster: { ...cluster, nodes }, uses: 80, callers: 240, hasKeys: false })
    const { acknowledged, unknown, used, listed } = seen
    assert.ok(acknowledged <= used && used <= acknowledged + unknown && used <= 80, JSON.stringify(seen))
    assert.equal(listed, used)
  })
})
