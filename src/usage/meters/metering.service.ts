import type { UsagePolicy } from '../../http/limits/usage-policy.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { utcDay } from '../../kernel/period.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import {
  addToCounters,
  type CounterChange,
  closeReservation,
  insertReservation,
  type LimitedCounter,
  listLimited,
  type PlanEndOf,
  type PlanOf,
  type Subject,
} from './counter.store.ts'
import { runStatement, type Statement } from './limits-in-force.store.ts'
import { type SingleUse, singleUses } from './limits-in-force.ts'
import { dayStart, type ExactMeter, type UsedMeter, windowAt } from './meter.rules.ts'
import type { TellReached } from './threshold.service.ts'
import { type CounterInWindow, usageExceeded, usagePolicy } from './usage-exceeded.ts'

/**
 * `at`: when the use began, which decides to which windows it belongs. Default: now. `key`: of a use of one meter that a job or
 * somebody outside reports, and may report again: with a key that the meter had before, nothing is counted.
 */
export type Use = Subject & { amounts: Partial<Record<ExactMeter, number>>; at?: Date; key?: string }

type Engine = 'local' | 'llm'

export type MeteringDeps = {
  clock: Clock
  planOf: PlanOf
  planEndOf: PlanEndOf
  tellReached: TellReached
}

/** A promise of tokens to a request that runs. */
export type Reservation = { id: string; amount: number }

export type Metering = ReturnType<typeof meteringService>

