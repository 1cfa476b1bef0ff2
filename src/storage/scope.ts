import type { Caller } from '../kernel/caller.ts'
import type { Handle } from './handle.ts'

declare const minted: unique symbol

/**
 * The right to use a store for one tenant, on behalf of one caller, over one connection or transaction.
 * Only `mint.ts` creates one; every store function about a tenant's data takes it as its first parameter.
 */
export type TenantScope = {
  readonly kind: 'tenant'
  readonly tenantId: string
  readonly caller: Caller
  readonly handle: Handle
  readonly [minted]: true
}

/** The right to use a store across tenants: for administrators, the lookup of a credential, housekeeping. */
export type PlatformScope = {
  readonly kind: 'platform'
  readonly caller: Caller
  readonly handle: Handle
  readonly [minted]: true
}

export type Scope = TenantScope | PlatformScope

/** A scope for one tenant, made by a caller who may see all. It stays inside the same transaction. */
export function scopeToTenant(platform: PlatformScope, tenantId: string): TenantScope {
  return { ...platform, kind: 'tenant', tenantId }
}

/** The same for a reaction to an event of a tenant, which the tenant or the platform may have caused. */
export function inTenant(scope: Scope, tenantId: string): TenantScope {
  return scope.kind === 'tenant' ? scope : scopeToTenant(scope, tenantId)
}

/**
 * Runs `work` in one transaction: all of it happens or nothing does. Inside, use only the scope that `work` receives. A
 * scope that is in a transaction already joins that one. `work` may run again after a serialization failure or a deadlock,
 * so it must have no effect outside the database.
 */
export function transaction<S extends Scope, T>(scope: S, work: (tx: S) => Promise<T>): Promise<T> {
  return scope.handle.transaction((handle) => work({ ...scope, handle }))
}

/** Does the work in a transaction, and undoes it: what would come of it. Call it outside of a transaction. */
export async function rehearsal<S extends Scope, T>(scope: S, work: (tx: S) => Promise<T>): Promise<T> {
  if (scope.handle.inTransaction) throw new Error('A transaction around it would be undone as well.')
  let result: { value: T } | undefined
  const undo = new Error('The rehearsal is over.')
  try {
    return await transaction(scope, async (tx) => {
      result = { value: await work(tx) }
      throw undo
    })
  } catch (error) {
    if (error !== undo || result === undefined) throw error
    return result.value
  }
}

/** PostgreSQL's code for a statement after one that failed: it tells nothing of the cause. */
const inFailedTransaction = '25P02'

/**
 * Waits for statements of a transaction that were sent without waiting for each other. Throws the error that made the
 * transaction fail: all that was sent after it fails only for that, and need not stand after it in the list.
 */
export async function pipelined<T extends readonly unknown[]>(
  answers: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const outcomes = await Promise.allSettled(answers)
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (reasons.length > 0) throw reasons.find((reason) => reason?.code !== inFailedTransaction) ?? reasons[0]
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T
}
