// What the public reads of three nodes over one PostgreSQL, two of which hear of each other through a Redis.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, ask, countStatuses, load } from '../harness/client.ts'
import { type Cluster, startCluster } from '../harness/cluster.ts'
import { type PostgresServer, postgresMissing, startPostgresServer } from '../harness/postgres-server.ts'
import { type RedisServer, redisMissing, startRedisServer } from '../harness/redis-server.ts'

const skip = process.env['ATRIUM_TEST_DATABASE'] === 'postgres' ? postgresMissing || redisMissing : 'of PostgreSQL'
const timeout = 120_000
const seenElsewhereMs = 1_000

/** Something public whose text is a number: which of its states a reader was shown. */
type Thing = { read: string; write: string; body(state: number): object; stateOf(answer: Answer): number }
type Written = { thing: Thing; state: number; node: number; answeredAtMs: number }
type Read = { thing: Thing; state: number; node: number; sentAtMs: number }

describe('what is public, read from several nodes', { skip }, () => {
  let server: PostgresServer
  let redis: RedisServer
  let clusters: Cluster[]
  let bases: string[]
  let things: Thing[]
  const admin = { 'x-admin-key': `atradmin_${randomBytes(24).toString('base64url')}` }

  before(async () => {
    ;[server, redis] = await Promise.all([startPostgresServer(), startRedisServer()])
    const keys = { MASTER_KEY: randomBytes(32).toString('hex'), ADMIN_KEY: admin['x-admin-key'] }
    const begin = (nodes: number, environment: Record<string, string>) =>
      startCluster({ nodes, databaseUrl: server.url, environment: { ...keys, ...environment } })
    clusters = await Promise.all([begin(2, { REDIS_URL: redis.url }), begin(1, {})])
    bases = clusters.flatMap(({ nodes }) => nodes.map(({ base }) => base))
    things = await makeThings()
  })
  after(async () => {
    for (const cluster of clusters ?? []) await cluster.stop()
    await redis?.kill()
    await server?.stop()
  })

  const at = (node: number) => bases[node] as string
  async function send(method: string, path: string, body: object, node = 0) {
    const answer = await ask({ url: `${at(node)}${path}`, method, headers: admin, body })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async function makeThings(): Promise<Thing[]> {
    const { products } = (await ask({ url: `${at(0)}/admin/products`, headers: admin })).body
    const { id, slug } = products[0]
    const { doc } = await send('POST', `/admin/products/${id}/docs`, {
      slug: 'state',
      title: '0',
      markdown: 'x',
      status: 'PUBLISHED',
    })
    const { page } = await send('POST', '/admin/cms/pages', { slug: 'state', title: '0', status: 'PUBLISHED' })
    const { slot } = await send('POST', '/admin/cms/slots', { kind: 'TESTIMONIAL', title: '0' })
    const title = (state: number) => ({ title: String(state) })
    return [
      {
        read: `/products/${slug}`,
        write: `/admin/products/${id}`,
        body: (state) => ({ tagline: String(state) }),
        stateOf: ({ body }) => Number(body.product.tagline) || 0,
      },
      {
        read: '/cms/pages/state',
        write: `/admin/cms/pages/${page.id}`,
        body: title,
        stateOf: ({ body }) => Number(body.page.title),
      },
      {
        read: `/products/${slug}/docs/state`,
        write: `/admin/products/${id}/docs/${doc.id}`,
        body: title,
        stateOf: ({ body }) => Number(body.doc.title),
      },
      {
        read: '/cms/homepage',
        write: `/admin/cms/slots/${slot.id}`,
        body: title,
        stateOf: ({ body }) => Number(body.slots.TESTIMONIAL.find(({ id }: { id: string }) => id === slot.id).title),
      },
    ]
  }

  let states = 0
  async function write(thing: Thing, node: number): Promise<Written> {
    const state = ++states
    await send('PATCH', thing.write, thing.body(state), node)
    return { thing, state, node, answeredAtMs: performance.now() }
  }
  async function read(thing: Thing, node: number): Promise<Read & { answer: Answer }> {
    const sentAtMs = performance.now()
    const answer = await ask({ url: at(node) + thing.read })
    return { thing, node, sentAtMs, answer, state: answer.status === 200 ? thing.stateOf(answer) : Number.NaN }
  }

  /** Reads that were shown an older state than their node had to know by then. */
  function staleOf(reads: Read[], written: Written[]) {
    return reads.flatMap(({ thing, node, state, sentAtMs }) => {
      const due = written.filter(
        (one) => one.thing === thing && sentAtMs >= one.answeredAtMs + (one.node === node ? 0 : seenElsewhereMs),
      )
      const newest = due.reduce((latest, one) => (one.state > latest.state ? one : latest), { state: 0 } as Written)
      if (state >= newest.state) return []
      return [
        `${thing.read} on ${node}: ${state}, ${Math.round(sentAtMs - newest.answeredAtMs)} ms after ${newest.state}`,
      ]
    })
  }

  test('is never older than the last change answered by that node, nor by more than a second than another’s', {
    timeout,
  }, async () => {
    const reads: Read[] = []
    const written: Written[] = []
    const readers = load(24, async (reader) => {
      const { answer, ...seen } = await read(things[reader % things.length] as Thing, reader % bases.length)
      reads.push(seen)
      await delay(10)
      return answer
    })
    for (let round = 0; round < 4; round++) {
      for (const thing of things) {
        const node = (round + things.indexOf(thing)) % bases.length
        const one = await write(thing, node)
        written.push(one)
        reads.push(await read(thing, node))
      }
      await delay(50)
    }
    await delay(seenElsewhereMs + 100)
    const answers = await readers.stop()
    assert.deepEqual(Object.keys(countStatuses(answers)), ['200'])
    assert.ok(answers.length > 250, `${answers.length} reads`)
    assert.deepEqual(staleOf(reads, written), [])
    const states = new Set(reads.map(({ state }) => state))
    assert.ok(
      written.every(({ state }) => states.has(state)),
      'the readers saw every state',
    )
  })

  test('is new a second later also where nobody has read meanwhile', { timeout }, async () => {
    for (const writer of [0, bases.length - 1]) {
      await Promise.all(
        bases
          .keys()
          .flatMap((node) => things.map((thing) => read(thing, node)))
          .toArray(),
      )
      const written = await Promise.all(things.map((thing) => write(thing, writer)))
      await delay(seenElsewhereMs)
      const reads = await Promise.all(
        bases
          .keys()
          .flatMap((node) => things.map((thing) => read(thing, node)))
          .toArray(),
      )
      assert.deepEqual(staleOf(reads, written), [])
    }
  })

  test('is served on without a database where it was read before, and changes are seen once it is back', {
    timeout,
  }, async () => {
    const everywhere = () =>
      Promise.all(
        bases
          .keys()
          .flatMap((node) => things.map((thing) => read(thing, node)))
          .toArray(),
      )
    await delay(seenElsewhereMs)
    const earlier = (await everywhere()).map(({ state }) => state)
    await server.crash()
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(
        (await everywhere()).map(({ state }) => state),
        earlier,
      )
      await delay(400)
    }
    const unknown = await Promise.all(bases.map((base) => ask({ url: `${base}/cms/pages/never-read` })))
    assert.deepEqual(
      unknown.map(({ status }) => status),
      [503, 503, 503],
    )
    await server.start()
    const deadlineMs = performance.now() + 20_000
    while ((await ask({ url: `${at(0)}/health` })).status !== 200 && performance.now() < deadlineMs) await delay(50)
    const written = await Promise.all(things.map((thing) => write(thing, 0)))
    await delay(seenElsewhereMs)
    // A node that has not found the database again serves what it has: on a busy machine a new connection takes it longer.
    let stale = staleOf(await everywhere(), written)
    while (stale.length > 0 && performance.now() < deadlineMs) stale = staleOf(await everywhere(), written)
    assert.deepEqual(stale, [])
  })
})
