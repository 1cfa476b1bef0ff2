import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { csvAnswer, csvMediaType, wantsCsv } from '../../http/csv-answer.ts'
import { readPeriod } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { csvLine } from '../../kernel/csv.ts'
import { isId } from '../../kernel/ids.ts'
import { toPagination } from '../../kernel/paging.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { countedMax, listEvents } from '../events/event.store.ts'
import { exportEvents, exportEventsMax } from '../events/event-export.service.ts'
import {
  EventList,
  EventQuery,
  OverviewAnswer,
  OverviewQuery,
  ProductAnalyticsAnswer,
  SeriesAnswer,
  SeriesQuery,
} from './analytics.schema.ts'
import { standingOf, topOf } from './overview.service.ts'
import { pointsOf, seriesMetrics } from './series.rules.ts'
import { countsByDay, isProductCounted, type Ranked } from './summary.store.ts'

const tag = 'Analytics'
const access = admin('VIEWER')
const days = 'UTC days, both included; at most 366.'

export type AnalyticsRouteDeps = {
  clock: Clock
  productExists(platform: PlatformScope, productId: string): Promise<boolean>
}

export function analyticsRoutes(deps: AnalyticsRouteDeps): Route[] {
  return [overview(deps), product(deps), timeseries(deps), events(deps)]
}

function overview({ clock }: AnalyticsRouteDeps): Route {
  return route({
    method: 'GET',
    path: '/admin/analytics/overview',
    name: 'getAnalyticsOverview',
    tag,
    summary: 'What was read most, beside the time before',
    description: `${days} What was read is seen here within about a second.`,
    access,
    query: OverviewQuery,
    answers: { 200: OverviewAnswer },
    handle: async ({ platform, query }) => {
      const asked = { period: readPeriod(query, clock), productId: null }
      const standing = await standingOf(platform, asked)
      const [products, pages] = [await topOf(platform, asked, 'products'), await topOf(platform, asked, 'pages')]
      return ok({
        overview: {
          ...standing,
          topProducts: products.map(({ key: _, ...ranked }) => ranked),
          topPages: pages.map(({ key, ...ranked }) => ({ pageSlug: key, ...countsOf(ranked) })),
          topDocs: (await topOf(platform, asked, 'docs')).map(docView),
          topDownloads: (await topOf(platform, asked, 'downloads')).map(downloadView),
          referrers: (await topOf(platform, asked, 'referrers')).map(referrerView),
          devices: (await topOf(platform, asked, 'devices')).map(deviceView),
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
    summary: 'What was read and downloaded of a product',
    description: `${days} Also of a product that was removed since.`,
    access,
    query: OverviewQuery,
    answers: { 200: ProductAnalyticsAnswer },
    refusals: ['NOT_FOUND'],
    handle: async ({ platform, params: { productId }, query }) => {
      const asked = { period: readPeriod(query, clock), productId }
      const isKnown = (await productExists(platform, productId)) || (await isProductCounted(platform, productId))
      if (!isKnown) throw notFound()
      const standing = await standingOf(platform, asked)
      return ok({
        product: {
          productId,
          ...standing,
          docs: (await topOf(platform, asked, 'docs')).map(docView),
          downloads: (await topOf(platform, asked, 'downloads')).map(downloadView),
          versions: (await topOf(platform, asked, 'versions')).map(({ key, ...ranked }) => ({
            versionId: key,
            ...countsOf(ranked),
          })),
          referrers: (await topOf(platform, asked, 'referrers')).map(referrerView),
          devices: (await topOf(platform, asked, 'devices')).map(deviceView),
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
    summary: 'One number over time',
    description: `${days} As \`text/csv\` (by \`Accept\` or \`format=csv\`) one line for each point.`,
    access,
    query: SeriesQuery,
    answers: { 200: { json: SeriesAnswer, rawTypes: [csvMediaType], description: 'The points, or a file of them.' } },
    handle: async ({ platform, query, headers }) => {
      const { metric, interval = 'day', productId, pageSlug = null, format } = query
      const period = readPeriod(query, clock)
      const { from, to } = period
      const counted = await countsByDay(platform, {
        ...{ from, to, pageSlug, productId: idAsked(productId) },
        ...seriesMetrics[metric],
      })
      const points = pointsOf(period, interval, counted)
      if (wantsCsv(format, headers.accept)) {
        const lines = points.map(({ start, value }) => csvLine([start, String(value)]))
        return csvAnswer(`${csvLine(['start', metric])}${lines.join('')}`, `${metric}-${from}-${to}`)
      }
      const total = points.reduce((sum, { value }) => sum + value, 0)
      return { ...ok({ timeseries: { metric, interval, from, to, points, total } }), headers: { vary: 'Accept' } }
    },
  })
}

function events({ clock }: AnalyticsRouteDeps): Route {
  return route({
    method: 'GET',
    path: '/admin/analytics/events',
    name: 'listAnalyticsEvents',
    tag,
    summary: 'List visits as they were counted, newest first',
    description: `${days} No address is among what is kept of a visit. \`total\` counts to ${countedMax} at most. As \`text/csv\` (by \`Accept\` or \`format=csv\`) all that the filter finds comes in one file, up to the newest ${exportEventsMax}; \`page\` and \`limit\` then do nothing.`,
    access,
    query: EventQuery,
    answers: {
      200: { json: EventList, rawTypes: [csvMediaType], description: 'A page of visits, or a file of them.' },
    },
    handle: async ({ platform, query, headers }) => {
      const { page = 1, limit = 20, type = null, productId, format } = query
      const { from, to, start, end } = readPeriod(query, clock)
      const filter = { type, productId: idAsked(productId), from: start, until: end }
      if (wantsCsv(format, headers.accept)) return csvAnswer(exportEvents(platform, filter), `visits-${from}-${to}`)
      const { items, total } = await listEvents(platform, { page, limit, ...filter })
      const body = {
        events: items.map((event) => ({
          ...event,
          type: event.type as NonNullable<EventQuery['type']>,
          at: event.at.toISOString(),
        })),
        pagination: toPagination({ page, limit }, total),
      }
      return { ...ok(body), headers: { vary: 'Accept' } }
    },
  })
}

const nobody = '00000000-0000-7000-8000-000000000000'

function idAsked(text: string | undefined): string | null {
  if (text === undefined) return null
  return isId(text) ? text : nobody
}

function countsOf({ views, raw: all, bots, uniques }: Omit<Ranked, 'key'>) {
  return { views, raw: all, bots, uniques }
}

function docView({ key, ...ranked }: Ranked) {
  return { docSlug: key, ...ranked }
}

function downloadView({ key, ...ranked }: Ranked) {
  return { downloadId: key, ...ranked }
}

function referrerView({ key, ...ranked }: Ranked) {
  return { host: key === '' ? null : key, ...countsOf(ranked) }
}

function deviceView({ key, ...ranked }: Ranked) {
  return { device: key as 'desktop', ...countsOf(ranked) }
}
