import { type Scope, scopeToTenant, type TenantScope } from '../storage/scope.ts'

/** The tenant's scope in the same transaction, also where the change was made by the platform. */
export function inTenant(scope: Scope, tenantId: string): TenantScope {
  return scope.kind === 'tenant' ? scope : scopeToTenant(scope, tenantId)
}
