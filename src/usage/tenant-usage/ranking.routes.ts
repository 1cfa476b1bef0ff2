import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import type { DefaultLimits } from '../../kernel/quota.ts'
import { Day, Id, Nullable, PageQuery, PaginationSchema, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { limitedNames, meterOfLimit, meters, windowAt } from '../meters/meter.rules.ts'
import type { MeteringDeps } from '../meters/metering.service.ts'
import { listTenantsByUse } from './ranking.store.ts'

export type RankingDeps = { clock: Clock; planOf: MeteringDeps['planOf']; defaultLimits: DefaultLimits }

const amount = (example: number) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [example] })

const Query = StrictObject({
  meter: Type.Optional(StringEnum(limitedNames, { description: 'Absent: `meetings`.' })),
  groupBy: Type.Optional(StringEnum(['tenant'])),
  sort: Type.Optional(StringEnum(['amount'], { description: 'Largest amount first.' })),
  over: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      examples: [80],
      description: 'Only tenants that have used more than this percentage of their limit.',
    }),
  ),
  ...PageQuery,
})

const Answer = StrictObject({
  window: Nullable(
    Type.Object(
      { from: Day, to: { ...Day, description: 'The first day after the window.' }, kind: StringEnum(['month', 'day']) },
      { additionalProperties: false },
    ),
    'Null for what is stored: as much as there is now.',
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

export function rankingRoutes({ clock, planOf, defaultLimits }: RankingDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/usage',
      name: 'listTenantsByUsage',
      tag: 'Usage',
      summary: 'List the tenants that have used most of a meter in the current window, or store most',
      access: admin('VIEWER'),
      query: Query,
      answers: { 200: Answer },
      handle: async ({ platform, query: { meter: name = 'meetings', over = null, page = 1, limit = 20 } }) => {
        const now = clock.now()
        const question = { name, over, planOf, defaultLimits, now }
        const { items, total } = await listTenantsByUse(platform, { page, limit }, question)
        const { meter, span } = meterOfLimit(name)
        const { from, to, span: kind } = windowAt(now, span)
        const window = meters[meter].kind === 'stock' ? null : { from, to, kind }
        return ok({ window, usage: items, pagination: toPagination({ page, limit }, total) })
      },
    }),
  ]
}
