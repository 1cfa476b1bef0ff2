import { admin, type EndUserAccess, tenantAdmin } from '../../http/access.ts'
import { productSlugs } from '../../kernel/products.ts'
import { notFound } from '../../kernel/refusal.ts'
import { type PlatformScope, type TenantScope, tenantOf } from '../../storage/scope.ts'

export const tag = 'Inbound webhooks'

type AdminAccess = ReturnType<typeof admin>
type Granted = ({ scope: TenantScope } | { platform: PlatformScope }) & { params: object }

/** Who administers the webhooks of a tenant, and where: one declaration of a route for both. */
export type Side = {
  base: string
  /** In the names of operations. */
  of: '' | 'Tenant'
  reads: EndUserAccess | AdminAccess
  changes: EndUserAccess | AdminAccess
}

const ownAccess = tenantAdmin(productSlugs.assistant)

export const sides: Side[] = [
  { base: '/assistant/v1/webhooks', of: '', reads: ownAccess, changes: ownAccess },
  { base: '/admin/tenants/:tenantId/webhooks', of: 'Tenant', reads: admin('VIEWER'), changes: admin('OWNER') },
]

export type ScopeOf = (granted: Granted) => Promise<TenantScope>

/** The tenant that a request is about: the caller's own, or the one that an administrator names. Refuses with NOT_FOUND. */
export function scopeOver(tenantExists: (scope: PlatformScope, tenantId: string) => Promise<boolean>): ScopeOf {
  return async (granted) => {
    if ('scope' in granted) return granted.scope
    const { tenantId = '' } = granted.params as { tenantId?: string }
    if (!(await tenantExists(granted.platform, tenantId))) throw notFound()
    return tenantOf(granted.platform, tenantId)
  }
}
