import type { Log } from '../../http/server-deps.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Metering } from '../meters/metering.service.ts'
import { insertUnsettled, listReservationsBefore } from './unsettled.store.ts'

/** A request to a model is over long before. */
const settledWithinMs = 10 * 60 * 1000
const batchMax = 100

/**
 * Counts reservations as used that nobody has settled, because the process that made them is gone or the endpoint never
 * answered. Safe on several nodes at once.
 */
export async function countUnsettled(
  platform: PlatformScope,
  { clock, log, metering, signal }: { clock: Clock; log: Log; metering: Metering; signal: AbortSignal },
): Promise<void> {
  const before = new Date(clock.now().getTime() - settledWithinMs)
  let found: number
  let counted: number
  do {
    const unsettled = await listReservationsBefore(platform, before, batchMax)
    found = unsettled.length
    counted = 0
    for (const reservation of unsettled) {
      const { tenantId, id, amount } = reservation
      const work = async (tx: TenantScope) => {
        if (!(await metering.settle(tx, { id, amount }, amount))) return
        await insertUnsettled(tx, reservation, clock.now())
        tx.handle.afterCommit(() =>
          log.warn({ tenantId, reservationId: id, tokens: amount }, 'A reservation of tokens was not settled.'),
        )
      }
      // One that fails must not keep the others from being counted.
      await transaction(scopeToTenant(platform, tenantId), work).then(
        () => counted++,
        (error) => log.warn({ err: error, tenantId, reservationId: id }, 'A reservation could not be counted.'),
      )
    }
  } while (found === batchMax && counted > 0 && !signal.aborted)
}
