import type { TProperties } from 'typebox'
import { FormatQuery } from '../../http/csv-answer.ts'
import { Day, Id, Nullable, PeriodQuery, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { devices } from '../events/user-agent.rules.ts'
import { IdText } from '../id-filter.ts'
import { intervals, type SeriesMetric, seriesMetrics } from './series.rules.ts'

const count = (description: string, example = 120) => Type.Integer({ description, examples: [example] })
const Counts = {
  views: count('Views by people; a repeat by the same visitor within 30 seconds does not count.'),
  raw: count('Views by people, every one counted.', 150),
  bots: count('Views by robots; not included in the other numbers.', 31),
  uniques: count(
    'Daily visitors per product, added up: a visitor on two days counts twice. Visitors who opted out of tracking are not counted.',
    64,
  ),
}

const Totals = Type.Object(
  {
    ...Counts,
    productViews: count('Of products.', 80),
    pageViews: count('Of pages.', 30),
    docViews: count('Of product docs.', 10),
    downloads: count('Counted downloads.', 4),
    searches: count('Searches.', 2),
    clicks: count('Clicks on calls to action.', 3),
  },
  {
    title: 'AnalyticsTotals',
    additionalProperties: false,
    description: '`views`, `raw`, `bots` and `uniques` cover products, pages and docs.',
  },
)

const Previous = StrictObject(
  { from: Day, to: Day, totals: Totals },
  { description: 'The same number of days right before.' },
)
const standing = { from: Day, to: Day, totals: Totals, previous: Previous }

const ranking = <P extends TProperties>(title: string, key: P, description: string) =>
  Type.Array(Type.Object({ ...key, ...Counts }, { title, additionalProperties: false }), { description })

const ofProduct = {
  productId: Nullable(Id),
  productSlug: Nullable(Type.String({ description: 'Its last known slug.', examples: ['vault-vpn'] })),
}
const Docs = ranking(
  'AnalyticsDoc',
  { ...ofProduct, docSlug: Type.String({ examples: ['getting-started'] }) },
  'The ten most read docs.',
)
const Downloads = ranking(
  'AnalyticsDownload',
  { ...ofProduct, downloadId: Id },
  'The ten most downloaded files; views are downloads.',
)
const Referrers = ranking(
  'AnalyticsReferrer',
  {
    host: Nullable(
      Type.String({ examples: ['news.example.com'] }),
      'Null: no referrer, or the own host. `(other)`: hosts beyond the daily limit of names.',
    ),
  },
  'The ten most frequent referring hosts.',
)
const Devices = ranking(
  'AnalyticsDevice',
  { device: StringEnum(devices) },
  'By kind of device. `api`: a program that identifies itself.',
)

export const OverviewQuery = StrictObject(PeriodQuery)
export const OverviewAnswer = StrictObject({
  overview: Type.Object(
    {
      ...standing,
      topProducts: ranking('AnalyticsProduct', ofProduct, 'The ten most read products.'),
      topPages: ranking(
        'AnalyticsPage',
        { pageSlug: Type.String({ examples: ['pricing'] }) },
        'The ten most read pages.',
      ),
      topDocs: Docs,
      topDownloads: Downloads,
      referrers: Referrers,
      devices: Devices,
    },
    { title: 'AnalyticsOverview', additionalProperties: false },
  ),
})

export const ProductAnalyticsAnswer = StrictObject({
  product: Type.Object(
    {
      productId: Id,
      ...standing,
      docs: Docs,
      downloads: Downloads,
      versions: ranking(
        'AnalyticsVersion',
        { versionId: Id },
        'The ten most downloaded versions; views are downloads.',
      ),
      referrers: Referrers,
      devices: Devices,
    },
    { title: 'ProductAnalytics', additionalProperties: false },
  ),
})

const metricWords = Object.keys(seriesMetrics) as [SeriesMetric, ...SeriesMetric[]]

export const SeriesQuery = StrictObject({
  metric: StringEnum(metricWords, {
    description: '`views`, `raw`, `bots` and `uniques` cover products, pages and docs.',
  }),
  interval: Type.Optional(StringEnum(intervals, { description: 'Weeks start on Monday. Default: `day`.' })),
  ...PeriodQuery,
  productId: Type.Optional(IdText),
  pageSlug: Type.Optional(
    Type.String({ maxLength: 256, description: 'The slug of one page or doc.', examples: ['pricing'] }),
  ),
  format: FormatQuery,
})

export const SeriesAnswer = StrictObject({
  timeseries: Type.Object(
    {
      metric: StringEnum(metricWords),
      interval: StringEnum(intervals),
      from: Day,
      to: Day,
      points: Type.Array(
        Type.Object(
          { start: Day, value: Type.Integer({ examples: [12] }) },
          { title: 'AnalyticsPoint', additionalProperties: false },
        ),
        {
          description:
            'One per interval, also for empty ones, named by its first day. Days outside `from` and `to` are not counted.',
        },
      ),
      total: count('Sum of all points.'),
    },
    { title: 'AnalyticsTimeseries', additionalProperties: false },
  ),
})
