import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import { utcDay } from '../../kernel/period.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { Active, CountedField, UsageAddition } from './usage.rules.ts'
import { addUsage } from './usage.store.ts'

type Of = { tenantId: string; product: string }

export type UsageCounts = {
  add(of: Of, field: CountedField, amount?: number): void
  active(of: Of, kind: Active['kind'], id: string): void
  flush(): Promise<void>
}

/** What a kill can lose. */
const delayMs = 1000
/** About 200 bytes each; forgotten ones are written again, which changes nothing. */
const rememberedMax = 50_000
/** A statement takes milliseconds with so many. */
const batchMax = 1000

/**
 * Counts in memory and adds to the database once a second. What the database did not take is added the next time:
 * where a connection broke after the commit and before its answer, that second is counted twice.
 */
export function usageCounts(deps: { platform: PlatformScope; clock: Clock; log: Log }): UsageCounts {
  const { platform, clock, log } = deps
  const additions = new Map<string, UsageAddition>()
  const actives = new Map<string, Active>()
  const remembered = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let flushing: Promise<void> | null = null

  const plan = (): void => {
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
      await addUsage(platform, valuesOf(added), valuesOf(active))
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
      log.warn({ err: error, additions: additions.size }, 'usage of tenants is not written yet and waits')
      plan()
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
    add: (of, field, amount = 1) => {
      const none = { apiCalls: 0, validations: 0, connections: 0, connectionSeconds: 0, bytesUp: 0, bytesDown: 0 }
      put({ tenantId: of.tenantId, day: utcDay(clock.now()), product: of.product, ...none, [field]: amount })
      if (timer === null) plan()
    },
    active: ({ tenantId, product }, kind, id) => {
      const day = utcDay(clock.now())
      const key = `${day} ${kind} ${id} ${product}`
      if (remembered.has(key)) return
      actives.set(key, { tenantId, day, product, kind, id })
      if (timer === null) plan()
    },
    // What came while one was under way needs another one.
    flush: async () => {
      await flushing
      await flush()
    },
  }
}

function valuesOf<T>(entries: [string, T][]): T[] {
  return entries.map(([, value]) => value)
}
