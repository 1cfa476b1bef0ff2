import type { Period } from '../../kernel/period.ts'
import { utcDay } from '../../kernel/period.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Dimension } from './dimension.rules.ts'
import { viewTypes } from './series.rules.ts'
import type { Counts } from './summary.rules.ts'
import { type Days, mostViewed, type Ranked, totalsByType } from './summary.store.ts'

export type Totals = Counts & {
  productViews: number
  pageViews: number
  docViews: number
  downloads: number
  searches: number
  clicks: number
}

type Asked = { period: Period; productId: string | null }

const rankedMax = 10
const nothing: Counts = { views: 0, raw: 0, bots: 0, uniques: 0 }
const dayMs = 24 * 3600 * 1000

/** The same number of days right before the period. */
function periodBefore({ start, end }: Period): Days {
  const days = (end.getTime() - start.getTime()) / dayMs
  return { from: utcDay(new Date(start.getTime() - days * dayMs)), to: utcDay(new Date(start.getTime() - dayMs)) }
}

async function periodTotals(platform: PlatformScope, asked: Days & { productId: string | null }): Promise<Totals> {
  const byType = new Map((await totalsByType(platform, asked)).map((row) => [row.type, row]))
  const of = (type: string): Counts => byType.get(type) ?? nothing
  const sum = (name: keyof Counts) => viewTypes.reduce((total, type) => total + of(type)[name], 0)
  return {
    views: sum('views'),
    raw: sum('raw'),
    bots: sum('bots'),
    uniques: sum('uniques'),
    productViews: of('product.view').views,
    pageViews: of('page.view').views,
    docViews: of('doc.view').views,
    downloads: of('sdk.download').views,
    searches: of('search').views,
    clicks: of('cta.click').views,
  }
}

/** The totals of a period and of the one before. */
export async function compareWithPrevious(platform: PlatformScope, { period, productId }: Asked) {
  const { from, to } = period
  const before = periodBefore(period)
  const totals = await periodTotals(platform, { from, to, productId })
  const previous = { ...before, totals: await periodTotals(platform, { ...before, productId }) }
  return { from, to, totals, previous }
}

type Ranking = { types: readonly string[]; dimension: Dimension; isOfProduct: boolean }

const rankings = {
  products: { types: ['product.view'], dimension: 'all', isOfProduct: true },
  pages: { types: ['page.view'], dimension: 'page', isOfProduct: false },
  docs: { types: ['doc.view'], dimension: 'page', isOfProduct: true },
  downloads: { types: ['sdk.download'], dimension: 'download', isOfProduct: true },
  versions: { types: ['sdk.download'], dimension: 'version', isOfProduct: true },
  referrers: { types: viewTypes, dimension: 'referrer', isOfProduct: false },
  devices: { types: viewTypes, dimension: 'device', isOfProduct: false },
} as const satisfies Record<string, Ranking>

export function top(
  platform: PlatformScope,
  { period, productId }: Asked,
  name: keyof typeof rankings,
): Promise<Ranked[]> {
  const { from, to } = period
  return mostViewed(platform, { from, to, productId, limit: rankedMax, ...rankings[name] })
}
