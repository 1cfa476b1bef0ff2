import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import { utcDay } from '../../kernel/period.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Active, CountedField, UsageAddition } from './usage.rules.ts'
import { addUsage } from './usage.store.ts'

type TenantProduct = { tenantId: string; product: string }

export type UsageCounts = {
  add(target: TenantProduct, field: CountedField, amount?: number): void
  active(target: TenantProduct, kind: Active['kind'], id: string): void
  flush(): Promise<void>
}

/** A killed process loses at most this much. */
const delayMs = 1000
/** About 200 bytes each. When they are cleared, some are written again, which changes nothing. */
const rememberedMax = 50_000
/** With so many rows a statement takes milliseconds. */
const batchMax = 1000

/**
 * Counts in memory and adds to the database once a second. If that fails, the counts are added the next time: where the
 * connection broke after the commit and before its answer, that second is counted twice.
 */
export function usageCounts(deps: { platform: PlatformScope; clock: Clock; log: Log }): UsageCounts {
  const { platform, clock, log } = deps
  const additions = new Map<string, UsageAddition>()
  const actives = new Map<string, Active>()
  const remembered = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let flushing: Promise<void> | null = null

  const scheduleFlush = (): void => {
    timer ??= setTimeout(() => void flush(), delayMs).unref()
  }

  const put = ({ tenantId, day, product, ...amounts }: UsageAddition): void => {
    const key = `${tenantId} ${day} ${product}`
    const sum = additions.get(key)
    if (sum === undefined) additions.set(key, { tenantId, day, product, ...amounts })
    else
      for (const field of Object.keys(amounts) as CountedField[])
        sum[field] = Math.min(sum[field] + amounts[field], Number.MAX_SAFE_INTEGER)
  }

  const writeSome = async (): Promise<void> => {
    const added = [...additions].slice(0, batchMax)
    const active = [...actives].slice(0, batchMax)
    for (const [key] of added) additions.delete(key)
    for (const [key] of active) actives.delete(key)
    try {
      await addUsage(platform, entryValues(added), entryValues(active))
    } catch (error) {
      for (const [, addition] of added) put(addition)
      for (const [key, one] of active) actives.set(key, one)
      throw error
    }
    if (remembered.size + active.length > rememberedMax) remembered.clear()
    for (const [key] of active) remembered.add(key)
  }

  const write = async (): Promise<void> => {
    try {
      while (additions.size > 0 || actives.size > 0) await writeSome()
    } catch (error) {
      log.warn(
        { err: error, additions: additions.size },
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
      const none = { apiCalls: 0, validations: 0, connections: 0, connectionSeconds: 0, bytesUp: 0, bytesDown: 0 }
      put({ tenantId: target.tenantId, day: utcDay(clock.now()), product: target.product, ...none, [field]: amount })
      if (timer === null) scheduleFlush()
    },
    active: ({ tenantId, product }, kind, id) => {
      const day = utcDay(clock.now())
      const key = `${day} ${kind} ${id} ${product}`
      if (remembered.has(key)) return
      actives.set(key, { tenantId, day, product, kind, id })
      if (timer === null) scheduleFlush()
    },
    // Counts that arrived during a running flush need another one.
    flush: async () => {
      await flushing
      await flush()
    },
  }
}

function entryValues<T>(entries: [string, T][]): T[] {
  return entries.map(([, value]) => value)
}
