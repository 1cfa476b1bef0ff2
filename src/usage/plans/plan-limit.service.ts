import { notFound } from '../../kernel/refusal.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { Audit } from '../audit.ts'
import type { MeterName } from '../meters/meter.rules.ts'
import {
  changedLimits,
  isPlanName,
  limitsOfPlan,
  type PlanLimits,
  type PlanName,
  planNames,
} from './plan-limit.rules.ts'
import { listPlanLimits, lockPlanLimits, savePlanLimit } from './plan-limit.store.ts'

export type Plan = { plan: PlanName; meters: PlanLimits }

export type PlanLimitService = ReturnType<typeof planLimitService>

/** What each plan allows in a month. A change holds for the next use of every tenant. */
export function planLimitService({ audit }: { audit: Audit }) {
  async function list(platform: PlatformScope): Promise<Plan[]> {
    const stored = await listPlanLimits(platform)
    return planNames.map((plan) => ({ plan, meters: limitsOfPlan(plan, stored) }))
  }

  /** Refuses NOT_FOUND for an unknown plan. */
  async function get(platform: PlatformScope, plan: string): Promise<Plan> {
    if (!isPlanName(plan)) throw notFound()
    return { plan, meters: limitsOfPlan(plan, await listPlanLimits(platform)) }
  }

  /** Meters that are not named keep their limit. A change that changes nothing writes no audit entry. */
  const update = (platform: PlatformScope, name: string, meters: Partial<PlanLimits>): Promise<Plan> =>
    transaction(platform, async (tx) => {
      await lockPlanLimits(tx)
      const { plan, meters: before } = await get(tx, name)
      const after = { ...before, ...meters }
      const changes = changedLimits(before, after)
      for (const meter of Object.keys(changes) as MeterName[])
        await savePlanLimit(tx, { plan, meter, max: after[meter] })
      if (Object.keys(changes).length > 0)
        await audit(tx, { action: 'usage.plan.update', target: { type: 'plan', id: plan }, changes })
      return { plan, meters: after }
    })

  return { list, get, update }
}
