import type { LimitName } from '../../kernel/quota.ts'
import { maybe, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

export type Quotas = {
  /**
   * The tenant's limit, or null for none. Where there is one the tenant stays locked until the transaction ends, so that
   * two creators cannot both count the last place free. First statement of a transaction: the tenant is locked before all else.
   */
  hold(tx: TenantScope, name: LimitName): Promise<number | null>
}

export const quotas: Quotas = {
  hold: async (tx, name) => {
    // The weaker of the two exclusive locks: inserts into tables that refer to tenants go on beside it.
    const row = await maybe(
      tx,
      sql<{ value: number }>`select limits -> ${name}::text as value from tenants
        where id = ${tx.tenantId} and limits ->> ${name}::text is not null for no key update`,
    )
    return row?.value ?? null
  },
}
