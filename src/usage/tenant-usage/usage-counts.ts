import { randomUUID } from 'node:crypto'
import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import { utcDay } from '../../kernel/period.ts'
import { type PlatformScope, scopeToTenant, transaction } from '../../storage/scope.ts'
import { addCountedUses, type CountedUse, type ReachedCounters } from '../meters/counted-uses.store.ts'
import type { MeteringDeps } from '../meters/metering.service.ts'
import { claimBatch, holdTenants } from './batch.store.ts'
import type { Active, CountedField, UsageAddition } from './usage.rules.ts'
import { addUsage } from './usage.store.ts'

type TenantProduct = { tenantId: string; product: string }

export type NewCountedUse = Pick<CountedUse, 'tenantId' | 'meter'> & {
  orgId?: string | null
  userId?: string | null
  /** Default: 1. */
  amount?: number
}

export type UsageCounts = {
  add(target: TenantProduct, field: CountedField, amount?: number): void
  active(target: TenantProduct, kind: Active['kind'], id: string): void
  use(use: NewCountedUse): void
  flush(): Promise<void>
}

export type UsageCountsDeps = Pick<MeteringDeps, 'clock' | 'planOf' | 'tellReached'> & {
  platform: PlatformScope
  clock: Clock
  log: Log
}

/** A killed process loses at most this much. */
const delayMs = 1000
/** About 200 bytes each. When they are cleared, some are written again, which changes nothing. */
const rememberedMax = 50_000
/** With so many rows a statement takes milliseconds. */
const batchMax = 1000

/** Does not change once it has a number, so that a batch whose answer was lost is the same when it is sent again. */
type Batch = {
  number: number
  additions: UsageAddition[]
  actives: [string, Active][]
  uses: CountedUse[]
}

/**
 * Counts in memory and adds to the database once a second. All counts of a batch are added in one transaction with its
 * number, so that a batch whose answer was lost is not added twice.
 */
export function usageCounts(deps: UsageCountsDeps): UsageCounts {
  const { platform, clock, log, planOf, tellReached } = deps
  const writer = randomUUID()
  const additions = new Map<string, UsageAddition>()
  const actives = new Map<string, Active>()
  const uses = new Map<string, CountedUse>()
  const remembered = new Set<string>()
  let lastNumber = 0
  let unsure: Batch | null = null
  let timer: NodeJS.Timeout | null = null
  let flushing: Promise<void> | null = null

  const scheduleFlush = (): void => {
    timer ??= setTimeout(() => void flush(), delayMs).unref()
  }

  const todaysAddition = ({ tenantId, product }: TenantProduct): UsageAddition => {
    const day = utcDay(clock.now())
    const key = `${tenantId} ${day} ${product}`
    const known = additions.get(key)
    if (known !== undefined) return known
    const none = { apiCalls: 0, validations: 0, connections: 0, connectionSeconds: 0, bytesUp: 0, bytesDown: 0 }
    const addition = { tenantId, day, product, ...none }
    additions.set(key, addition)
    return addition
  }

  const nextBatch = (): Batch | null => {
    if (additions.size + actives.size + uses.size === 0) return null
    lastNumber += 1
    return {
      number: lastNumber,
      additions: takeSome(additions).map(([, addition]) => addition),
      actives: takeSome(actives),
      uses: takeSome(uses).map(([, use]) => use),
    }
  }

  const addBatch = (batch: Batch): Promise<ReachedCounters> =>
    transaction(platform, async (tx) => {
      const now = clock.now()
      if (!(await claimBatch(tx, { writer, number: batch.number }, now))) return []
      const active = batch.actives.map(([, one]) => one)
      await addUsage(tx, batch.additions, active)
      const alive = await holdTenants(tx, [...new Set(batch.uses.map(({ tenantId }) => tenantId))])
      const ofAlive = batch.uses.filter(({ tenantId }) => alive.has(tenantId))
      return addCountedUses(tx, ofAlive, { planOf, now })
    })

  // After the flush: what fails here must not make a batch fail. The next use of the meter finds what was not told.
  const tell = async (all: ReachedCounters): Promise<void> => {
    for (const { tenantId, reached } of all)
      await transaction(scopeToTenant(platform, tenantId), (tx) => tellReached(tx, reached, clock.now())).catch(
        (error) => log.warn({ err: error, tenantId }, 'A notice of a reached threshold could not be sent.'),
      )
  }

  const add = async (batch: Batch): Promise<void> => {
    unsure = batch
    const reached = await addBatch(batch)
    unsure = null
    if (remembered.size + batch.actives.length > rememberedMax) remembered.clear()
    for (const [key] of batch.actives) remembered.add(key)
    await tell(reached)
  }

  const write = async (): Promise<void> => {
    // What comes in meanwhile waits for the next second, so that a busy service does not write without end.
    let batches = Math.ceil(Math.max(additions.size, actives.size, uses.size) / batchMax)
    try {
      if (unsure !== null) await add(unsure)
      for (; batches > 0; batches--) {
        const batch = nextBatch()
        if (batch !== null) await add(batch)
      }
      if (additions.size + actives.size + uses.size > 0) scheduleFlush()
    } catch (error) {
      log.warn(
        { err: error, additions: additions.size, uses: uses.size },
        'Usage of tenants could not be written. The next attempt follows.',
      )
      scheduleFlush()
    }
  }

  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    flushing ??= write().finally(() => {
      flushing = null
    })
    return flushing
  }

  return {
    add: (target, field, amount = 1) => {
      const addition = todaysAddition(target)
      addition[field] = Math.min(addition[field] + amount, Number.MAX_SAFE_INTEGER)
      if (timer === null) scheduleFlush()
    },
    active: ({ tenantId, product }, kind, id) => {
      const day = utcDay(clock.now())
      const key = `${day} ${kind} ${id} ${product}`
      if (remembered.has(key)) return
      actives.set(key, { tenantId, day, product, kind, id })
      if (timer === null) scheduleFlush()
    },
    use: ({ tenantId, meter, orgId = null, userId = null, amount = 1 }) => {
      if (amount === 0) return
      const day = utcDay(clock.now())
      const key = `${tenantId} ${day} ${meter} ${orgId} ${userId}`
      const sum = Math.min((uses.get(key)?.amount ?? 0) + amount, Number.MAX_SAFE_INTEGER)
      uses.set(key, { tenantId, day, meter, orgId, userId, amount: sum })
      if (timer === null) scheduleFlush()
    },
    // Counts that arrived during a running flush need another one.
    flush: async () => {
      await flushing
      await flush()
    },
  }
}

function takeSome<T>(entries: Map<string, T>): [string, T][] {
  const taken = [...entries].slice(0, batchMax)
  for (const [key] of taken) entries.delete(key)
  return taken
}
