import type { Caller } from '../kernel/caller.ts'
import type { Handle } from './handle.ts'

declare const minted: unique symbol

/**
 * The right to ask a store about one tenant, in the name of one caller, over one connection or transaction.
 * Only `mint.ts` makes one from nothing; every store function of a tenant's noun takes it first.
 */
export type TenantScope = {
  readonly kind: 'tenant'
  readonly tenantId: string
  readonly caller: Caller
  readonly handle: Handle
  readonly [minted]: true
}

/** The right to ask across tenants: administrators, the lookup of a credential, housekeeping. */
export type PlatformScope = {
  readonly kind: 'platform'
  readonly caller: Caller
  readonly handle: Handle
  readonly [minted]: true
}

export type Scope = TenantScope | PlatformScope

/** One tenant seen by a caller who may see all; stays inside the same transaction. */
export function scopeToTenant(platform: PlatformScope, tenantId: string): TenantScope {
  return { ...platform, kind: 'tenant', tenantId }
}

/**
 * Runs `work` in one transaction; all of it happens or nothing does. Inside, ask only through the scope that `work` is
 * given. Called with a scope that is in a transaction already it joins that one. May run `work` again when the
 * database asks for it (serialization failure, deadlock), so `work` has no effect outside the database.
 */
export function transaction<S extends Scope, T>(scope: S, work: (tx: S) => Promise<T>): Promise<T> {
  return scope.handle.transaction((handle) => work({ ...scope, handle }))
}
