import { many, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { MeterName } from '../meters/meter.rules.ts'
import type { PlanName, StoredLimit } from './plan-limit.rules.ts'

/** Lets one change wait for another. Uses, which read the limits, do not wait. */
export async function lockPlanLimits(tx: PlatformScope): Promise<void> {
  await run(tx, sql`lock table usage_plan_limits in exclusive mode`)
}

export function listPlanLimits(platform: PlatformScope): Promise<StoredLimit[]> {
  return many(platform, sql<StoredLimit>`select plan, meter, max_amount as max from usage_plan_limits`)
}

/** Null: no limit. */
export async function savePlanLimit(
  tx: PlatformScope,
  { plan, meter, max }: { plan: PlanName; meter: MeterName; max: number | null },
): Promise<void> {
  await run(
    tx,
    max === null
      ? sql`delete from usage_plan_limits where plan = ${plan} and meter = ${meter}`
      : sql`insert into usage_plan_limits (plan, meter, max_amount) values (${plan}, ${meter}, ${max})
          on conflict (plan, meter) do update set max_amount = excluded.max_amount`,
  )
}
