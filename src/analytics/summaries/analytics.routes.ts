import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { csvAnswer, csvMediaType, wantsCsv } from '../../http/csv-answer.ts'
import { periodRules, readPeriod } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { csvLine } from '../../kernel/csv.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { idFilter } from '../id-filter.ts'
import { OverviewAnswer, OverviewQuery, ProductAnalyticsAnswer, SeriesAnswer, SeriesQuery } from './analytics.schema.ts'
import { compareWithPrevious, top } from './overview.service.ts'
import { seriesMetrics, seriesPoints } from './series.rules.ts'
import { countsByDay, isProductCounted, type Ranked } from './summary.store.ts'

const tag = 'Analytics'
const access = admin('VIEWER')
const days = 'UTC days, both included; at most 366.'

export type AnalyticsRouteDeps = {
  clock: Clock
  productExists(platform: PlatformScope, productId: string): Promise<boolean>
}

export function analyticsRoutes(deps: AnalyticsRouteDeps): Route[] {
  return [overview(deps), product(deps), timeseries(deps)]
}

function overview({ clock }: AnalyticsRouteDeps): Route {
  return route({
    method: 'GET',
    path: '/admin/analytics/overview',
    name: 'getAnalyticsOverview',
    tag,
    summary: 'Show what was read most, compared with the period before',
    description: `${days} Visits appear here within about a second.`,
    access,
    query: OverviewQuery,
    answers: { 200: OverviewAnswer },
    rules: ({ query }) => periodRules(query, clock),
    handle: async ({ platform, query }) => {
      const asked = { period: readPeriod(query, clock), productId: null }
      const standing = await compareWithPrevious(platform, asked)
      const [products, pages] = [await top(platform, asked, 'products'), await top(platform, asked, 'pages')]
      return ok({
        overview: {
          ...standing,
          topProducts: products.map(({ key: _, ...ranked }) => ranked),
          topPages: pages.map(({ key, ...ranked }) => ({ pageSlug: key, ...countsView(ranked) })),
          topDocs: (await top(platform, asked, 'docs')).map(docView),
          topDownloads: (await top(platform, asked, 'downloads')).map(downloadView),
          referrers: (await top(platform, asked, 'referrers')).map(referrerView),
          devices: (await top(platform, asked, 'devices')).map(deviceView),
        },
      })
    },
  })
}

function product({ clock, productExists }: AnalyticsRouteDeps): Route {
  return route({
    method: 'GET',
    path: '/admin/analytics/products/:productId',
    name: 'getProductAnalytics',
    tag,
    summary: 'Show the visits and downloads of a product',
    description: `${days} Works for removed products, too.`,
    access,
    query: OverviewQuery,
    answers: { 200: ProductAnalyticsAnswer },
    refusals: ['NOT_FOUND'],
    rules: ({ query }) => periodRules(query, clock),
    handle: async ({ platform, params: { productId }, query }) => {
      const asked = { period: readPeriod(query, clock), productId }
      const isKnown = (await productExists(platform, productId)) || (await isProductCounted(platform, productId))
      if (!isKnown) throw notFound()
      const standing = await compareWithPrevious(platform, asked)
      return ok({
        product: {
          productId,
          ...standing,
          docs: (await top(platform, asked, 'docs')).map(docView),
          downloads: (await top(platform, asked, 'downloads')).map(downloadView),
          versions: (await top(platform, asked, 'versions')).map(({ key, ...ranked }) => ({
            versionId: key,
            ...countsView(ranked),
          })),
          referrers: (await top(platform, asked, 'referrers')).map(referrerView),
          devices: (await top(platform, asked, 'devices')).map(deviceView),
        },
      })
    },
  })
}

function timeseries({ clock }: AnalyticsRouteDeps): Route {
  return route({
    method: 'GET',
    path: '/admin/analytics/timeseries',
    name: 'getAnalyticsTimeseries',
    tag,
    summary: 'Show one number over time',
    description: `${days} As \`text/csv\` (by \`Accept\` or \`format=csv\`) one line per point.`,
    access,
    query: SeriesQuery,
    answers: { 200: { json: SeriesAnswer, rawTypes: [csvMediaType], description: 'The points, or a file of them.' } },
    rules: ({ query }) => periodRules(query, clock),
    handle: async ({ platform, query, headers }) => {
      const { metric, interval = 'day', productId, pageSlug = null, format } = query
      const period = readPeriod(query, clock)
      const { from, to } = period
      const counted = await countsByDay(platform, {
        from,
        to,
        pageSlug,
        productId: idFilter(productId),
        ...seriesMetrics[metric],
      })
      const points = seriesPoints(period, interval, counted)
      if (wantsCsv(format, headers.accept)) {
        const lines = points.map(({ start, value }) => csvLine([start, String(value)]))
        return csvAnswer(`${csvLine(['start', metric])}${lines.join('')}`, `${metric}-${from}-${to}`)
      }
      const total = points.reduce((sum, { value }) => sum + value, 0)
      return { ...ok({ timeseries: { metric, interval, from, to, points, total } }), headers: { vary: 'Accept' } }
    },
  })
}

function countsView({ views, raw: all, bots, uniques }: Omit<Ranked, 'key'>) {
  return { views, raw: all, bots, uniques }
}

function docView({ key, ...ranked }: Ranked) {
  return { docSlug: key, ...ranked }
}

function downloadView({ key, ...ranked }: Ranked) {
  return { downloadId: key, ...ranked }
}

function referrerView({ key, ...ranked }: Ranked) {
  return { host: key === '' ? null : key, ...countsView(ranked) }
}

function deviceView({ key, ...ranked }: Ranked) {
  return { device: key as 'desktop', ...countsView(ranked) }
}
