import type { TenantScope } from '../../storage/scope.ts'
import type { LimitedCounter, PlanEndOf, PlanOf } from './counter.store.ts'
import {
  addUse,
  findReached,
  type LimitInForce,
  type LimitsInForce,
  type MeterOfSubject,
  readLimitsInForce,
  type Statement,
} from './limits-in-force.store.ts'

/** One use, of one meter. `write`: a statement that is sent with it. */
export type SingleUse = MeterOfSubject & { day: string; amount: number; isRefusable: boolean; write: Statement | null }

export type CountSingle = (tx: TenantScope, use: SingleUse, now: Date) => Promise<LimitedCounter[]>

type Known = LimitsInForce & {
  readAt: Date
  /** Up to which amount all thresholds of a limit were told. */
  toldTo: Map<LimitInForce, number>
}

/** About 10 MB. */
const knownMax = 10_000

/**
 * Counts a use of one meter with limits that were read before. The statement that counts says whether they still hold; if not,
 * they are read again, before anything is decided. To look them up with each use cost more than all the rest of counting.
 */
export function singleUses({ planOf, planEndOf }: { planOf: PlanOf; planEndOf: PlanEndOf }): CountSingle {
  const known = new Map<string, Known>()

  async function read(tx: TenantScope, use: SingleUse, now: Date): Promise<Known> {
    const sources = { plan: planOf(tx, now), planEnd: planEndOf(tx, now), now }
    const limits: Known = { ...(await readLimitsInForce(tx, use, sources)), readAt: now, toldTo: new Map() }
    if (known.size >= knownMax) known.clear()
    known.set(keyOf(tx, use), limits)
    return limits
  }

  function find(tx: TenantScope, use: SingleUse, now: Date): Known | null {
    const limits = known.get(keyOf(tx, use))
    if (limits === undefined || now < limits.readAt) return null
    return limits.endsAt !== null && now >= limits.endsAt ? null : limits
  }

  return async (tx, use, now) => {
    const before = find(tx, use, now)
    const counted = await addUse(tx, use, use.write)
    const isCurrent = before !== null && counted.every(({ revision }) => revision === before.revision)
    const limits = isCurrent ? before : await read(tx, use, now)
    const counters: LimitedCounter[] = []
    for (const { scope, amount } of counted) {
      const limit = limits.limits.find((one) => one.scope === scope)
      if (limit === undefined) continue
      const isRefused = use.isRefusable && limit.effect !== 'TELL' && amount > limit.limit
      const counter = toCounter(use, limit, isRefused ? amount - use.amount : amount)
      if (isRefused) return [{ ...counter, isRefused }]
      counters.push({ ...counter, reached: await reached(tx, use, { limits, limit, amount }) })
    }
    return counters
  }
}

/** Asks the database only where an amount has passed a threshold since all were told. */
async function reached(
  tx: TenantScope,
  use: SingleUse,
  { limits: { toldTo }, limit, amount }: { limits: Known; limit: LimitInForce; amount: number },
): Promise<number[]> {
  const passed = limit.percents.map((percent) => Math.ceil((limit.limit * percent) / 100)).filter((at) => amount >= at)
  const highest = Math.max(-1, ...passed)
  if (passed.length === 0 || highest <= (toldTo.get(limit) ?? -1)) return []
  const found = await findReached(tx, use, limit, amount)
  // What this transaction tells is told only if it is committed.
  if (found.length === 0) tx.handle.afterCommit(() => toldTo.set(limit, highest))
  return found
}

function toCounter(
  { meter }: SingleUse,
  { scope, subjectId, limit, plan, effect }: LimitInForce,
  used: number,
): LimitedCounter {
  const windowed = { meter, span: 'month', limitedName: meter, scope, subjectId } as const
  return { ...windowed, used, isRefused: false, limit, plan, effect, reached: [] }
}

function keyOf({ tenantId }: TenantScope, { meter, window, subject: { orgId, userId } }: SingleUse): string {
  return `${tenantId} ${meter} ${window.from} ${orgId ?? ''} ${userId ?? ''}`
}
