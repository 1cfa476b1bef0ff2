import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { Id, Nullable, PageQuery, PaginationSchema, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { listUnsettled } from './unsettled.store.ts'

const Answer = StrictObject({
  reservations: Type.Array(
    Type.Object(
      {
        id: Id,
        tenantId: Id,
        orgId: Nullable(Id),
        userId: Nullable(Id),
        tokens: Type.Integer({ minimum: 0, examples: [1200] }),
        reservedAt: Timestamp,
        countedAt: Timestamp,
      },
      { title: 'UnsettledReservation', additionalProperties: false },
    ),
  ),
  pagination: PaginationSchema,
})

export function unsettledRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/usage/unsettled',
      name: 'listUnsettledReservations',
      tag: 'Usage',
      summary: 'List reservations of tokens that were never settled',
      description: 'They count as used after ten minutes. Newest first, of the last 35 days.',
      access: admin('VIEWER'),
      query: StrictObject(PageQuery),
      answers: { 200: Answer },
      handle: async ({ platform, query: { page = 1, limit = 20 } }) => {
        const { items, total } = await listUnsettled(platform, { page, limit })
        const reservations = items.map(({ amount: tokens, reservedAt, countedAt, ...reservation }) => ({
          ...reservation,
          tokens,
          reservedAt: reservedAt.toISOString(),
          countedAt: countedAt.toISOString(),
        }))
        return ok({ reservations, pagination: toPagination({ page, limit }, total) })
      },
    }),
  ]
}
