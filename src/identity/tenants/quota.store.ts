import type { LimitName } from '../../kernel/quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { one, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

export type Quotas = {
  /**
   * The tenant's limit, or null for none; refuses TENANT_SUSPENDED. The tenant stays as it is until the transaction ends:
   * a suspension waits and then finds what was created, and where there is a limit so does every other creator, so that
   * two cannot both count the last place free. First statement of a transaction: the tenant is locked before all else.
   */
  hold(tx: TenantScope, name: LimitName): Promise<number | null>
}

type Held = { limit: number | null; isActive: boolean }

export const quotas: Quotas = {
  hold: async (tx, name) => {
    const known = sql`select limits -> ${name}::text as "limit", status = 'ACTIVE' and deleted_at is null as "isActive"
      from tenants where id = ${tx.tenantId}`
    const { limit } = await one(tx, sql<Held>`${known}`)
    // Creators that nothing limits share their lock. The other is the weaker of the two exclusive ones: inserts into
    // tables that refer to tenants go on beside it.
    const held = await one(tx, limit === null ? sql<Held>`${known} for share` : sql<Held>`${known} for no key update`)
    if (!held.isActive) throw new Refusal('TENANT_SUSPENDED')
    return held.limit
  },
}
