import { admin } from '../../http/access/access.ts'
import { created, noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { type DefaultLimits, effectiveLimits } from '../../kernel/quota.ts'
import { maskedKeyPrefix, type Tenant } from './tenant.rules.ts'
import {
  Confirmation,
  NewTenant,
  TenantChange,
  TenantDetail,
  TenantList,
  TenantQuery,
  type TenantView,
} from './tenant.schema.ts'
import type { Tenants } from './tenant.service.ts'

const tag = 'Tenants'

type TenantRouteDeps = { tenants: Tenants; defaultLimits: DefaultLimits }

export function tenantRoutes({ tenants, defaultLimits }: TenantRouteDeps): Route[] {
  const toView = (tenant: Tenant): TenantView => tenantView(tenant, defaultLimits)
  return [
    route({
      method: 'POST',
      path: '/admin/tenants',
      name: 'createTenant',
      tag,
      summary: 'Create a tenant',
      access: admin('OWNER'),
      body: NewTenant,
      answers: { 201: TenantDetail },
      // NOT_FOUND: a repeat, after the tenant was erased.
      refusals: ['SLUG_TAKEN', 'UNKNOWN_PRODUCT', 'NOT_FOUND'],
      idempotent: true,
      rules: ({ platform, body }) => tenants.rules(platform, body),
      handle: async ({ platform, body }) => {
        const tenant = await tenants.create(platform, body)
        return { ...created(`/admin/tenants/${tenant.id}`, { tenant: toView(tenant) }), tenantId: tenant.id }
      },
    }),
    route({
      method: 'GET',
      path: '/admin/tenants',
      name: 'listTenants',
      tag,
      summary: 'List tenants',
      description: 'Newest first.',
      access: admin('VIEWER'),
      query: TenantQuery,
      answers: { 200: TenantList },
      handle: async ({ platform, query: { page = 1, limit = 20, status = null, q = null } }) => {
        const { items, total } = await tenants.list(platform, { page, limit, status, q })
        return ok({ tenants: items.map(toView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/admin/tenants/:tenantId',
      name: 'getTenant',
      tag,
      summary: 'Get a tenant',
      access: admin('VIEWER'),
      answers: { 200: TenantDetail },
      handle: async ({ platform, params }) => ok({ tenant: toView(await tenants.get(platform, params.tenantId)) }),
    }),
    route({
      method: 'PATCH',
      path: '/admin/tenants/:tenantId',
      name: 'updateTenant',
      tag,
      summary: 'Update a tenant',
      description:
        'Changes, suspends or activates a tenant. Absent members keep their value, and `null` clears them. `limits` and `whitelabelConfig` are merged member by member; `limits: null` brings the defaults of the installation back.',
      access: admin('OWNER'),
      body: TenantChange,
      answers: { 200: TenantDetail },
      refusals: ['STATE_CONFLICT', 'UNKNOWN_PRODUCT'],
      rules: ({ platform, body }) => tenants.rules(platform, body),
      handle: async ({ platform, params, body }) =>
        ok({ tenant: toView(await tenants.update(platform, params.tenantId, body)) }),
    }),
    route({
      method: 'DELETE',
      path: '/admin/tenants/:tenantId',
      name: 'deleteTenant',
      tag,
      summary: 'Delete a tenant',
      description:
        'Its keys, users and devices stop working at once, and its slug becomes free. The data is kept until the tenant is erased.',
      access: admin('OWNER'),
      query: Confirmation,
      answers: { 204: null },
      refusals: ['STATE_CONFLICT'],
      handle: async ({ platform, params, query }) => {
        await tenants.remove(platform, { id: params.tenantId, confirm: query.confirm })
        return noContent()
      },
    }),
  ]
}

function tenantView(
  { keyPrefix, createdAt, updatedAt, limits, areProductsChosen: _, ...tenant }: Tenant,
  defaultLimits: DefaultLimits,
): TenantView {
  return {
    ...tenant,
    limits: effectiveLimits(limits, defaultLimits),
    apiKey: maskedKeyPrefix(keyPrefix),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
