import type { Caller } from '../kernel/caller.ts'
import type { Handle } from './handle.ts'
import type { PlatformScope, TenantScope } from './scope.ts'

// The only two casts to a scope. The direction rules let http/access, app.ts, jobs and the test harness import this file.

export function mintTenantScope(handle: Handle, tenantId: string, caller: Caller): TenantScope {
  return { kind: 'tenant', tenantId, caller, handle } as TenantScope
}

export function mintPlatformScope(handle: Handle, caller: Caller): PlatformScope {
  return { kind: 'platform', caller, handle } as PlatformScope
}
