import type { Static } from 'typebox'
import { admin } from '../../http/access/access.ts'
import { noContent, ok } from '../../http/answer.ts'
import { resolveTenantScope, type TenantExists } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { Id, isoOrNull } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { tag } from '../access.ts'
import type { LimitedName } from '../meters/meter.rules.ts'
import type { SetQuota } from './override.rules.ts'
import { QuotaChange, QuotaDetail } from './override.schema.ts'
import type { OverrideService } from './override.service.ts'

const path = '/admin/tenants/:tenantId/quotas/:meter'
const params = {
  tenantId: Id,
  meter: Type.String({ description: 'A meter, or `modelTokensPerDay`.', examples: ['meetings'] }),
}

type Deps = { overrides: OverrideService; tenantExists: TenantExists }

export function overrideRoutes({ overrides, tenantExists }: Deps): Route[] {
  return [
    route({
      method: 'GET',
      path,
      name: 'getTenantQuota',
      tag,
      summary: 'Get what is set for a quota of a tenant',
      description:
        '`override` is null where the plan decides. `granted` is the sum of the grants of the current window.',
      access: admin('VIEWER'),
      params,
      answers: { 200: QuotaDetail },
      refusals: ['NOT_FOUND'],
      handle: async ({ platform, params: { tenantId, meter } }) =>
        ok({
          quota: quotaView(await overrides.get(await resolveTenantScope(platform, tenantId, tenantExists), meter)),
        }),
    }),
    route({
      method: 'PUT',
      path,
      name: 'setTenantQuota',
      tag,
      summary: 'Set a quota of a tenant',
      description:
        'Replaces what the plan says, or with `grant` adds to the limit once: in the current window only. Refused with STATE_CONFLICT if there is no limit to add to. Send a grant with an `Idempotency-Key`, so that a repeated request adds it once.',
      access: admin('OWNER'),
      params,
      body: QuotaChange,
      answers: { 200: QuotaDetail },
      refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
      idempotent: true,
      rules: ({ params: { meter }, body }) => overrides.rules(meter, body),
      handle: async ({ platform, params: { tenantId, meter }, body }) => {
        const scope = await resolveTenantScope(platform, tenantId, tenantExists)
        return ok({ quota: quotaView(await overrides.set(scope, meter, body)) })
      },
    }),
    route({
      method: 'DELETE',
      path,
      name: 'deleteTenantQuota',
      tag,
      summary: 'Let the plan decide on a quota again',
      description: 'Deletes what was set for the tenant, and the grants of the current window.',
      access: admin('OWNER'),
      params,
      answers: { 204: null },
      refusals: ['NOT_FOUND'],
      handle: async ({ platform, params: { tenantId, meter } }) => {
        await overrides.remove(await resolveTenantScope(platform, tenantId, tenantExists), meter)
        return noContent()
      },
    }),
  ]
}

function quotaView({
  name: meter,
  override,
  granted,
}: SetQuota & { name: LimitedName }): Static<typeof QuotaDetail>['quota'] {
  if (override === null) return { meter, override, granted }
  const { hasHard, until, ...members } = override
  return { meter, override: { ...members, isPlanLimit: !hasHard, until: isoOrNull(until) }, granted }
}
