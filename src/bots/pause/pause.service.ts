import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { writePause } from './pause.store.ts'

export type SetPause = (scope: TenantScope, change: { isPaused: boolean; reason?: string | null }) => Promise<void>

/** Stops or allows sending bots of a tenant. Bots that are in meetings stay. */
export function pauseSetter({ clock, audit }: { clock: Clock; audit: Audit }): SetPause {
  return (scope, { isPaused, reason = null }) =>
    transaction(scope, async (tx) => {
      await writePause(tx, isPaused ? { at: clock.now(), reason } : null)
      await audit(tx, {
        action: isPaused ? 'bot.pause' : 'bot.resume',
        target: { type: 'tenant', id: tx.tenantId },
        changes: { reason },
      })
    })
}
