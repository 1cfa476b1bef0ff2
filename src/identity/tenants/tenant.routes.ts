import { admin } from '../../http/access/access.ts'
import { created, noContent, ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { maskedKeyPrefix, type Tenant, tenantRules } from './tenant.rules.ts'
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

export function tenantRoutes(tenants: Tenants): Route[] {
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
      refusals: ['SLUG_TAKEN'],
      idempotent: true,
      rules: ({ body }) => tenantRules(body),
      handle: async ({ platform, body }) => {
        const tenant = await tenants.create(platform, body)
        return created(`/admin/tenants/${tenant.id}`, { tenant: tenantView(tenant) })
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
        return ok({ tenants: items.map(tenantView), pagination: toPagination({ page, limit }, total) })
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
      handle: async ({ platform, params }) => ok({ tenant: tenantView(await tenants.get(platform, params.tenantId)) }),
    }),
    route({
      method: 'PATCH',
      path: '/admin/tenants/:tenantId',
      name: 'updateTenant',
      tag,
      summary: 'Update a tenant',
      description:
        'Changes, suspends or activates a tenant. Absent members keep their value, and `null` clears them. `limits` and `whitelabelConfig` are merged member by member.',
      access: admin('OWNER'),
      body: TenantChange,
      answers: { 200: TenantDetail },
      refusals: ['STATE_CONFLICT'],
      rules: ({ body }) => tenantRules(body),
      handle: async ({ platform, params, body }) =>
        ok({ tenant: tenantView(await tenants.update(platform, params.tenantId, body)) }),
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

function tenantView({ keyPrefix, createdAt, updatedAt, ...tenant }: Tenant): TenantView {
  return {
    ...tenant,
    apiKey: maskedKeyPrefix(keyPrefix),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
