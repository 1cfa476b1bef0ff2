import { admin } from '../../http/access/access.ts'
import { accepted, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { Day, Id, isoOrNull, Nullable, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { usageScopes } from '../meters/counter.store.ts'
import { meterNames } from '../meters/meter.rules.ts'
import type { Recounts } from './recount.service.ts'
import type { Recount } from './recount.store.ts'

const amount = Type.Integer({ examples: [42] })

const Difference = Type.Object(
  {
    meter: StringEnum(meterNames),
    scope: StringEnum(usageScopes),
    subjectId: Id,
    span: Nullable(StringEnum(['month', 'day']), 'Null for what is stored.'),
    window: Nullable(Day, 'The first day. Null for what is stored.'),
    counted: { ...amount, description: 'What the counter said.' },
    expected: { ...amount, description: 'The sum of the uses, or of what is stored.' },
    isCorrected: Type.Boolean({ description: 'Counters of what is stored are corrected.' }),
  },
  { title: 'UsageDifference', additionalProperties: false },
)

const Answer = StrictObject({
  recount: Type.Object(
    {
      id: Id,
      createdAt: Timestamp,
      finishedAt: Nullable(Timestamp, 'Null: its job has not run yet.'),
      differences: Nullable(Type.Array(Difference), 'At most 1000. Null until it ran.'),
    },
    { title: 'UsageRecount', additionalProperties: false },
  ),
})

export function recountRoutes(recounts: Recounts): Route[] {
  return [
    route({
      method: 'POST',
      path: '/admin/tenants/:tenantId/usage/recount',
      name: 'recountTenantUsage',
      tag: 'Usage',
      summary: 'Compare the counters of a tenant with the uses behind them',
      description:
        'A job compares this month and the one before, and adds up what is stored. Counters of uses are not changed; the counter of what is stored is corrected.',
      access: admin('OWNER'),
      answers: { 202: Answer },
      refusals: ['NOT_FOUND'],
      idempotent: true,
      handle: async ({ platform, params: { tenantId } }) => {
        const recount = await recounts.request(platform, tenantId)
        return { ...accepted({ recount: recountView(recount) }), tenantId }
      },
    }),
    route({
      method: 'GET',
      path: '/admin/tenants/:tenantId/usage/recounts/:recountId',
      name: 'getTenantUsageRecount',
      tag: 'Usage',
      summary: 'Get the result of a recount',
      description: 'Kept 35 days.',
      access: admin('VIEWER'),
      answers: { 200: Answer },
      refusals: ['NOT_FOUND'],
      handle: async ({ platform, params: { tenantId, recountId } }) =>
        ok({ recount: recountView(await recounts.get(platform, { tenantId, id: recountId })) }),
    }),
  ]
}

function recountView({ createdAt, finishedAt, ...recount }: Recount) {
  return { ...recount, createdAt: createdAt.toISOString(), finishedAt: isoOrNull(finishedAt) }
}
