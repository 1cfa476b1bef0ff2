import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { OwnLimit, OwnLimitKey } from './own-limit.rules.ts'

/** Stands for every user. */
const everyUser = '00000000-0000-0000-0000-000000000000'

const columns = sql`scope, nullif(subject_id, ${everyUser}) as id, meter, max_amount as "limit", updated_at as "updatedAt"`

const matches = ({ tenantId }: TenantScope, { scope, id, meter }: OwnLimitKey): Sql =>
  sql`tenant_id = ${tenantId} and scope = ${scope} and subject_id = ${id ?? everyUser} and meter = ${meter}`

export function listOwnLimits(scope: TenantScope, page: PageRequest): Promise<Page<OwnLimit>> {
  return listPage(scope, page, {
    columns,
    from: sql`from usage_own_limits where tenant_id = ${scope.tenantId}`,
    orderBy: sql`scope, subject_id, meter`,
  })
}

export async function countOwnLimits(scope: TenantScope): Promise<number> {
  const counted = sql<{
    total: number
  }>`select count(*)::int as total from usage_own_limits where tenant_id = ${scope.tenantId}`
  return (await one(scope, counted)).total
}

export function findOwnLimit(scope: TenantScope, key: OwnLimitKey): Promise<OwnLimit | null> {
  return maybeOne(scope, sql<OwnLimit>`select ${columns} from usage_own_limits where ${matches(scope, key)}`)
}

export async function saveOwnLimit(tx: TenantScope, { scope, id, meter, limit, updatedAt }: OwnLimit): Promise<void> {
  await run(
    tx,
    sql`insert into usage_own_limits (tenant_id, scope, subject_id, meter, max_amount, updated_at)
      values (${tx.tenantId}, ${scope}, ${id ?? everyUser}, ${meter}, ${limit}, ${updatedAt})
      on conflict (tenant_id, scope, subject_id, meter) do update set max_amount = excluded.max_amount,
        updated_at = excluded.updated_at`,
  )
}

export async function deleteOwnLimit(tx: TenantScope, key: OwnLimitKey): Promise<void> {
  await run(tx, sql`delete from usage_own_limits where ${matches(tx, key)}`)
}

/** Deletes all limits of an organization that was deleted, or of a user who was removed. */
export async function deleteOwnLimitsOf(
  tx: TenantScope,
  { scope, id }: { scope: 'org' | 'user'; id: string },
): Promise<void> {
  await run(
    tx,
    sql`delete from usage_own_limits where tenant_id = ${tx.tenantId} and scope = ${scope} and subject_id = ${id}`,
  )
}
