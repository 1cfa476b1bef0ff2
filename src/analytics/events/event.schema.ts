import type { Static } from 'typebox'
import { FormatQuery } from '../../http/csv-answer.ts'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  PeriodQuery,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { IdText } from '../id-filter.ts'
import { devices } from './user-agent.rules.ts'

const eventTypes = ['product.view', 'page.view', 'doc.view', 'sdk.download', 'search', 'cta.click'] as const

export const EventQuery = StrictObject({
  ...PageQuery,
  ...PeriodQuery,
  type: Type.Optional(StringEnum(eventTypes)),
  productId: Type.Optional(IdText),
  format: FormatQuery,
})
export type EventQuery = Static<typeof EventQuery>

const slug = (example: string) => Nullable(Type.String({ examples: [example] }))

const EventAnswer = Type.Object(
  {
    id: Id,
    type: StringEnum(eventTypes),
    at: Timestamp,
    visits: Type.Integer({
      description: 'More than one where visits were rolled up because the database was unreachable for long.',
      examples: [1],
    }),
    productId: Nullable(Id),
    productSlug: slug('vault-vpn'),
    pageSlug: slug('pricing'),
    docSlug: slug('getting-started'),
    downloadId: Nullable(Id),
    versionId: Nullable(Id),
    visitorHash: Nullable(
      Type.String({ examples: ['5f2b9c0d7e1a4c3b8d6f0a9e2c4b7d1f'] }),
      'The same for one visitor on one day. Null for robots and for visitors who opted out of tracking.',
    ),
    isBot: Type.Boolean({ examples: [false] }),
    isRepeat: Type.Boolean({
      description: 'Whether the same visitor viewed it within the last 30 seconds.',
      examples: [false],
    }),
    referrerHost: Nullable(Type.String({ examples: ['news.example.com'] })),
    utm: Nullable(Type.Object({}, { additionalProperties: { type: 'string' }, examples: [{ source: 'newsletter' }] })),
    device: StringEnum(devices),
    agentFamily: Type.String({ examples: ['Firefox'] }),
  },
  { title: 'AnalyticsEvent', additionalProperties: false },
)

export const EventList = StrictObject({ events: Type.Array(EventAnswer), pagination: PaginationSchema })
