// Real processes before a PostgreSQL of their own whose network breaks. Nothing of this depends on which database the
// suite runs on, so it runs once, with PostgreSQL.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Answer, ask, countStatuses, load, slowestMs } from '../harness/client.ts'
import { type Cluster, type ClusterNode, startCluster } from '../harness/cluster.ts'
import { type Customer, makeCustomer } from '../harness/customer.ts'
import { type PostgresServer, postgresMissing, startPostgresServer } from '../harness/postgres-server.ts'
import { startProxy, type TcpProxy } from '../harness/proxy.ts'

const skip = process.env['ATRIUM_TEST_DATABASE'] === 'postgres' ? postgresMissing : 'of PostgreSQL'
// What the pool allows a question (6 s), and a machine that is busy with other things.
const answerMsMax = 9_000
// Whoever waits for a connection waits for 3 s. What needs none takes far less, also on a machine that is busy.
const unwaitedMsMax = 2_800
const poolMax = 4

describe('while its database', { skip }, () => {
  let server: PostgresServer
  let proxy: TcpProxy
  let cluster: Cluster
  let node: ClusterNode
  let customer: Customer

  before(async () => {
    server = await startPostgresServer()
    proxy = await startProxy(server.url)
    const environment = { DATABASE_POOL_MAX: String(poolMax), LOG_LEVEL: 'silent' }
    cluster = await startCluster({ nodes: 1, databaseUrl: proxy.before(server.url), environment })
    node = cluster.nodes[0] as ClusterNode
    customer = await makeCustomer({ base: node.base, admin: cluster.admin })
  })
  after(async () => {
    await cluster?.stop()
    await proxy?.close()
    await server?.stop()
  })

  const health = () => ask({ url: `${node.base}/health` })
  const live = () => ask({ url: `${node.base}/health/live` })
  const mixed = (caller: number) => (caller % 2 === 0 ? customer.validate(node.base) : customer.consume(node.base))

  /** Reads and writes of 20 callers during `work` and until all is well again; then what they were answered. */
  async function underLoad(work: () => Promise<void>): Promise<Answer[]> {
    const callers = load(20, mixed)
    await delay(200)
    await work()
    await untilWell()
    return callers.stop()
  }

  async function untilWell(): Promise<void> {
    const deadline = Date.now() + 15_000
    while ((await health()).status !== 200 || (await customer.consume(node.base)).status !== 200) {
      assert.ok(Date.now() < deadline, 'it did not recover')
      await delay(50)
    }
  }

  function assertOnlyUnavailable(answers: Answer[]): void {
    const statuses = Object.keys(countStatuses(answers)).map(Number)
    assert.deepEqual(statuses, [200, 503], JSON.stringify(countStatuses(answers)))
    for (const { body, headers } of answers.filter(({ status }) => status === 503)) {
      assert.match(String(headers['content-type']), /^application\/problem\+json/)
      assert.equal(body.code, 'UNAVAILABLE')
      assert.ok(Number(headers['retry-after']) >= 1)
    }
    assert.ok(slowestMs(answers) < answerMsMax, `${slowestMs(answers)} ms`)
  }

  test('crashes and comes back, requests are refused as unavailable and then served, by the same process', async () => {
    const answers = await underLoad(async () => {
      await server.crash()
      await delay(300)
      const { status, body, headers } = await health()
      assert.deepEqual([status, body.status, body.checks.database.status], [503, 'unavailable', 'down'])
      assert.ok(headers['retry-after'])
      assert.equal((await live()).status, 200)
      await server.start()
    })
    assertOnlyUnavailable(answers)
  })

  test('is behind a network that swallows everything, each request is answered in time', async () => {
    const answers = await underLoad(async () => {
      await proxy.set('swallow')
      const [{ status, tookMs }, alive] = await Promise.all([health(), live(), delay(7_000)])
      assert.equal(status, 503)
      assert.ok(tookMs < 4_000, `/health took ${tookMs} ms`)
      assert.ok(alive.tookMs < unwaitedMsMax, `/health/live took ${alive.tookMs} ms`)
      await proxy.set('pass')
    })
    assertOnlyUnavailable(answers)
  })

  test('swallows everything, callers beyond what may wait are refused at once', async () => {
    await proxy.set('swallow')
    const answers = await Promise.all(Array.from({ length: 1_500 }, () => customer.validate(node.base)))
    await proxy.set('pass')
    assert.deepEqual(Object.keys(countStatuses(answers)), ['503'])
    const quick = answers.filter(({ tookMs }) => tookMs < unwaitedMsMax).length
    assert.ok(quick > 0 && quick <= 500, `${quick} of 1,500 were refused without waiting`)
    assert.ok(slowestMs(answers) < answerMsMax, `${slowestMs(answers)} ms`)
    await untilWell()
  })

  test('tears connections down, requests are refused as unavailable and then served', async () => {
    const answers = await underLoad(async () => {
      for (const fault of ['reset', 'refuse', 'pass', 'reset'] as const) {
        await proxy.set(fault)
        await delay(150)
      }
      await proxy.set('pass')
    })
    assertOnlyUnavailable(answers)
  })

  test('is slow, nothing fails at moderate load and the process answers that it lives', async () => {
    proxy.delay(100) // each way
    const callers = load(6, mixed)
    const alive: Answer[] = []
    for (let count = 0; count < 10; count++) {
      alive.push(await live())
      await delay(200)
    }
    const ready = await health()
    const answers = await callers.stop()
    proxy.delay(0)
    assert.deepEqual(Object.keys(countStatuses(answers)), ['200'])
    assert.ok(slowestMs(alive) < unwaitedMsMax, `/health/live took ${slowestMs(alive)} ms`)
    assert.equal(ready.status, 200)
  })

  test('has a table locked from outside, whoever needs no connection is answered at once and nobody hangs', async (t) => {
    const holder = new pg.Client({ connectionString: server.url })
    await holder.connect()
    t.after(() => holder.end())
    await holder.query('begin; lock table licenses in access exclusive mode')
    const stuck = Array.from({ length: 3 * poolMax }, () => customer.validate(node.base))
    await delay(300)
    const url = `${node.base}/vault/v1/licenses/validate`
    const malformedKey = { 'x-api-key': 'atr_not-a-key' }
    const mistaken = await Promise.all([
      ask({ url, method: 'POST', body: {} }),
      ask({ url, method: 'POST', body: {}, headers: malformedKey }),
      ask({ url: `${node.base}/admin/tenants`, headers: { 'x-admin-key': 'atradmin_wrong_one' } }),
      ask({ url: `${node.base}/admin/tenants`, method: 'POST', headers: cluster.admin, body: {} }),
      ask({ url: `${node.base}/admin/tenants?limit=many`, headers: cluster.admin }),
      ask({ url: `${node.base}/nowhere` }),
    ])
    assert.deepEqual(
      mistaken.map(({ status }) => status),
      [401, 401, 401, 400, 400, 404],
    )
    assert.ok(slowestMs(mistaken) < unwaitedMsMax, `${slowestMs(mistaken)} ms`)
    assert.equal((await live()).status, 200)
    const answers = await Promise.all(stuck)
    assert.deepEqual(Object.keys(countStatuses(answers)), ['503'])
    assert.ok(slowestMs(answers) < answerMsMax, `${slowestMs(answers)} ms`)
    await holder.query('rollback')
    await untilWell()
  })
})
