import {
  type DefaultLimits,
  effectiveLimits,
  type LimitName,
  type Limits,
  limitNames,
  type OwnLimits,
} from '../../kernel/quota.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { one, readPipelined, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

export type Quotas = {
  /**
   * Locks the tenant (and the user) until the transaction ends and returns the tenant's limits. Refuses TENANT_SUSPENDED,
   * and for a user USER_SUSPENDED, or TOKEN_INVALID once the user is gone. Concurrent creators wait, so that two cannot
   * both take the last free place. A suspension or removal waits, too, and then finds what was created. Call it first in
   * a transaction: these rows are locked before all others.
   */
  lockLimits(tx: TenantScope, userId: string | null): Promise<Limits>
  /**
   * Returns the tenant's limits, for what a guarded statement counts. Only an erasure of the tenant waits for the
   * transaction. Refuses TENANT_SUSPENDED.
   */
  readLimits(tx: TenantScope): Promise<Limits>
}

/** A limit that is stored with the tenant. `isOwn`: it was set for the tenant, also to none. */
export type StoredLimit = { limit: number | null; isOwn: boolean }

/** To show them, also for a tenant that is suspended. */
export async function readStoredLimits(
  scope: TenantScope,
  defaults: DefaultLimits,
): Promise<Record<LimitName, StoredLimit>> {
  const { limits } = await one(
    scope,
    sql<{ limits: OwnLimits }>`select limits from tenants where id = ${scope.tenantId}`,
  )
  const effective = effectiveLimits(limits, defaults)
  return Object.fromEntries(
    limitNames.map((name) => [name, { limit: effective[name], isOwn: name in limits }]),
  ) as Record<LimitName, StoredLimit>
}

type LockedTenant = { limits: OwnLimits; isActive: boolean; userStatus: string | null }

// An exclusive lock: shared locks would starve a waiting suspension, and two of them cannot both be upgraded. `no key
// update` is the weaker form: inserts into tables that refer to tenants do not wait for it.
export function tenantQuotas(defaults: DefaultLimits): Quotas {
  return {
    lockLimits: async (tx, userId) => {
      const locked = await readPipelined(
        tx,
        userId === null ? selectTenant(tx, sql`for no key update`) : lockUser(tx, userId),
      )
      if (locked === null) throw notFound()
      const { limits, isActive, userStatus } = locked
      if (!isActive) throw new Refusal('TENANT_SUSPENDED')
      if (userId !== null && userStatus === null) throw new Refusal('TOKEN_INVALID')
      if (userStatus === 'SUSPENDED') throw new Refusal('USER_SUSPENDED')
      return effectiveLimits(limits, defaults)
    },
    readLimits: async (tx) => {
      const { limits, isActive } = await one(tx, selectTenant(tx, sql`for key share`))
      if (!isActive) throw new Refusal('TENANT_SUSPENDED')
      return effectiveLimits(limits, defaults)
    },
  }
}

function selectTenant({ tenantId }: TenantScope, lock: Sql): Sql<LockedTenant> {
  return sql<LockedTenant>`select limits, status = 'ACTIVE' and deleted_at is null as "isActive", null as "userStatus"
    from tenants where id = ${tenantId} ${lock}`
}

/** The user's row depends on the tenant's (`lateral`), so that the tenant is locked first. */
function lockUser({ tenantId }: TenantScope, userId: string): Sql<LockedTenant> {
  return sql<LockedTenant>`select t.limits, t.status = 'ACTIVE' and t.deleted_at is null as "isActive", u.status as "userStatus"
    from (select id, limits, status, deleted_at from tenants where id = ${tenantId} for no key update) t
    left join lateral (
      select status from users where tenant_id = t.id and id = ${userId} for no key update
    ) u on true`
}
