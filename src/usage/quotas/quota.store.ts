import { completeLimits, type Limits } from '../../kernel/quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { maybeOne, one, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

export type Quotas = {
  /**
   * Locks the tenant (and the user) until the transaction ends and returns the tenant's limits. Refuses TENANT_SUSPENDED,
   * and for a user USER_SUSPENDED, or TOKEN_INVALID once the user is gone. Concurrent creators wait, so that two cannot
   * both take the last free place. A suspension or removal waits, too, and then finds what was created. Call it first in
   * a transaction: these rows are locked before all others.
   */
  lockLimits(tx: TenantScope, userId: string | null): Promise<Limits>
}

type LockedTenant = { limits: Partial<Limits>; isActive: boolean }

// An exclusive lock: shared locks would starve a waiting suspension, and two of them cannot both be upgraded. `no key
// update` is the weaker form: inserts into tables that refer to tenants do not wait for it.
export const quotas: Quotas = {
  lockLimits: async (tx, userId) => {
    const { limits, isActive } = await one(
      tx,
      sql<LockedTenant>`select limits, status = 'ACTIVE' and deleted_at is null as "isActive" from tenants
        where id = ${tx.tenantId} for no key update`,
    )
    if (!isActive) throw new Refusal('TENANT_SUSPENDED')
    if (userId !== null) await lockUser(tx, userId)
    return completeLimits(limits)
  },
}

async function lockUser(tx: TenantScope, userId: string): Promise<void> {
  const user = await maybeOne(
    tx,
    sql<{
      status: string
    }>`select status from users where tenant_id = ${tx.tenantId} and id = ${userId} for no key update`,
  )
  if (user === null) throw new Refusal('TOKEN_INVALID')
  if (user.status === 'SUSPENDED') throw new Refusal('USER_SUSPENDED')
}
