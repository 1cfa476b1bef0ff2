import type { TenantScope } from '../../storage/scope.ts'
import type { LimitedCounter, PlanEndOf, PlanOf } from './counter.store.ts'
import {
  addUse,
  findReached,
  type LimitInForce,
  type MeterOfSubject,
  readLimitsInForce,
  type Statement,
} from './limits-in-force.store.ts'

/** One use, of one meter. `write`: a statement that is sent with it. */
export type SingleUse = MeterOfSubject & {
  day: string
  amount: number
  isRefusable: boolean
  key: string | null
  write: Statement | null
}

export type CountSingle = (tx: TenantScope, use: SingleUse, now: Date) => Promise<LimitedCounter[]>

type KnownLimit = LimitInForce & {
  /** The lowest amount at which a threshold may have to be told. */
  tellAt: number
}

type Known = { revision: string; readAt: Date; endsAt: Date | null; limits: KnownLimit[] }

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
    const { limits, ...others } = await readLimitsInForce(tx, use, sources)
    const made: Known = {
      ...others,
      readAt: now,
      limits: limits.map((limit) => ({ ...limit, tellAt: nextThreshold(limit, -1) })),
    }
    if (known.size >= knownMax) known.clear()
    known.set(keyOf(tx, use), made)
    return made
  }

  function find(tx: TenantScope, use: SingleUse, now: Date): Known | null {
    const limits = known.get(keyOf(tx, use))
    if (limits === undefined || now < limits.readAt) return null
    return limits.endsAt !== null && now >= limits.endsAt ? null : limits
  }

  return async (tx, use, now) => {
    const before = find(tx, use, now)
    const counted = await addUse(tx, use, now)
    const isCurrent = before !== null && counted.every(({ revision }) => revision === before.revision)
    const { limits } = isCurrent ? before : await read(tx, use, now)
    const counters: LimitedCounter[] = []
    for (const { scope, amount } of counted) {
      const limit = limits.find((one) => one.scope === scope)
      if (limit === undefined) continue
      const isRefused = use.isRefusable && limit.effect !== 'TELL' && amount > limit.limit
      if (isRefused) return [toCounter(use, limit, { used: amount - use.amount, isRefused, reached: [] })]
      const reached = amount < limit.tellAt ? [] : await findUntold(tx, use, limit, amount)
      counters.push(toCounter(use, limit, { used: amount, isRefused, reached }))
    }
    return counters
  }
}

/** The lowest amount above another one at which a threshold of a limit is reached. */
function nextThreshold({ limit, percents }: LimitInForce, amount: number): number {
  const thresholds = percents.map((percent) => Math.ceil((limit * percent) / 100))
  return Math.min(...thresholds.filter((threshold) => threshold > amount), Number.POSITIVE_INFINITY)
}

/** Asks the database only where an amount has passed a threshold since all were told. */
async function findUntold(tx: TenantScope, use: SingleUse, limit: KnownLimit, amount: number): Promise<number[]> {
  const found = await findReached(tx, use, limit, amount)
  // What this transaction tells is told only if it is committed.
  if (found.length === 0)
    tx.handle.afterCommit(() => {
      limit.tellAt = nextThreshold(limit, amount)
    })
  return found
}

function toCounter(
  { meter }: SingleUse,
  { scope, subjectId, limit, plan, effect }: LimitInForce,
  after: Pick<LimitedCounter, 'used' | 'isRefused' | 'reached'>,
): LimitedCounter {
  return { meter, span: 'month', limitedName: meter, scope, subjectId, limit, plan, effect, ...after }
}

function keyOf({ tenantId }: TenantScope, { meter, window, subject: { orgId, userId } }: SingleUse): string {
  return `${tenantId} ${meter} ${window.from} ${orgId ?? ''} ${userId ?? ''}`
}
