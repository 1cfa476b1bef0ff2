import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { newId } from '../../kernel/ids.ts'
import { metricsRegistry } from '../../kernel/metrics.ts'
import type { Database } from '../../storage/database.ts'
import type { VisitEvent } from '../events/visit-event.ts'
import { type Analytics, analytics } from '../index.ts'

const day = (text: string) => new Date(`${text}T12:00:00.000Z`)
const clock = testClock(day('2037-03-01'))
const productId = newId(clock.now())
const [downloadId, versionId] = [newId(clock.now()), newId(clock.now())]
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('analytics for administrators', () => {
  let database: Database
  let app: TestApp
  let traffic: Analytics
  let visitors = 0

  before(async () => {
    database = await freshDatabase()
    app = await testApp({ database, clock })
    traffic = analytics({
      ...{
        platform: app.platform,
        clock,
        log: silent,
        metrics: metricsRegistry(),
        isEmbedded: false,
        retentionDays: 90,
      },
      secrets: { seal: () => Buffer.alloc(0), open: () => '', derive: () => Buffer.alloc(32), check: '' },
      productExists: async () => true,
    })
    await seed()
  })
  after(async () => {
    await app.app.server.close()
    await database.close()
  })

  function visit(event: VisitEvent, times = 1, headers: Record<string, string> = {}) {
    for (let count = 0; count < times; count++) {
      const sent = { 'user-agent': 'curl/8.5.0', host: 'own.example', ...headers }
      traffic.recordVisit(event, { ip: `203.0.113.${visitors++}`, url: '/', headers: sent })
    }
  }

  async function seed() {
    const viewed: VisitEvent = { type: 'product.view', productId, productSlug: 'editor' }
    clock.advance({ seconds: -10 * 24 * 3600 }) // 2037-02-19
    visit(viewed, 4)
    clock.advance({ seconds: 10 * 24 * 3600 })
    visit(viewed, 3, { referer: 'https://news.example.com/a' })
    visit({ type: 'product.view', productId: newId(clock.now()), productSlug: 'other' }, 1)
    visit({ type: 'doc.view', productId, productSlug: 'editor', docSlug: 'start' }, 2)
    visit({ type: 'page.view', pageSlug: 'pricing' }, 5)
    visit({ type: 'page.view', pageSlug: '=cmd()' }, 1, { 'user-agent': 'Googlebot/2.1' })
    visit({ type: 'sdk.download', productId, productSlug: 'editor', downloadId, versionId }, 2)
    await traffic.flush()
  }

  const get = (path: string, headers = {}) =>
    app.call({ url: `/admin/analytics/${path}`, headers: { ...app.admin, ...headers } })
  const march = 'from=2037-03-01&to=2037-03-01'

  test('see the totals of a period beside those of the one before, and what was read most', async () => {
    const { overview } = (await get('overview?from=2037-02-22&to=2037-03-01')).body
    const { totals, previous, topProducts, topPages, topDocs, topDownloads, referrers, devices } = overview
    assert.deepEqual(totals, {
      views: 11,
      raw: 11,
      bots: 1,
      uniques: 11,
      productViews: 4,
      pageViews: 5,
      docViews: 2,
      downloads: 2,
      searches: 0,
      clicks: 0,
    })
    assert.deepEqual([previous.from, previous.to, previous.totals.views], ['2037-02-14', '2037-02-21', 4])
    assert.deepEqual(topProducts[0], { productId, productSlug: 'editor', views: 3, raw: 3, bots: 0, uniques: 3 })
    assert.deepEqual(topPages, [
      { pageSlug: 'pricing', views: 5, raw: 5, bots: 0, uniques: 5 },
      { pageSlug: '=cmd()', views: 0, raw: 0, bots: 1, uniques: 0 },
    ])
    assert.deepEqual(topDocs, [
      { productId, productSlug: 'editor', docSlug: 'start', views: 2, raw: 2, bots: 0, uniques: 2 },
    ])
    assert.deepEqual([topDownloads[0].downloadId, topDownloads[0].views], [downloadId, 2])
    assert.deepEqual(
      referrers.map(({ host, views }: { host: string; views: number }) => [host, views]),
      [
        [null, 8],
        ['news.example.com', 3],
      ],
    )
    assert.deepEqual(
      devices.map(({ device, views, bots }: Record<string, unknown>) => [device, views, bots]),
      [
        ['api', 11, 0],
        ['bot', 0, 1],
      ],
    )
  })

  test('see one product, and are told of one that never was what they are told of no id', async () => {
    const { product } = (await get(`products/${productId}?${march}`)).body
    assert.deepEqual([product.totals.views, product.totals.pageViews, product.totals.downloads], [5, 0, 2])
    assert.deepEqual([product.versions[0].versionId, product.docs.length], [versionId, 1])
    // Not by its public address: that would be one more visit.
    const listed = await app.call({ url: '/admin/products?q=vault-vpn', headers: app.admin })
    const seeded = listed.body.products[0].id
    assert.equal((await get(`products/${seeded}?${march}`)).body.product.totals.views, 0)
    const [unknown, malformed] = [await get(`products/${newId(clock.now())}`), await get('products/x')]
    assert.deepEqual([unknown.status, malformed.status], [404, 404])
    assert.deepEqual(unknown.body.code, malformed.body.code)
  })

  test('see a number over time, without gaps', async () => {
    const series = async (query: string) => (await get(`timeseries?${query}`)).body.timeseries
    const days = await series('metric=views&from=2037-02-18&to=2037-03-01')
    assert.equal(days.points.length, 12)
    assert.deepEqual(
      days.points.filter(({ value }: { value: number }) => value > 0),
      [
        { start: '2037-02-19', value: 4 },
        { start: '2037-03-01', value: 11 },
      ],
    )
    assert.equal(days.total, 15)
    const weeks = await series(`metric=productViews&interval=week&productId=${productId}&from=2037-02-18&to=2037-03-01`)
    assert.deepEqual(weeks.points, [
      { start: '2037-02-16', value: 4 },
      { start: '2037-02-23', value: 3 },
    ])
    const months = await series('metric=downloads&interval=month&from=2037-01-15&to=2037-03-01')
    assert.deepEqual(
      months.points.map(({ start }: { start: string }) => start),
      ['2037-01-01', '2037-02-01', '2037-03-01'],
    )
    assert.equal((await series(`metric=pageViews&pageSlug=pricing&${march}`)).total, 5)
    assert.equal((await series(`metric=views&productId=nonsense&${march}`)).total, 0)
    assert.equal((await series('metric=bots&from=2036-03-01&to=2037-03-01')).points.length, 366)
  })

  test('are told what is wrong with a period or a word', async () => {
    for (const [path, place] of [
      ['overview?from=2037-03-02&to=2037-03-01', '/query/from'],
      ['overview?from=2024-01-01&to=2037-03-01', '/query/from'],
      ['overview?from=yesterday', '/query/from'],
      ['timeseries?metric=clics', '/query/metric'],
      ['timeseries', '/query/metric'],
      ['timeseries?metric=views&interval=hour', '/query/interval'],
      ['events?type=nothing', '/query/type'],
    ] as const) {
      const { status, body } = await get(path)
      assert.deepEqual([status, body.errors[0].path], [400, place], path)
    }
  })

  test('list single visits by type, product and day, newest first', async () => {
    const { events, pagination } = (
      await get(`events?type=product.view&productId=${productId}&from=2037-02-01&to=2037-03-01&limit=5`)
    ).body
    assert.deepEqual([pagination.total, events.length], [7, 5])
    assert.deepEqual(
      events.map(({ at }: { at: string }) => at.slice(0, 10)),
      [...Array(3).fill('2037-03-01'), ...Array(2).fill('2037-02-19')],
    )
    assert.equal((await get(`events?${march}`)).body.pagination.total, 14)
    assert.equal((await get('events?productId=nonsense')).body.pagination.total, 0)
    assert.deepEqual(
      [events[0].referrerHost, events[0].device, events[0].agentFamily],
      ['news.example.com', 'api', 'curl'],
    )
  })

  test('take both as files, in which nothing is a formula', async () => {
    const series = await get(`timeseries?metric=views&${march}&format=csv`)
    assert.equal(series.body, 'start,views\r\n2037-03-01,11\r\n')
    assert.match(series.headers['content-disposition'] ?? '', /attachment; filename="views-2037-03-01-2037-03-01\.csv"/)
    const file = await get(`events?${march}`, { accept: 'text/csv' })
    assert.match(file.headers['content-type'] ?? '', /^text\/csv/)
    const lines = (file.body as string).trimEnd().split('\r\n')
    assert.equal(lines.length, 15)
    assert.ok(lines[0]?.startsWith('id,type,at,visits,productId'))
    assert.ok(lines.some((line) => line.includes(",'=cmd(),")))
  })

  test('see at /metrics what was recorded', async () => {
    const { body } = await app.call({ url: '/metrics', headers: app.admin })
    assert.match(body, /^analytics_buffered_visits\{stage="untouched"\} \d+$/m)
    assert.match(body, /^# TYPE analytics_visits_total counter$/m)
  })
})
