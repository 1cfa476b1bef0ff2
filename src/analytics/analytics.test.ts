import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../test/harness/app.ts'
import { freshDatabase } from '../../test/harness/database.ts'
import { rowsWith } from '../../test/harness/tables.ts'
import { utcDay } from '../kernel/period.ts'
import type { Database } from '../storage/database.ts'
import { many, one, sql } from '../storage/query.ts'
import { recount } from './summaries/recount.service.ts'
import { listSummaries } from './summaries/recount.store.ts'
import { findDifferences } from './summaries/summary.rules.ts'

const url = '/products/vault-vpn'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('reading a product', () => {
  let database: Database
  let app: TestApp
  before(async () => {
    database = await freshDatabase()
    app = await testApp({ database, trustedProxies: ['127.0.0.1'] })
  })
  after(async () => {
    await app.app.server.close()
    await app.app.flush()
    await database.close()
  })

  const reader = (address: string, headers = {}) => ({ 'x-forwarded-for': address, 'user-agent': firefox, ...headers })
  const totals = async () => {
    await app.app.flush()
    return (await app.call({ url: '/admin/analytics/overview', headers: app.admin })).body.overview.totals
  }
  /** How much the totals grow. */
  async function growth(work: () => Promise<unknown>) {
    const earlier = await totals()
    await work()
    const later = await totals()
    return Object.fromEntries(['views', 'raw', 'bots', 'uniques'].map((name) => [name, later[name] - earlier[name]]))
  }

  test('3,000 times, 500 at once, is 3,000 views with a line for each, and a recount gives the same', async () => {
    const readers = 3_000
    let next = 0
    const readOn = async () => {
      for (let index = next++; index < readers; index = next++) {
        const headers = reader(`198.51.${100 + (index >> 8)}.${index & 255}`)
        assert.equal((await app.app.server.inject({ url, headers })).statusCode, 200)
      }
    }
    const grown = await growth(() => Promise.all(Array.from({ length: 500 }, readOn)))
    assert.deepEqual(grown, { views: readers, raw: readers, bots: 0, uniques: readers })
    const { lines } = await one(
      app.platform,
      sql<{ lines: number }>`select count(*)::int as lines from analytics_events`,
    )
    assert.equal(lines, readers)
    const day = utcDay(app.clock.now())
    assert.deepEqual(findDifferences(await listSummaries(app.platform, day), await recount(app.platform, day)), [])
  })

  test('is a view also where the reader has it already, and under its other address', async () => {
    const { headers } = await app.call({ url })
    const cached = await growth(async () => {
      const reply = await app.call({ url, headers: reader('203.0.113.1', { 'if-none-match': headers['etag'] }) })
      assert.equal(reply.status, 304)
      assert.equal((await app.call({ url: `/v1${url}`, headers: reader('203.0.113.2') })).status, 200)
    })
    assert.equal(cached['views'], 2)
  })

  test('by HEAD, ahead of need, or of what is not there is none', async () => {
    const grown = await growth(async () => {
      await app.call({ method: 'HEAD', url, headers: reader('203.0.113.3') })
      await app.call({ url, headers: reader('203.0.113.3', { 'sec-purpose': 'prefetch' }) })
      await app.call({ url: '/products/unknown', headers: reader('203.0.113.3') })
    })
    assert.deepEqual(grown, { views: 0, raw: 0, bots: 0, uniques: 0 })
  })

  test('by a robot is counted apart', async () => {
    const grown = await growth(() =>
      app.call({ url, headers: reader('203.0.113.4', { 'user-agent': 'Googlebot/2.1' }) }),
    )
    assert.deepEqual(grown, { views: 0, raw: 0, bots: 1, uniques: 0 })
  })

  test('again within 30 seconds is no other view, and later it is', async () => {
    const read = () => app.call({ url, headers: reader('203.0.113.5') })
    assert.deepEqual(await growth(read), { views: 1, raw: 1, bots: 0, uniques: 1 })
    app.clock.advance({ ms: 29_999 })
    assert.deepEqual(await growth(read), { views: 0, raw: 1, bots: 0, uniques: 0 })
    app.clock.advance({ ms: 1 })
    assert.deepEqual(await growth(read), { views: 1, raw: 1, bots: 0, uniques: 0 })
  })

  test('by who asks not to be followed is a view of nobody', async () => {
    const read = () => app.call({ url, headers: reader('203.0.113.6', { 'sec-gpc': '1' }) })
    assert.deepEqual(await growth(read), { views: 1, raw: 1, bots: 0, uniques: 0 })
    assert.deepEqual(await growth(read), { views: 1, raw: 1, bots: 0, uniques: 0 }, 'nobody comes back')
  })

  test('leaves the reader’s address nowhere in the database', async () => {
    await app.call({ url, headers: reader('203.0.113.250', { referer: 'https://203.0.113.251/x' }) })
    await app.app.flush()
    const known = await rowsWith(app.platform, '203.0.113.251')
    assert.ok(known.length > 0, 'the search finds what is there: the host of a referrer')
    assert.deepEqual(await rowsWith(app.platform, '203.0.113.250', '198.51.1'), [])
  })

  test('with secrets in its address and in that of where it came from leaves none of them', async () => {
    const secrets = ['ATR-LEAKD-LEAKD-LEAKD-LEAKD-LEAKD', 'tokenOfTheReferrer', 'who@example.com']
    const [key, token, mail] = secrets
    const address = `${url}?licenseKey=${key}&utm_source=${key}&utm_term=${mail}&utm_medium=news%0d%0aletter`
    const referer = `https://user:${token}@partner.example/${token}?t=${token}#${token}`
    await app.call({ url: address, headers: reader('203.0.113.8', { referer }) })
    await app.app.flush()
    const rows = await rowsWith(app.platform, 'partner.example')
    assert.ok(rows.length > 0)
    assert.ok(
      rows.some((row) => row.includes('newsletter')),
      'what is no secret is kept, without control characters',
    )
    assert.deepEqual(await rowsWith(app.platform, ...secrets), [])
  })

  test('a millisecond before midnight UTC and at midnight is on two days', async () => {
    const ms = app.clock.now().getTime() % 86_400_000
    app.clock.advance({ ms: 86_400_000 - ms - 1 })
    const days = []
    for (let reads = 0; reads < 2; reads++) {
      await app.call({ url, headers: reader('203.0.113.9') })
      await app.app.flush()
      const { day, raw } = await one(
        app.platform,
        sql<{ day: string; raw: number }>`select day::text, sum(raw)::int as raw from analytics_summaries
          where dimension = 'all' group by day order by day desc limit 1`,
      )
      days.push(day === utcDay(app.clock.now()), raw)
      app.clock.advance({ ms: 1 })
    }
    assert.deepEqual([days[0], days[2], days[3]], [true, true, 1])
  })

  test('is on another day by another visitor: nobody can tell that they are one', async () => {
    const read = () => app.call({ url, headers: reader('203.0.113.7') })
    app.clock.advance({ seconds: 1 })
    await read()
    app.clock.advance({ seconds: 24 * 3600 })
    await read()
    await app.app.flush()
    const hashes = await many(
      app.platform,
      sql<{ hash: string }>`select distinct visitor::text as hash from analytics_events
        where at >= ${new Date(app.clock.now().getTime() - 24 * 3600 * 1000)} and visitor is not null`,
    )
    assert.equal(hashes.length, 2)
  })

  test('keeps salts two days, single visits as long as the setting says, and sums for good', async () => {
    const left = async () =>
      one(
        app.platform,
        sql<Record<string, number>>`select (select count(*)::int from analytics_salts) as salts,
          (select count(*)::int from analytics_events) as events,
          (select sum(views)::int from analytics_summaries where dimension = 'all') as views`,
      )
    const earlier = await left()
    app.clock.advance({ seconds: 49 * 3600 })
    await app.app.housekeep()
    const { salts, events } = await left()
    assert.deepEqual([salts, events], [0, earlier['events']])
    app.clock.advance({ seconds: 89 * 24 * 3600 })
    await app.app.housekeep()
    assert.deepEqual(await left(), { salts: 0, events: 0, views: earlier['views'] })
  })
})