/** What is used, counted in the transaction of the use. */
export function meteringService({ clock, planOf, planEndOf, tellReached }: MeteringDeps) {
  const countSingle = singleUses({ planOf, planEndOf })

  /**
   * Counts a use. Call it last in the transaction of the use: counters are locked after everything else, so that those who
   * use much wait for each other only briefly. Refuses USAGE_EXCEEDED. Returns the limits that hold for the use.
   * @param write the last change of the transaction. It is sent in the statement that counts, where that is possible.
   */
  async function count(tx: TenantScope, use: Use, write: Statement | null = null): Promise<UsagePolicy[]> {
    const limited = await add(tx, use, { isRefusable: true, write })
    refuseExceeded(limited, { at: use.at ?? clock.now(), now: clock.now() })
    return policies(limited, use)
  }

  /** The same for a use that is not refused at a limit, because it has begun before or happened outside. */
  async function countAnyway(tx: TenantScope, use: Use, write: Statement | null = null): Promise<UsagePolicy[]> {
    return policies(await add(tx, use, { isRefusable: false, write }), use)
  }

  const policies = (limited: LimitedCounter[], { at = clock.now() }: Use): UsagePolicy[] =>
    limited.map((counter) => usagePolicy(withWindow(counter, at), clock.now()))

  /**
   * Counts a use, also above a limit. Returns whether it is within, and the limits: if not, the caller gives what costs nothing.
   * Call `uncount` if the use fails. Refuses USAGE_EXCEEDED where an administrator wants a refusal instead.
   */
  const countWithin = (scope: TenantScope, use: Use): Promise<{ isWithin: boolean; usage: UsagePolicy[] }> =>
    transaction(scope, async (tx) => {
      const limited = await add(tx, use, { isRefusable: false })
      const exceeded = limited.filter(({ used, limit, effect }) => used > limit && effect !== 'TELL')
      const refusing = exceeded.find(({ effect }) => effect === 'REFUSE')
      if (refusing !== undefined) {
        const usedBefore = refusing.used - (use.amounts[refusing.meter as ExactMeter] ?? 0)
        throw usageExceeded(withWindow(refusing, use.at ?? clock.now()), usedBefore, clock.now())
      }
      return { isWithin: exceeded.length === 0, usage: policies(limited, use) }
    })

  /**
   * Refuses USAGE_EXCEEDED where the uses of a meter have reached a limit that refuses. For what is not counted in this
   * transaction: it locks nothing, so others may take what is left. Returns the limits that hold.
   * @param asked `at`: when the use will begin. Default: now.
   */
  async function requireLeft(
    tx: TenantScope,
    { meter, at, ...subject }: Subject & { meter: UsedMeter; at?: Date },
  ): Promise<UsagePolicy[]> {
    const now = clock.now()
    const asked = { subject, meter, window: windowAt(at ?? now, 'month') }
    const limited = await listLimited(tx, asked, { plan: planOf(tx, now), now })
    refuseExceeded(limited, { at: at ?? now, now })
    return limited.map((one) => usagePolicy(withWindow(one, at ?? now), now))
  }

  /**
   * How much of a meter may still be used: the least that the limits of the tenant, organization and user leave, or null
   * without any that refuses. Locks the counters: what it says is true until the end of the transaction.
   */
  async function left(tx: TenantScope, { meter, ...subject }: Subject & { meter: ExactMeter }): Promise<number | null> {
    const now = clock.now()
    const change = {
      ...{ subject, day: utcDay(now), isRefusable: false, key: null },
      meters: [{ meter, amount: 0, reserved: 0 }],
    }
    const limited = await addToCounters(tx, change, { plan: planOf(tx, now), now })
    const rests = limited.filter(({ effect }) => effect !== 'TELL').map(({ limit, used }) => Math.max(0, limit - used))
    return rests.length === 0 ? null : Math.min(...rests)
  }

  /** Takes back what `countWithin` has counted. */
  const uncount = (scope: TenantScope, use: Use): Promise<void> =>
    transaction(scope, async (tx) => {
      await add(tx, negated(use), { isRefusable: false })
    })

  /**
   * Counts an answer, which `give` gives: above a limit with `isWithin` false, then by the local engine, which costs nothing.
   * `engine` is the one that is asked first; the answer is counted for the one that gave it. An answer that fails is not counted.
   * Returns the answer with the limits that hold for it, which `give` receives as well.
   */
  async function countAnswer<A extends { engine: Engine }>(
    scope: TenantScope,
    { engine, ...subject }: Omit<Use, 'amounts'> & { engine: Engine },
    give: (isWithin: boolean, usage: UsagePolicy[]) => Promise<A>,
  ): Promise<A & { usage: UsagePolicy[] }> {
    const use = { at: clock.now(), ...subject, engine, amounts: { asks: 1 } }
    const { isWithin, usage } = await countWithin(scope, use)
    let answer: A
    try {
      answer = await give(isWithin, usage)
    } catch (error) {
      await uncount(scope, use)
      throw error
    }
    // The model was not asked, or failed. The answer is given and counted: if this fails, it stays with the other engine.
    if (answer.engine !== engine) await countForEngine(scope, use, answer.engine).catch(() => undefined)
    return { ...answer, usage }
  }

  /** Both in one transaction: what is left of the limit stays the same, and no other use can take it in between. */
  const countForEngine = (scope: TenantScope, use: Use, engine: Engine): Promise<void> =>
    transaction(scope, async (tx) => {
      await add(tx, negated(use), { isRefusable: false })
      await add(tx, { ...use, engine }, { isRefusable: false })
    })

  /** Reserves tokens for a request to a model. Null where a limit has no room for them. */
  async function reserve(scope: TenantScope, subject: Subject, tokens: number): Promise<Reservation | null> {
    const now = clock.now()
    const { orgId = null, userId = null } = subject
    const reservation = {
      id: newId(now),
      meter: 'modelTokens',
      amount: tokens,
      day: utcDay(now),
      orgId,
      userId,
    } as const
    const change = {
      ...{ subject, day: reservation.day, isRefusable: true, key: null },
      meters: [{ meter: reservation.meter, amount: 0, reserved: tokens }],
    }
    try {
      return await transaction(scope, async (tx) => {
        const limited = await addToCounters(tx, change, { plan: planOf(tx, now), now })
        refuseExceeded(limited, { at: now, now })
        await insertReservation(tx, { ...reservation, createdAt: now })
        return reservation
      })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'USAGE_EXCEEDED') return null
      throw error
    }
  }

  /**
   * Replaces a reservation by what was used, in the windows in which it was reserved. One that is too old has been counted as
   * used, and stays so: then the answer is false.
   */
  const settle = (scope: TenantScope, { id }: Reservation, used: number): Promise<boolean> =>
    transaction(scope, async (tx) => {
      const reservation = await closeReservation(tx, id)
      if (reservation === null) return false
      const { amount, day, meter, ...subject } = reservation
      const now = clock.now()
      const change = {
        ...{ subject: { ...subject, engine: 'llm' as const }, day, isRefusable: false, key: null },
        meters: [{ meter, amount: used, reserved: -amount }],
      }
      await tell(tx, await addToCounters(tx, change, { plan: planOf(tx, now), now }), dayStart(day))
      return true
    })

  async function add(
    tx: TenantScope,
    use: Use,
    { isRefusable, write = null }: { isRefusable: boolean; write?: Statement | null },
  ): Promise<LimitedCounter[]> {
    const now = clock.now()
    const at = use.at ?? now
    const { key = null } = use
    const change = { subject: use, day: utcDay(at), meters: amountsByName(use), isRefusable, key }
    const single = singleUse(change)
    if (single === null && write !== null) await runStatement(tx, write)
    if (change.meters.length === 0) return []
    const limited =
      single === null
        ? await addToCounters(tx, change, { plan: planOf(tx, now), now })
        : await countSingle(
            tx,
            { ...single, subject: use, day: change.day, window: windowAt(at, 'month'), isRefusable, key, write },
            now,
          )
    if (!limited.some(({ isRefused }) => isRefused)) await tell(tx, limited, at)
    return limited
  }

  async function tell(tx: TenantScope, limited: LimitedCounter[], at: Date): Promise<void> {
    const reached = limited.filter((counter) => counter.reached.length > 0).map((counter) => withWindow(counter, at))
    if (reached.length > 0) await tellReached(tx, reached, clock.now())
  }

  return { count, countAnyway, countWithin, countAnswer, requireLeft, left, uncount, reserve, settle }
}

function negated(use: Use): Use {
  return { ...use, amounts: Object.fromEntries(Object.entries(use.amounts).map(([meter, amount]) => [meter, -amount])) }
}

/** By name: two uses that share counters lock them in the same order. */
function amountsByName({ amounts }: Use): CounterChange['meters'] {
  const used: CounterChange['meters'] = []
  for (const meter of Object.keys(amounts).toSorted() as ExactMeter[]) {
    const amount = amounts[meter] ?? 0
    if (amount !== 0) used.push({ meter, amount, reserved: 0 })
  }
  return used
}

/** Null for uses that the function `count_usage` counts. */
function singleUse({ meters }: CounterChange): Pick<SingleUse, 'meter' | 'amount'> | null {
  const [single] = meters
  // Tokens have a limit of the day, too.
  if (meters.length !== 1 || single === undefined || single.amount <= 0 || single.meter === 'modelTokens') return null
  return single
}

function refuseExceeded(limited: LimitedCounter[], { at, now }: { at: Date; now: Date }): void {
  const refused = limited.find(({ isRefused }) => isRefused)
  if (refused !== undefined) throw usageExceeded(withWindow(refused, at), refused.used, now)
}

function withWindow(counter: LimitedCounter, at: Date): CounterInWindow {
  return { counter, window: windowAt(at, counter.span) }
}
