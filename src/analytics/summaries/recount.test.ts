import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { newId } from '../../kernel/ids.ts'
import { metricsRegistry } from '../../kernel/metrics.ts'
import type { Visit } from '../../kernel/visit.ts'
import type { Database } from '../../storage/database.ts'
import { many, run, sql } from '../../storage/query.ts'
import { eventWriter } from '../events/event-writer.ts'
import { recorder } from '../events/recorder.ts'
import { userAgents } from '../events/user-agents.ts'
import type { VisitEvent } from '../events/visit-event.ts'
import { visitorKeys } from '../events/visitor-keys.ts'
import { rebuildDay, recount } from './recount.service.ts'
import { listSummaries } from './recount.store.ts'
import { findDifferences } from './summary.rules.ts'

const lost: string[] = []
const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: (_: object, message: string) => void lost.push(message),
}
const products = [newId(new Date()), newId(new Date())]
const downloadId = newId(new Date())
const versionId = newId(new Date())
const things: VisitEvent[] = [
  { type: 'product.view', productId: products[0] as string, productSlug: 'a' },
  { type: 'product.view', productId: products[1] as string, productSlug: 'b' },
  { type: 'doc.view', productId: products[0] as string, docSlug: 'start' },
  { type: 'doc.view', productId: products[0] as string, docSlug: 'end' },
  { type: 'page.view', pageSlug: 'pricing' },
  { type: 'sdk.download', productId: products[1] as string, downloadId, versionId },
]

