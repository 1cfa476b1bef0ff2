import type { Audit } from '../../identity/index.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Endpoint } from '../endpoints/endpoint.rules.ts'
import { findEndpoint } from '../endpoints/endpoint.store.ts'
import { type EventType, eventTypes } from '../events/event-types.ts'
import type { SendTo } from '../events/publish.ts'
import { type Delivery, type DeliveryStatus, type Due, deliver } from './delivery.rules.ts'
import {
  countFailed,
  findDelivery,
  listDeliveries,
  reopenFailed,
  reopenForgotten,
  reopenSend,
} from './delivery.store.ts'

export type DeliveryDeps = { clock: Clock; jobs: Jobs; audit: Audit; sendTo: SendTo }
export type Deliveries = ReturnType<typeof deliveryService>

/** A call recovers so many; it says how many are left. */
const recoveredMax = 500
/** Longer than a job waits for a place or a dead process. */
const forgottenMs = 15 * 60_000

/** What a tenant sees and asks of what was sent. An endpoint that is unknown or another's is NOT_FOUND everywhere. */
export function deliveryService({ clock, jobs, audit, sendTo }: DeliveryDeps) {
  const enqueue = (tx: TenantScope, data: Due) => jobs.enqueue(tx, deliver, { data, tenantId: tx.tenantId })

  async function list(
    scope: TenantScope,
    endpointId: string,
    ask: PageRequest & { status: DeliveryStatus | null },
  ): Promise<Page<Delivery>> {
    present(await findEndpoint(scope, endpointId))
    return listDeliveries(scope, { ...ask, endpointId })
  }

  /** Refuses STATE_CONFLICT for an endpoint that is disabled. */
  function test(scope: TenantScope, id: string, type: EventType): Promise<Delivery> {
    return transaction(scope, async (tx) => {
      const endpoint = active(await findEndpoint(tx, id))
      const data = type === 'webhook.test' ? { endpointId: id } : eventTypes[type].data
      const messageId = await sendTo(tx, endpoint, { type, data })
      await record(tx, 'webhookEndpoint.test', id, { messageId, type })
      return present(await findDelivery(tx, { endpointId: id, messageId }))
    })
  }

  /** Now and with all its tries, also one that was delivered. Refuses STATE_CONFLICT for an endpoint that is disabled. */
  function resend(scope: TenantScope, place: { endpointId: string; messageId: string }): Promise<Delivery> {
    return transaction(scope, async (tx) => {
      active(await findEndpoint(tx, place.endpointId))
      await enqueue(tx, present(await reopenSend(tx, place, clock.now())))
      await record(tx, 'webhookEndpoint.resend', place.endpointId, { messageId: place.messageId })
      return present(await findDelivery(tx, place))
    })
  }

  /** What failed since a moment is sent again, the oldest first. Refuses STATE_CONFLICT for an endpoint that is disabled. */
  function recover(
    scope: TenantScope,
    endpointId: string,
    since: string,
  ): Promise<{ recovered: number; remaining: number }> {
    const asked = { endpointId, since: parseTimestamp(since, '/body/since') }
    return transaction(scope, async (tx) => {
      active(await findEndpoint(tx, endpointId))
      const due = await reopenFailed(tx, { ...asked, limit: recoveredMax, now: clock.now() })
      for (const one of due) await enqueue(tx, one)
      const recovered = due.length
      await record(tx, 'webhookEndpoint.recover', endpointId, { since, recovered })
      return { recovered, remaining: await countFailed(tx, asked) }
    })
  }

  /** Makes new jobs for deliveries whose jobs died. */
  function remember(platform: PlatformScope): Promise<void> {
    return transaction(platform, async (tx) => {
      const now = clock.now()
      const before = new Date(now.getTime() - forgottenMs)
      const forgotten = await reopenForgotten(tx, { before, now, limit: recoveredMax })
      for (const { tenantId, ...due } of forgotten) await enqueue(scopeToTenant(tx, tenantId), due)
    })
  }

  const record = (tx: TenantScope, action: string, id: string, changes: Record<string, unknown>) =>
    audit(tx, { action, target: { type: 'webhookEndpoint', id }, changes })

  return { list, test, resend, recover, remember }
}

function present<T>(found: T | null): T {
  if (found === null) throw notFound()
  return found
}

function active(found: Endpoint | null): Endpoint {
  const endpoint = present(found)
  if (endpoint.status === 'DISABLED')
    throw new Refusal('STATE_CONFLICT', { detail: 'The endpoint is disabled: enable it first.' })
  return endpoint
}
