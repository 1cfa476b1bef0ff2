import type { Clock } from '../../kernel/clock.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { windowAt } from '../meters/meter.rules.ts'
import type { TellReached } from '../meters/threshold.service.ts'
import type { StockLimit } from './stock-limit.service.ts'
import { findReachedByStock } from './stock-threshold.store.ts'

/**
 * Call it in the transaction that has stored something, after it was counted. Tells the tenant of the thresholds of the limit
 * that it has reached: of each at most once a month, when something is stored.
 */
export type TellStored = (tx: TenantScope, limit: StockLimit) => Promise<void>

export function stockThresholds({ clock, tellReached }: { clock: Clock; tellReached: TellReached }): TellStored {
  return async (tx, { meter, max: limit, source: plan }) => {
    if (limit === null) return
    const now = clock.now()
    const window = windowAt(now, 'month')
    const found = await findReachedByStock(tx, { meter, limit, from: window.from })
    if (found === null || found.reached.length === 0) return
    const subject = { scope: 'tenant', subjectId: tx.tenantId } as const
    const limited = {
      meter,
      limitedName: meter,
      span: window.span,
      limit,
      plan,
      effect: 'REFUSE',
      isRefused: false,
    } as const
    await tellReached(tx, [{ counter: { ...subject, ...limited, ...found }, window }], now)
  }
}