describe('the summaries of a day', () => {
  let database: Database
  let app: TestApp
  before(async () => {
    database = await freshDatabase()
    app = await testApp({ database })
  })
  after(async () => {
    await app.app.server.close()
    await database.close()
  })

  /** A node: what fails does so before its statement (`lost`) or after its commit (`unheard`). */
  function node() {
    let fault: 'none' | 'lost' | 'unheard' = 'none'
    const write = eventWriter(app.platform)
    const { platform, clock } = app
    const recording = recorder({
      clock,
      log: silent,
      metrics: metricsRegistry(),
      agents: userAgents(),
      isEmbedded: false,
      visitorKeys: visitorKeys({ platform, clock, secret: Buffer.alloc(32) }),
      write: async (facts, isAgain) => {
        const planned = fault
        fault = 'none'
        if (planned === 'lost') throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
        await write(facts, isAgain)
        if (planned === 'unheard') throw Object.assign(new Error('unheard'), { code: 'ECONNRESET' })
      },
    })
    const fail = (how: typeof fault) => {
      fault = how
    }
    return { ...recording, fail }
  }

  const days = () =>
    many(app.platform, sql<{ day: string }>`select distinct day::text from analytics_summaries order by 1`)

  const visit = fc.record({
    node: fc.nat(2),
    thing: fc.nat(things.length - 1),
    ip: fc.constantFrom('198.51.100.1', '198.51.100.2', '198.51.100.3'),
    agent: fc.constantFrom('Mozilla/5.0 (iPhone) Mobile', 'curl/8', 'Googlebot/2.1', ''),
    referer: fc.constantFrom(undefined, 'https://a.example/', 'https://b.example/x'),
    dnt: fc.constantFrom(undefined, undefined, '1'),
    laterSeconds: fc.constantFrom(0, 0, 1, 29, 30, 31, 7200, 43_200),
    next: fc.constantFrom('nothing', 'nothing', 'flush', 'lost', 'unheard'),
  })

  test('equal a recount of its visits, for any visits to three nodes, whatever of their writing fails', async () => {
    let recorded = 0
    const property = fc.asyncProperty(fc.array(visit, { minLength: 1, maxLength: 60 }), async (visits) => {
      await run(app.platform, sql`truncate analytics_batches, analytics_summaries`)
      const nodes = [node(), node(), node()]
      const flushing: Promise<void>[] = []
      for (const { node: index, thing, ip, agent, referer, dnt, laterSeconds, next } of visits) {
        const at = nodes[index] as (typeof nodes)[number]
        app.clock.advance({ seconds: laterSeconds })
        const headers = { 'user-agent': agent, referer, dnt, host: 'own.example' } as Visit['headers']
        at.recordVisit(things[thing] as VisitEvent, { ip, url: '/', headers })
        if (next === 'lost' || next === 'unheard') at.fail(next)
        if (next !== 'nothing') flushing.push(at.flush())
      }
      await Promise.all(flushing)
      for (const { flush } of nodes) await flush()
      const [counted] = await many(
        app.platform,
        sql<{ lines: number; sums: number }>`select (select count(*) from analytics_events)::int as lines,
          (select sum(raw + bots) from analytics_summaries where dimension = 'all')::int as sums`,
      )
      assert.deepEqual(counted, { lines: visits.length, sums: visits.length })
      for (const { day } of await days()) {
        assert.deepEqual(
          findDifferences(await listSummaries(app.platform, day), await recount(app.platform, day)),
          [],
          day,
        )
      }
      recorded += visits.length
    })
    await fc.assert(property, { numRuns: 25 })
    assert.ok(recorded >= 25, 'each run records something')
    assert.deepEqual(lost, [], 'nothing was taken for a visit that cannot be written')
  })

  test('count a visitor of three nodes at once as one, and the reading again as no other view', async () => {
    await run(app.platform, sql`truncate analytics_batches, analytics_summaries`)
    const nodes = [node(), node(), node()]
    const event = things[0] as VisitEvent
    const from = { ip: '198.51.100.77', url: '/', headers: { 'user-agent': 'curl/8' } }
    for (const { recordVisit } of nodes) for (let count = 0; count < 10; count++) recordVisit(event, from)
    await Promise.all(nodes.map(({ flush }) => flush()))
    app.clock.advance({ seconds: 30 })
    nodes[1]?.recordVisit(event, from)
    await nodes[1]?.flush()
    const [{ day } = { day: '' }] = await days()
    const all = (await listSummaries(app.platform, day)).find(({ dimension }) => dimension === 'all')
    assert.deepEqual([all?.views, all?.raw, all?.bots, all?.uniques], [2, 31, 0, 1])
  })

  test('count a visitor of the day as the same one after a start, whatever was written since the process last wrote', async () => {
    await run(app.platform, sql`truncate analytics_batches, analytics_summaries`)
    const event = things[2] as VisitEvent
    const read = async ({ recordVisit, flush }: ReturnType<typeof node>, visitor: number) => {
      recordVisit(event, { ip: `203.0.113.${visitor}`, url: '/', headers: { 'user-agent': 'curl/8' } })
      await flush()
    }
    const counted = async () => {
      const [{ day } = { day: '' }] = await days()
      const { views, raw, uniques } =
        (await listSummaries(app.platform, day)).find(({ dimension }) => dimension === 'page') ?? {}
      return [views, raw, uniques]
    }
    const standing = node()
    // More batches than are read at once.
    for (let visitor = 0; visitor < 45; visitor++) await read(standing, visitor)
    await read(standing, 44)
    assert.deepEqual(await counted(), [45, 46, 45])
    const started = node()
    for (const visitor of [0, 20, 44]) await read(started, visitor)
    assert.deepEqual(await counted(), [45, 49, 45])
    await read(started, 100)
    await read(standing, 100)
    assert.deepEqual(await counted(), [46, 51, 46])
    app.clock.advance({ seconds: 30 })
    await read(standing, 100)
    await read(started, 100)
    assert.deepEqual(await counted(), [47, 53, 46])
  })

  test('are made right, where somebody has changed them, by the night’s recount', async () => {
    const [{ day } = { day: '' }] = await days()
    const asCounted = await listSummaries(app.platform, day)
    await run(app.platform, sql`update analytics_summaries set views = views + 1, uniques = 9 where dimension = 'all'`)
    await run(app.platform, sql`delete from analytics_summaries where dimension = 'device'`)
    await run(
      app.platform,
      sql`insert into analytics_summaries (day, type, product_id, dimension, key, views, raw, bots, uniques)
      values (${day}, 'page.view', ${products[0]}, 'page', 'never', 1, 1, 0, 1)`,
    )
    assert.equal((await rebuildDay(app.platform, day)).length, 3)
    const byName = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
    assert.deepEqual((await listSummaries(app.platform, day)).toSorted(byName), asCounted.toSorted(byName))
    assert.deepEqual(await rebuildDay(app.platform, day), [])
  })
})
