import { utcDay } from '../../kernel/period.ts'
import type { Counts } from './summary.rules.ts'

export const viewTypes = ['product.view', 'page.view', 'doc.view'] as const

/** The metrics over time: which number of which types of visits. */
export const seriesMetrics = {
  views: { types: viewTypes, column: 'views' },
  raw: { types: viewTypes, column: 'raw' },
  bots: { types: viewTypes, column: 'bots' },
  uniques: { types: viewTypes, column: 'uniques' },
  productViews: { types: ['product.view'], column: 'views' },
  pageViews: { types: ['page.view'], column: 'views' },
  docViews: { types: ['doc.view'], column: 'views' },
  downloads: { types: ['sdk.download'], column: 'views' },
  searches: { types: ['search'], column: 'views' },
  clicks: { types: ['cta.click'], column: 'views' },
} as const satisfies Record<string, { types: readonly string[]; column: keyof Counts }>

export type SeriesMetric = keyof typeof seriesMetrics
export const intervals = ['day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

export type Point = { start: string; value: number }

const dayMs = 24 * 3600 * 1000

/**
 * One point per interval that the days touch, in order. Weeks start on Monday (ISO 8601). The first and last intervals may
 * be partial: only the requested days are counted.
 */
export function seriesPoints(
  { start, end }: { start: Date; end: Date },
  interval: Interval,
  counted: { day: string; value: number }[],
): Point[] {
  const sums = new Map<string, number>()
  for (let at = start; at < end; at = new Date(at.getTime() + dayMs)) sums.set(intervalStart(at, interval), 0)
  for (const { day, value } of counted) {
    const name = intervalStart(new Date(`${day}T00:00:00.000Z`), interval)
    sums.set(name, (sums.get(name) ?? 0) + value)
  }
  return [...sums].map(([name, value]) => ({ start: name, value }))
}

function intervalStart(at: Date, interval: Interval): string {
  if (interval === 'day') return utcDay(at)
  if (interval === 'month') return `${utcDay(at).slice(0, 7)}-01`
  const sinceMonday = (at.getUTCDay() + 6) % 7
  return utcDay(new Date(at.getTime() - sinceMonday * dayMs))
}
