import { utcDay } from '../../kernel/period.ts'
import { productSlugs } from '../../kernel/products.ts'
import { type Scope, scopeToTenant } from '../../storage/scope.ts'
import { addTenantUses } from '../meters/counted-uses.store.ts'
import type { MeteringDeps } from '../meters/metering.service.ts'
import { holdTenants } from './batch.store.ts'
import { addUsage } from './usage.store.ts'

type Deps = Pick<MeteringDeps, 'clock' | 'planOf' | 'tellReached'>
type Transferred = { tenantId: string; bytesUp: number; bytesDown: number }

/**
 * Counts the bytes of a node's report in its transaction. A report whose answer was lost is sent again and counts nothing then,
 * so what waited in memory for the answer would never be counted. Locks in the order of a batch,
 * and with as many statements for one tenant as for a thousand: the server is locked meanwhile.
 */
export function transferredBytes({ clock, planOf, tellReached }: Deps) {
  return async (tx: Scope, { tenants }: { tenants: Transferred[] }): Promise<void> => {
    if (tx.kind !== 'platform') throw new Error('A node carries the bytes of many tenants.')
    const now = clock.now()
    const day = utcDay(now)
    const ids = tenants.map(({ tenantId }) => tenantId)
    const alive = await holdTenants(tx, ids, { isPatient: false })
    const counted = tenants.filter(({ tenantId }) => alive.has(tenantId))
    if (counted.length === 0) return
    const none = { apiCalls: 0, validations: 0, connections: 0, connectionSeconds: 0 }
    await addUsage(
      tx,
      counted.map((transferred) => ({ ...none, ...transferred, day, product: productSlugs.vpn })),
      [],
    )
    const uses = counted.map(({ tenantId, bytesUp, bytesDown }) => ({
      tenantId,
      amount: Math.min(bytesUp + bytesDown, Number.MAX_SAFE_INTEGER),
    }))
    for (const { tenantId, reached } of await addTenantUses(tx, { meter: 'vpnBytes', day, uses }, { planOf, now }))
      await tellReached(scopeToTenant(tx, tenantId), reached, now)
  }
}
