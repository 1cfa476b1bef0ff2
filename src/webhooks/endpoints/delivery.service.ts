import type { Audit } from '../../identity/index.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Delivery, DeliveryStatus } from '../attempts/delivery.rules.ts'
import {
  countFailed,
  findDelivery,
  listDeliveries,
  restartDelivery,
  restartFailed,
  restartStalled,
} from '../attempts/delivery.store.ts'
import { type DueAttempt, deliveryJob } from '../delivery-job.ts'
import type { Endpoint } from '../endpoint.rules.ts'
import { findEndpoint } from '../endpoint.store.ts'
import { type EventType, eventTypes } from '../event-types/event-types.ts'
import type { SendTo } from '../events/publish.ts'

export type DeliveryDeps = { clock: Clock; jobs: Jobs; audit: Audit; sendTo: SendTo }
export type Deliveries = ReturnType<typeof deliveryService>

/** One call recovers at most this many, and reports how many are left. */
const recoveredAtOnceMax = 500
/** Longer than a job waits for a worker or for the claim of a dead process. */
const stalledAfterMs = 15 * 60_000

/** Lists and resends deliveries. An unknown endpoint and one of another tenant are NOT_FOUND in every call. */
export function deliveryService({ clock, jobs, audit, sendTo }: DeliveryDeps) {
  const enqueue = (tx: TenantScope, data: DueAttempt) => jobs.enqueue(tx, deliveryJob, { data, tenantId: tx.tenantId })

  async function list(
    scope: TenantScope,
    endpointId: string,
    ask: PageRequest & { status: DeliveryStatus | null },
  ): Promise<Page<Delivery>> {
    orNotFound(await findEndpoint(scope, endpointId))
    return listDeliveries(scope, { ...ask, endpointId })
  }

  /** Refuses with STATE_CONFLICT if the endpoint is disabled. */
  function test(scope: TenantScope, id: string, type: EventType): Promise<Delivery> {
    return transaction(scope, async (tx) => {
      const endpoint = requireActive(await findEndpoint(tx, id))
      const data = type === 'webhook.test' ? { endpointId: id } : eventTypes[type].data
      const messageId = await sendTo(tx, endpoint, { type, data })
      await record(tx, 'webhookEndpoint.test', id, { messageId, type })
      return orNotFound(await findDelivery(tx, { endpointId: id, messageId }))
    })
  }

  /** Sends it now, with all retries, even if it was delivered. Refuses with STATE_CONFLICT if the endpoint is disabled. */
  function resend(scope: TenantScope, place: { endpointId: string; messageId: string }): Promise<Delivery> {
    return transaction(scope, async (tx) => {
      requireActive(await findEndpoint(tx, place.endpointId))
      await enqueue(tx, orNotFound(await restartDelivery(tx, place, clock.now())))
      await record(tx, 'webhookEndpoint.resend', place.endpointId, { messageId: place.messageId })
      return orNotFound(await findDelivery(tx, place))
    })
  }

  /** Resends what failed since a time, the oldest first. Refuses with STATE_CONFLICT if the endpoint is disabled. */
  function recover(
    scope: TenantScope,
    endpointId: string,
    since: string,
  ): Promise<{ recovered: number; remaining: number }> {
    const asked = { endpointId, since: parseTimestamp(since, '/body/since') }
    return transaction(scope, async (tx) => {
      requireActive(await findEndpoint(tx, endpointId))
      const due = await restartFailed(tx, { ...asked, limit: recoveredAtOnceMax, now: clock.now() })
      for (const one of due) await enqueue(tx, one)
      const recovered = due.length
      await record(tx, 'webhookEndpoint.recover', endpointId, { since, recovered })
      return { recovered, remaining: await countFailed(tx, asked) }
    })
  }

  /** Enqueues new jobs for deliveries whose jobs were lost. */
  function restartStalledDeliveries(platform: PlatformScope): Promise<void> {
    return transaction(platform, async (tx) => {
      const now = clock.now()
      const before = new Date(now.getTime() - stalledAfterMs)
      const forgotten = await restartStalled(tx, { before, now, limit: recoveredAtOnceMax })
      for (const { tenantId, ...due } of forgotten) await enqueue(scopeToTenant(tx, tenantId), due)
    })
  }

  const record = (tx: TenantScope, action: string, id: string, changes: Record<string, unknown>) =>
    audit(tx, { action, target: { type: 'webhookEndpoint', id }, changes })

  return { list, test, resend, recover, remember: restartStalledDeliveries }
}

function orNotFound<T>(found: T | null): T {
  if (found === null) throw notFound()
  return found
}

function requireActive(found: Endpoint | null): Endpoint {
  const endpoint = orNotFound(found)
  if (endpoint.status === 'DISABLED')
    throw new Refusal('STATE_CONFLICT', { detail: 'The endpoint is disabled. Enable it first.' })
  return endpoint
}
