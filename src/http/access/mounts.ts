import { notFound } from '../../kernel/refusal.ts'
import { type PlatformScope, scopeToTenant, type TenantScope } from '../../storage/scope.ts'
import { admin, type EndUserAccess } from './access.ts'

type AdminAccess = ReturnType<typeof admin>
type Granted = ({ scope: TenantScope } | { platform: PlatformScope }) & { params: object }

/** Who administers something of a tenant, and where: one declaration of a route for both. */
export type Side = {
  base: string
  /** In the names of operations. */
  of: '' | 'Tenant'
  reads: EndUserAccess | AdminAccess
  changes: EndUserAccess | AdminAccess
}

/** The tenant's own people below `base`, and administrators below the tenant: there the last word of `base` again. */
export function tenantSides(base: string, own: EndUserAccess): Side[] {
  const noun = base.slice(base.lastIndexOf('/') + 1)
  return [
    { base, of: '', reads: own, changes: own },
    { base: `/admin/tenants/:tenantId/${noun}`, of: 'Tenant', reads: admin('VIEWER'), changes: admin('OWNER') },
  ]
}

/** The base with the tenant that the request named. */
export function baseFor({ base }: Pick<Side, 'base'>, params: object): string {
  const { tenantId = '' } = params as { tenantId?: string }
  return base.replace(':tenantId', tenantId)
}

export type ScopeOf = (granted: Granted) => Promise<TenantScope>

/** The tenant that a request is about: the caller's own, or the one that an administrator names. Refuses with NOT_FOUND. */
export function scopeOver(tenantExists: (scope: PlatformScope, tenantId: string) => Promise<boolean>): ScopeOf {
  return async (granted) => {
    if ('scope' in granted) return granted.scope
    const { tenantId = '' } = granted.params as { tenantId?: string }
    if (!(await tenantExists(granted.platform, tenantId))) throw notFound()
    return scopeToTenant(granted.platform, tenantId)
  }
}
