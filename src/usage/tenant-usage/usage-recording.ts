import type { AnsweredRequest } from '../../http/server-deps.ts'
import { productSlugs } from '../../kernel/products.ts'
import type { EventBus } from '../../storage/events.ts'
import type { UsageCounts } from './usage-counts.ts'

/** Counts usage from the events of other capabilities, once their transaction is committed. */
export function countFromEvents(events: EventBus, counts: UsageCounts): void {
  events.on('license.validated', async (scope, { tenantId, product }) => {
    scope.handle.afterCommit(() => counts.add({ tenantId, product }, 'validations'))
  })
  events.on('session.started', async (tx, { tenantId, deviceId, userId }) => {
    const target = { tenantId, product: productSlugs.vpn }
    tx.handle.afterCommit(() => {
      counts.add(target, 'connections')
      counts.active(target, 'DEVICE', deviceId)
      counts.use({ tenantId, meter: 'vpnSessions', userId })
    })
  })
  events.on('sessions.ended', async (tx, { tenantId, seconds }) => {
    if (seconds === 0) return
    tx.handle.afterCommit(() => counts.add({ tenantId, product: productSlugs.vpn }, 'connectionSeconds', seconds))
  })
  events.on('transcript.updated', async (tx, { tenantId, orgId, userId, minutes }) => {
    tx.handle.afterCommit(() => counts.use({ tenantId, meter: 'transcriptMinutes', orgId, userId, amount: minutes }))
  })
  events.on('mail.sent', async (scope, { tenantId, userId }) => {
    scope.handle.afterCommit(() => counts.use({ tenantId, meter: 'mails', userId }))
  })
  events.on('email.sent', async (scope, { tenantId, orgId }) => {
    scope.handle.afterCommit(() => counts.use({ tenantId, meter: 'mails', orgId }))
  })
  events.on('webhook.delivered', async (scope, { tenantId }) => {
    scope.handle.afterCommit(() => counts.use({ tenantId, meter: 'webhookDeliveries' }))
  })
  events.on('summary.ready', async (tx, { tenantId, orgId, userId }) => {
    tx.handle.afterCommit(() => counts.use({ tenantId, meter: 'summaries', orgId, userId }))
  })
}

/** Requests that were refused for a rate limit or failed through our fault are not counted. */
export function countAnswered(counts: UsageCounts): (answered: AnsweredRequest) => void {
  return ({ tenantId, userId, product, status }) => {
    if (status === 429 || status >= 499) return
    const target = { tenantId, product: product ?? '' }
    counts.add(target, 'apiCalls')
    counts.use({ tenantId, meter: 'apiCalls', userId })
    if (userId !== null) counts.active(target, 'USER', userId)
  }
}
