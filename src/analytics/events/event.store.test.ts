import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { freshDatabase, upgradedFrom } from '../../../test/harness/database.ts'
import { systemCaller } from '../../kernel/caller.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database } from '../../storage/database.ts'
import { mintPlatformScope } from '../../storage/mint.ts'
import { run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { recount } from '../summaries/recount.service.ts'
import { type EventFilter, type EventRecord, listEvents, listEventsBelow } from './event.store.ts'
import { eventWriter } from './event-writer.ts'
import type { VisitRecord } from './visit.rules.ts'

const start = new Date('2038-05-04T00:00:00.000Z')
const dayMs = 24 * 3600 * 1000
const products = [newId(start), newId(start)]
const whole: EventFilter = { type: null, productId: null, from: start, until: new Date(start.getTime() + dayMs) }

type Drawn = { afterMs: number; product: number; page: number; device: 'desktop' | 'mobile'; utm: string | null }

function factOf({ afterMs, product, page, device, utm }: Drawn): VisitRecord {
  const at = new Date(start.getTime() + afterMs)
  return {
    ...{
      id: newId(at),
      at,
      day: at.toISOString().slice(0, 10),
      visits: 1,
      isBot: false,
      device,
      agentFamily: 'Firefox',
    },
    type: product < products.length ? 'doc.view' : 'page.view',
    productId: products[product] ?? null,
    productSlug: null,
    pageSlug: product < products.length ? null : `page-${page}`,
    downloadId: null,
    docSlug: product < products.length ? `doc-${page}` : null,
    versionId: null,
    visitor: null,
    referrerHost: null,
    utm: utm === null ? null : { source: utm },
  }
}

describe('the list of visits', () => {
  let database: Database
  let platform: PlatformScope
  before(async () => {
    database = await freshDatabase()
    platform = mintPlatformScope(database.handle, systemCaller)
  })
  after(() => database.close())

  const drawn = fc.record({
    // Around two minutes' ends, so that batches cover one another.
    afterMs: fc.integer({ min: 3_590_000, max: 3_725_000 }),
    product: fc.nat(2),
    page: fc.nat(2),
    device: fc.constantFrom('desktop' as const, 'mobile' as const),
    utm: fc.constantFrom(null, null, 'a', 'b'),
  })
  const ids = (records: { id: string }[]) => records.map(({ id }) => id)

  test('has a line for each, newest first, on any page and under any filter, however they were written', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.array(drawn, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      async (batches, limit) => {
        await run(platform, sql`truncate analytics_batches, analytics_summaries`)
        const write = eventWriter(platform)
        const facts = batches.map((batch) => batch.map(factOf))
        for (const batch of facts) await write(batch, false)
        const all = facts.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1))
        for (const [type, productId] of [
          [null, null],
          ['doc.view', null],
          [null, products[0] as string],
          ['page.view', products[0] as string],
        ] as const) {
          const wanted = ids(
            all.filter((fact) => (type ?? fact.type) === fact.type && (productId ?? fact.productId) === fact.productId),
          )
          const filter = { ...whole, type, productId }
          for (let page = 1; (page - 1) * limit <= wanted.length; page++) {
            const { items, total } = await listEvents(platform, { ...filter, page, limit })
            assert.deepEqual(ids(items), wanted.slice((page - 1) * limit, page * limit))
            assert.equal(total, wanted.length)
          }
          const below = wanted[Math.floor(wanted.length / 2)] ?? null
          const found = await listEventsBelow(platform, filter, { below, limit })
          assert.deepEqual(ids(found), wanted.slice(below === null ? 0 : wanted.indexOf(below) + 1).slice(0, limit))
        }
      },
    )
    await fc.assert(property, { numRuns: 15 })
  })

  test('says of each what was given of it, whatever else was written with it', async () => {
    await run(platform, sql`truncate analytics_batches, analytics_summaries`)
    const facts = [
      factOf({ afterMs: 1, product: 0, page: 1, device: 'desktop', utm: 'a "quoted", {strange} \\ one' }),
      { ...factOf({ afterMs: 2, product: 2, page: 2, device: 'mobile', utm: null }), visitor: 'ab'.repeat(16) },
      { ...factOf({ afterMs: 60_003, product: 0, page: 1, device: 'desktop', utm: null }), isBot: true, visits: 7 },
      { ...factOf({ afterMs: 60_004, product: 2, page: 2, device: 'mobile', utm: null }), visitor: 'ab'.repeat(16) },
      { ...factOf({ afterMs: 45_000, product: 2, page: 2, device: 'mobile', utm: null }), visitor: 'ab'.repeat(16) },
    ] as VisitRecord[]
    await eventWriter(platform)(facts, false)
    const { items } = await listEvents(platform, { ...whole, page: 1, limit: 10 })
    const wanted = facts.map(({ day: _, visitor, ...fact }, index): EventRecord => {
      return { ...fact, visitorHash: visitor, isRepeat: index === 4 }
    })
    const byId = (a: EventRecord, b: EventRecord) => (a.id < b.id ? -1 : 1)
    assert.deepEqual(items.toSorted(byId), wanted.toSorted(byId))
  })
})

