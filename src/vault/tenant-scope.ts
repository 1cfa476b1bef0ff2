import { type Scope, scopeToTenant, type TenantScope } from '../storage/scope.ts'

/** One tenant's scope in the same transaction, whoever made the change: the tenant itself or one who may see all. */
export function inTenant(scope: Scope, tenantId: string): TenantScope {
  return scope.kind === 'tenant' ? scope : scopeToTenant(scope, tenantId)
}
