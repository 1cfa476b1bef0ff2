import type { AnsweredRequest } from '../../http/server-deps.ts'
import { productSlugs } from '../../kernel/products.ts'
import type { EventBus } from '../../storage/events.ts'
import type { UsageCounts } from './usage-counts.ts'

/** Counts usage from the events of other capabilities, once their transaction is committed. */
export function countFromEvents(events: EventBus, counts: UsageCounts): void {
  events.on('license.validated', async (scope, { tenantId, product }) => {
    scope.handle.afterCommit(() => counts.add({ tenantId, product }, 'validations'))
  })
  events.on('session.started', async (tx, { tenantId, deviceId }) => {
    const target = { tenantId, product: productSlugs.vpn }
    tx.handle.afterCommit(() => {
      counts.add(target, 'connections')
      counts.active(target, 'DEVICE', deviceId)
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

/** Requests that were refused for a rate limit or failed through our fault are not counted. */
export function countAnswered(counts: UsageCounts): (answered: AnsweredRequest) => void {
  return ({ tenantId, userId, product, status }) => {
    if (status === 429 || status >= 499) return
    const target = { tenantId, product: product ?? '' }
    counts.add(target, 'apiCalls')
    if (userId !== null) counts.active(target, 'USER', userId)
  }
}
