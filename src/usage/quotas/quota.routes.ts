import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { notFound } from '../../kernel/refusal.ts'
import { isoOrNull } from '../../kernel/schemas.ts'
import { type PlatformScope, scopeToTenant } from '../../storage/scope.ts'
import { type Organizations, readableSubject, requireOrgId, usageAccess } from '../usage-subject.ts'
import type { Quota } from './quota.rules.ts'
import { QuotaListAnswer, QuotaQuery } from './quota.schema.ts'
import type { QuotaList } from './quota.service.ts'

export type QuotaRouteDeps = {
  listQuotas: QuotaList
  organizations(): Organizations
  tenantExists(platform: PlatformScope, tenantId: string): Promise<boolean>
}

const description =
  'All meters, and the limits that are stored with the tenant. Meters that are counted in batches are about a second late.'

export function quotaRoutes({ listQuotas, organizations, tenantExists }: QuotaRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/assistant/v1/usage/quotas',
      name: 'listQuotas',
      tag: 'Usage',
      summary: 'List your limits, or those of an organization or the tenant, and what is used of them',
      description,
      access: usageAccess,
      query: QuotaQuery,
      answers: { 200: QuotaListAnswer },
      refusals: ['NOT_FOUND', 'INSUFFICIENT_ROLE'],
      rules: ({ query }) => [() => requireOrgId(query)],
      handle: async ({ scope, user, query }) => {
        const subject = await readableSubject(scope, { user, members: organizations() }, query)
        return ok({ quotas: (await listQuotas(scope, subject)).map(quotaView) })
      },
    }),
    route({
      method: 'GET',
      path: '/admin/tenants/:tenantId/quotas',
      name: 'listTenantQuotas',
      tag: 'Usage',
      summary: 'List the limits of a tenant and what is used of them',
      description,
      access: admin('VIEWER'),
      answers: { 200: QuotaListAnswer },
      refusals: ['NOT_FOUND'],
      handle: async ({ platform, params: { tenantId } }) => {
        if (!(await tenantExists(platform, tenantId))) throw notFound()
        const quotas = await listQuotas(scopeToTenant(platform, tenantId), { scope: 'tenant', id: tenantId })
        return ok({ quotas: quotas.map(quotaView) })
      },
    }),
  ]
}

function quotaView({ window, resetsAt, forecast, ...quota }: Quota) {
  return {
    ...quota,
    window: window && { from: window.from, to: window.to, kind: window.span },
    resetsAt: isoOrNull(resetsAt),
    forecast: forecast && { atEnd: forecast.atEnd, reachesLimitAt: isoOrNull(forecast.reachesLimitAt) },
  }
}
