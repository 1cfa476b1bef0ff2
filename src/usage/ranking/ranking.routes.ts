import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { Day, Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { limitedNames, meterOfLimit, meters, windowAt } from '../meters/meter.rules.ts'
import type { MeteringDeps } from '../meters/metering.service.ts'
import { listTenantsByUse } from './ranking.store.ts'

export type RankingDeps = { clock: Clock; planOf: MeteringDeps['planOf'] }

/** What is stored is not counted in windows. */
const rankedNames = limitedNames.filter((name) => meters[meterOfLimit(name).meter].kind !== 'stock')

const amount = (example: number) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [example] })

const Query = StrictObject({
  meter: Type.Optional(StringEnum(rankedNames, { description: 'Absent: `meetings`.' })),
  groupBy: Type.Optional(StringEnum(['tenant'])),
  sort: Type.Optional(StringEnum(['amount'], { description: 'Most first.' })),
  over: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      examples: [80],
      description: 'Only tenants that have used more than so many percent of their limit.',
    }),
  ),
  ...PageQuery,
})

const Answer = StrictObject({
  window: Type.Object(
    { from: Day, to: { ...Day, description: 'The first day after the window.' }, kind: StringEnum(['month', 'day']) },
    { additionalProperties: false },
  ),
  usage: Type.Array(
    Type.Object(
      {
        tenantId: Id,
        name: Type.String({ examples: ['Acme'] }),
        amount: amount(190),
        reserved: amount(0),
        limit: Nullable(amount(200), 'Null: none.'),
      },
      { title: 'RankedTenant', additionalProperties: false },
    ),
  ),
  pagination: PaginationSchema,
})

export function rankingRoutes({ clock, planOf }: RankingDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/usage',
      name: 'listTenantsByUsage',
      tag: 'Usage',
      summary: 'List the tenants that have used most of a meter in the current window',
      access: admin('VIEWER'),
      query: Query,
      answers: { 200: Answer },
      handle: async ({ platform, query: { meter: name = 'meetings', over = null, page = 1, limit = 20 } }) => {
        const now = clock.now()
        const { items, total } = await listTenantsByUse(platform, { page, limit }, { name, over, planOf, now })
        const { from, to, span: kind } = windowAt(now, meterOfLimit(name).span)
        return ok({ window: { from, to, kind }, usage: items, pagination: toPagination({ page, limit }, total) })
      },
    }),
  ]
}