test('visits that an earlier version kept one by one are all in the list, with the same recount', async (t) => {
  const at = (ms: number) => new Date(start.getTime() + ms)
  const given = [
    { ms: 0, type: 'product.view', visitor: 'aa', isRepeat: false, referrer: 'a.example', visits: 1 },
    { ms: 5, type: 'product.view', visitor: 'aa', isRepeat: true, referrer: 'a.example', visits: 1 },
    { ms: 9, type: 'product.view', visitor: null, isRepeat: false, referrer: null, visits: 12 },
    { ms: 60_000, type: 'product.view', visitor: 'bb', isRepeat: false, referrer: null, visits: 1 },
    { ms: 60_001, type: 'page.view', visitor: 'bb', isRepeat: false, referrer: null, visits: 1 },
  ].map((line) => ({ ...line, id: newId(at(line.ms)) }))
  const database = await upgradedFrom('0024', async (client) => {
    for (const { ms, id, type, visitor, isRepeat, referrer, visits } of given) {
      await client.query(
        `insert into analytics_events (id, type, at, visits, product_id, visitor_hash, is_bot, is_repeat, referrer_host, utm, device, agent_family)
         values ($1, $2, $3, $4, $5, decode($6, 'hex'), false, $7, $8, '{"source": "x"}', 'desktop', 'Firefox')`,
        [
          id,
          type,
          at(ms),
          visits,
          type === 'page.view' ? null : products[0],
          visitor?.repeat(16) ?? null,
          isRepeat,
          referrer,
        ],
      )
    }
  })
  t.after(() => database.close())
  const platform = mintPlatformScope(database.handle, systemCaller)
  const { items, total } = await listEvents(platform, { ...whole, page: 1, limit: 10 })
  assert.equal(total, given.length)
  assert.deepEqual(
    items.map((line) => [line.id, line.type, line.at, line.visitorHash, line.isRepeat, line.referrerHost, line.visits]),
    given
      .toReversed()
      .map((line) => [
        line.id,
        line.type,
        at(line.ms),
        line.visitor?.repeat(16) ?? null,
        line.isRepeat,
        line.referrer,
        line.visits,
      ]),
  )
  assert.ok(
    items.every(
      ({ utm, device, productSlug }) => utm?.['source'] === 'x' && device === 'desktop' && productSlug === null,
    ),
  )
  const counted = (await recount(platform, '2038-05-04')).filter(({ dimension }) => dimension === 'all')
  const sums = counted.map(({ type, views, raw, uniques }) => [type, views, raw, uniques])
  assert.deepEqual(sums.toSorted(), [
    ['page.view', 1, 1, 1],
    ['product.view', 14, 15, 2],
  ])
})
