import type { AnsweredRequest } from '../../http/server-deps.ts'
import { productSlugs } from '../../kernel/products.ts'
import type { EventBus } from '../../storage/events.ts'
import type { UsageCounts } from './usage-counts.ts'

/** Where usage is counted: what happened is told by whoever did it, and counts once it is committed. */
export function countFromEvents(events: EventBus, counts: UsageCounts): void {
  events.on('license.validated', async (scope, { tenantId, product }) => {
    scope.handle.afterCommit(() => counts.add({ tenantId, product }, 'validations'))
  })
  events.on('session.started', async (tx, { tenantId, deviceId }) => {
    const of = { tenantId, product: productSlugs.vpn }
    tx.handle.afterCommit(() => {
      counts.add(of, 'connections')
      counts.active(of, 'DEVICE', deviceId)
    })
  })
  events.on('vpn.transferred', async (tx, { tenantId, bytesUp, bytesDown }) => {
    tx.handle.afterCommit(() => {
      counts.add({ tenantId, product: productSlugs.vpn }, 'bytesUp', bytesUp)
      counts.add({ tenantId, product: productSlugs.vpn }, 'bytesDown', bytesDown)
    })
  })
  events.on('sessions.ended', async (tx, { tenantId, seconds }) => {
    if (seconds === 0) return
    tx.handle.afterCommit(() => counts.add({ tenantId, product: productSlugs.vpn }, 'connectionSeconds', seconds))
  })
}

/** Refused for the caller's limit, or not served through our fault: no call that anybody would pay for. */
export function countAnswered(counts: UsageCounts): (answered: AnsweredRequest) => void {
  return ({ tenantId, userId, product, status }) => {
    if (status === 429 || status >= 499) return
    const of = { tenantId, product: product ?? '' }
    counts.add(of, 'apiCalls')
    if (userId !== null) counts.active(of, 'USER', userId)
  }
}
