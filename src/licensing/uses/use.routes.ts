import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import {
  isoOrNull,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { scopeToTenant } from '../../storage/scope.ts'
import { licenseKeyParam } from '../licenses/license.schema.ts'
import type { LicenseService } from '../licenses/license.service.ts'
import { listUses, useSources } from './use.store.ts'

const UseAnswer = Type.Object(
  {
    operationId: Type.String({
      description: 'The id of the VPN session or of the validation that took the use.',
      examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
    }),
    source: StringEnum(useSources),
    usedAt: Timestamp,
    refundedAt: Nullable(Timestamp, 'When the use was refunded. Null: it counts.'),
  },
  { title: 'LicenseUse', additionalProperties: false },
)

export function useRoutes({ licenses }: { licenses: LicenseService }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/vault/v1/licenses/:key/uses',
      name: 'listLicenseUses',
      tag: 'Licenses',
      summary: 'List the uses of a license',
      description: 'Newest first.',
      access: admin('VIEWER'),
      params: licenseKeyParam,
      query: StrictObject(PageQuery),
      answers: { 200: StrictObject({ uses: Type.Array(UseAnswer), pagination: PaginationSchema }) },
      handle: async ({ platform, params, query: { page = 1, limit = 20 } }) => {
        const { id, tenantId } = await licenses.get(platform, params.key)
        const { items, total } = await listUses(scopeToTenant(platform, tenantId), id, { page, limit })
        const uses = items.map((use) => ({
          ...use,
          usedAt: use.usedAt.toISOString(),
          refundedAt: isoOrNull(use.refundedAt),
        }))
        return ok({ uses, pagination: toPagination({ page, limit }, total) })
      },
    }),
  ]
}
