import { maybeOne, one, run, type Sql, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { type LimitedName, meterOfLimit, windowAt } from '../meters/meter.rules.ts'
import type { Override, SetQuota } from './override.rules.ts'

const windowStart = (name: LimitedName, now: Date): string => windowAt(now, meterOfLimit(name).span).from

/** What is in force at `now`. */
export async function findSetQuota(scope: TenantScope, name: LimitedName, now: Date): Promise<SetQuota> {
  const override = await maybeOne(
    scope,
    sql<Override>`select soft, has_hard as "hasHard", hard, at_limit as "atLimit", until, reason from usage_overrides
      where tenant_id = ${scope.tenantId} and meter = ${name} and (until is null or until > ${now})`,
  )
  const { granted } = await one(
    scope,
    sql<{ granted: number }>`select coalesce(sum(amount), 0)::bigint as granted from usage_grants
      where tenant_id = ${scope.tenantId} and meter = ${name} and window_start = ${windowStart(name, now)}`,
  )
  return { override, granted }
}

export async function saveOverride(
  tx: TenantScope,
  { name, override, now }: { name: LimitedName; override: Override; now: Date },
): Promise<void> {
  const { soft, hasHard, hard, atLimit, until, reason } = override
  await run(
    tx,
    sql`insert into usage_overrides (tenant_id, meter, soft, has_hard, hard, at_limit, until, reason, updated_at)
      values (${tx.tenantId}, ${name}, ${soft}, ${hasHard}, ${hard}, ${atLimit}, ${until}, ${reason}, ${now})
      on conflict (tenant_id, meter) do update set soft = excluded.soft, has_hard = excluded.has_hard, hard = excluded.hard,
        at_limit = excluded.at_limit, until = excluded.until, reason = excluded.reason, updated_at = excluded.updated_at`,
  )
}

export async function insertGrant(
  tx: TenantScope,
  { id, name, amount, reason, now }: { id: string; name: LimitedName; amount: number; reason: string; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`insert into usage_grants (tenant_id, meter, window_start, id, amount, reason, created_at)
      values (${tx.tenantId}, ${name}, ${windowStart(name, now)}, ${id}, ${amount}, ${reason}, ${now})`,
  )
}

/** Deletes the override, and the grants of the current window. */
export async function deleteSetQuota(tx: TenantScope, name: LimitedName, now: Date): Promise<void> {
  await run(tx, sql`delete from usage_overrides where tenant_id = ${tx.tenantId} and meter = ${name}`)
  await run(
    tx,
    sql`delete from usage_grants where tenant_id = ${tx.tenantId} and meter = ${name}
      and window_start = ${windowStart(name, now)}`,
  )
}

/** The limit of the tenant that holds now; null: none. `plan`: the tenant's plan, as a subquery. */
export async function findTenantLimit(
  scope: TenantScope,
  name: LimitedName,
  { plan, now }: { plan: Sql; now: Date },
): Promise<number | null> {
  const { tenantId } = scope
  const { max } = await one(
    scope,
    sql<{ max: number | null }>`select max_amount as max
      from usage_limit(${tenantId}, (${plan}), ${name}, 'tenant', ${tenantId}, ${windowStart(name, now)}, ${now})`,
  )
  return max
}
