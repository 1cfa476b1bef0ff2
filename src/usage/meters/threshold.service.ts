import type { EventBus } from '../../storage/events.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { LimitedCounter } from './counter.store.ts'
import { insertTold } from './threshold.store.ts'
import type { CounterInWindow } from './usage-exceeded.ts'

/** Tells a tenant of the thresholds that its uses have reached, in the transaction of the use. */
export type TellReached = (tx: TenantScope, reached: CounterInWindow[], now: Date) => Promise<void>

/** A threshold that was reached for the first time with this limit. */
export type ReachedThreshold = {
  counter: LimitedCounter
  window: CounterInWindow['window']
  percent: number
}

/** Each threshold of a limit is told once. A limit that was raised is another one. */
export function thresholdService({ events }: { events: EventBus }): TellReached {
  return async (tx, reached, now) => {
    for (const { counter, window } of reached) {
      // Two nodes may see the same threshold at once: the row says who tells of it.
      for (const percent of await insertTold(tx, { counter, window, now }))
        await events.emit(tx, 'usage.threshold.reached', { tenantId: tx.tenantId, counter, window, percent })
    }
  }
}
