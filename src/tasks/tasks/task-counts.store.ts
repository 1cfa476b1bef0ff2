import { type Limits, overQuota } from '../../kernel/quota.ts'
import { maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

/**
 * Takes `count` numbers and as many places among the tasks of the organization. One statement counts and compares, so two
 * who race for the last place cannot both get it. Returns the last number. Refuses QUOTA_EXCEEDED.
 */
export async function takeNumbers(
  tx: TenantScope,
  { orgId, count }: { orgId: string; count: number },
  { maxTasks: max }: Pick<Limits, 'maxTasks'>,
): Promise<number> {
  const taken = await maybeOne(
    tx,
    sql<{ number: number }>`insert into task_counters as c (tenant_id, org_id, last_number, task_count)
      select ${tx.tenantId}, ${orgId}, ${count}::int, ${count}::int where ${max}::bigint is null or ${max}::bigint >= ${count}::int
      on conflict (tenant_id, org_id) do update set last_number = c.last_number + excluded.last_number,
        task_count = c.task_count + excluded.task_count
        where ${max}::bigint is null or c.task_count + excluded.task_count <= ${max}::bigint
      returning last_number as number`,
  )
  if (taken === null) throw overQuota('maxTasks', max ?? 0, max ?? 0)
  return taken.number
}

export async function countTasks(scope: TenantScope, orgId: string): Promise<number> {
  const row = await maybeOne(
    scope,
    sql<{ count: number }>`select task_count as count from task_counters
      where tenant_id = ${scope.tenantId} and org_id = ${orgId}`,
  )
  return row?.count ?? 0
}

export async function releasePlaces(tx: TenantScope, orgId: string, count: number): Promise<void> {
  await run(
    tx,
    sql`update task_counters set task_count = task_count - ${count} where tenant_id = ${tx.tenantId} and org_id = ${orgId}`,
  )
}

/**
 * Counts one task more for each of these labels, which may repeat. False: the organization has `max` other labels. The
 * organization must be locked.
 */
export async function addLabels(
  tx: TenantScope,
  { orgId, labels, max }: { orgId: string; labels: string[]; max: number },
): Promise<boolean> {
  if (labels.length === 0) return true
  const added = await run(
    tx,
    sql`with used as (select label from task_labels where tenant_id = ${tx.tenantId} and org_id = ${orgId})
      insert into task_labels as l (tenant_id, org_id, label, task_count)
      select ${tx.tenantId}, ${orgId}, label, count(*)::int from unnest(${labels}::text[]) as label
      where (select count(*) from (select label from used union select unnest(${labels}::text[])) all_labels) <= ${max}
      group by label order by label
      on conflict (tenant_id, org_id, label) do update set task_count = l.task_count + excluded.task_count`,
  )
  return added > 0
}

/** Counts one task less for each of these labels, which may repeat. */
export async function removeLabels(
  tx: TenantScope,
  { orgId, labels }: { orgId: string; labels: string[] },
): Promise<void> {
  if (labels.length === 0) return
  await run(
    tx,
    sql`update task_labels l set task_count = l.task_count - removed.count
      from (select label, count(*)::int as count from unnest(${labels}::text[]) as label group by label) removed
      where l.tenant_id = ${tx.tenantId} and l.org_id = ${orgId} and l.label = removed.label`,
  )
  await run(tx, sql`delete from task_labels where tenant_id = ${tx.tenantId} and org_id = ${orgId} and task_count = 0`)
}
