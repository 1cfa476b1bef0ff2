import { notFound } from '../kernel/refusal.ts'
import { maybeOne, sql } from '../storage/query.ts'
import type { TenantScope } from '../storage/scope.ts'

/**
 * Locks the tenant until the transaction ends, so that changes of its limits come one after another and each is audited
 * with what was before it. Refuses NOT_FOUND.
 */
export async function lockTenant(tx: TenantScope): Promise<void> {
  const locked = sql`select from tenants where id = ${tx.tenantId} and deleted_at is null for no key update`
  if ((await maybeOne(tx, locked)) === null) throw notFound()
}
