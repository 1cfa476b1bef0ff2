import { completeLimits, type Limits } from '../../kernel/quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { maybeOne, one, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

export type Quotas = {
  /**
   * The tenant's limits; refuses TENANT_SUSPENDED, and for a user USER_SUSPENDED, or TOKEN_INVALID once the user is gone.
   * Tenant and user stay as they are until the transaction ends: another creator waits, so that two cannot both count
   * the last place free, and so does a suspension or removal, which then finds what was created. First statement of a
   * transaction: they are locked before all else.
   */
  hold(tx: TenantScope, userId: string | null): Promise<Limits>
}

type Held = { limits: Partial<Limits>; isActive: boolean }

// Always the exclusive lock: shared ones never let a waiting suspension through, and two cannot both be raised. It is
// the weaker exclusive one: inserts into tables that refer to tenants go on beside it.
export const quotas: Quotas = {
  hold: async (tx, userId) => {
    const { limits, isActive } = await one(
      tx,
      sql<Held>`select limits, status = 'ACTIVE' and deleted_at is null as "isActive" from tenants
        where id = ${tx.tenantId} for no key update`,
    )
    if (!isActive) throw new Refusal('TENANT_SUSPENDED')
    if (userId !== null) await holdUser(tx, userId)
    return completeLimits(limits)
  },
}

async function holdUser(tx: TenantScope, userId: string): Promise<void> {
  const user = await maybeOne(
    tx,
    sql<{
      status: string
    }>`select status from users where tenant_id = ${tx.tenantId} and id = ${userId} for no key update`,
  )
  if (user === null) throw new Refusal('TOKEN_INVALID')
  if (user.status === 'SUSPENDED') throw new Refusal('USER_SUSPENDED')
}
