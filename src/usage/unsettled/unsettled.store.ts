import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'

export type Unsettled = {
  tenantId: string
  id: string
  amount: number
  orgId: string | null
  userId: string | null
  reservedAt: Date
}

export function listReservationsBefore(platform: PlatformScope, before: Date, limit: number): Promise<Unsettled[]> {
  return many(
    platform,
    sql<Unsettled>`select tenant_id as "tenantId", id, amount, org_id as "orgId", user_id as "userId",
        created_at as "reservedAt"
      from usage_reservations where created_at < ${before} order by created_at limit ${limit}`,
  )
}

export async function insertUnsettled(tx: TenantScope, unsettled: Unsettled, now: Date): Promise<void> {
  const { id, amount, orgId, userId, reservedAt } = unsettled
  await run(
    tx,
    sql`insert into usage_unsettled (tenant_id, id, amount, org_id, user_id, reserved_at, counted_at)
      values (${tx.tenantId}, ${id}, ${amount}, ${orgId}, ${userId}, ${reservedAt}, ${now}) on conflict do nothing`,
  )
}

export function listUnsettled(
  platform: PlatformScope,
  page: PageRequest,
): Promise<Page<Unsettled & { countedAt: Date }>> {
  return listPage(platform, page, {
    columns: sql`tenant_id as "tenantId", id, amount, org_id as "orgId", user_id as "userId", reserved_at as "reservedAt",
      counted_at as "countedAt"`,
    from: sql`from usage_unsettled`,
    orderBy: sql`counted_at desc, tenant_id, id`,
  })
}
