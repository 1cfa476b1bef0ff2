import type { Audit } from '../../identity/index.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import { type PlatformScope, type TenantScope, transaction } from '../../storage/scope.ts'
import { dropDeleted, dropPreviousSecrets } from '../connections/connection.store.ts'
import type { Delivery } from './delivery.rules.ts'
import { type ReplayFilter, replayMax } from './delivery.schema.ts'
import { deleteDeliveries, eraseBodies, getDelivery, listReplayable, type Replay, reopen } from './delivery.store.ts'
import { processingKey } from './delivery-writer.ts'
import { processingJob } from './processing.job.ts'

export type DeliveryDeps = { clock: Clock; audit: Audit; jobs: Jobs }

const dayMs = 24 * 3600 * 1000
const retention = { bodyDays: 7, rowDays: 30 }

export type Deliveries = ReturnType<typeof deliveryService>

export function deliveryService({ clock, audit, jobs }: DeliveryDeps) {
  const enqueue = (tx: TenantScope, replay: Replay): Promise<void> =>
    jobs.enqueue(tx, processingJob, {
      data: { deliveryId: replay.id, run: replay.run },
      tenantId: tx.tenantId,
      key: processingKey(replay),
    })
  const replayEntry = () => ({ at: clock.now().toISOString(), event: 'replayed', detail: null })

  /** Queues a delivery to be processed again. Its earlier effects stay as they are. Refuses with NOT_FOUND and STATE_CONFLICT. */
  function replay(scope: TenantScope, id: string): Promise<Delivery> {
    return transaction(scope, async (tx) => {
      const reopened = await reopen(tx, id, replayEntry())
      if (reopened === null) throw notReplayable(await getDelivery(tx, id))
      await enqueue(tx, reopened)
      await audit(tx, { action: 'webhook.delivery.replay', target: { type: 'webhook_delivery', id } })
      return getDelivery(tx, id)
    })
  }

  /** Replays matching deliveries, oldest first. A repeated call finds only those that have failed again. */
  function replayAll(
    scope: TenantScope,
    { status = 'dead', connectionId, from, to, limit = replayMax }: ReplayFilter,
  ): Promise<{ replayed: number; hasMore: boolean }> {
    const search = {
      status,
      connectionId,
      limit: limit + 1,
      from: from === undefined ? undefined : parseTimestamp(from, '/body/from'),
      to: to === undefined ? undefined : parseTimestamp(to, '/body/to'),
    }
    return transaction(scope, async (tx) => {
      const found = await listReplayable(tx, search)
      let replayed = 0
      for (const id of found.slice(0, limit)) {
        // Null where a concurrent call replays it.
        const reopened = await reopen(tx, id, replayEntry())
        if (reopened === null) continue
        await enqueue(tx, reopened)
        replayed += 1
      }
      const changes = { status, connectionId: connectionId ?? null, replayed }
      if (replayed > 0)
        await audit(tx, {
          action: 'webhook.delivery.replay-all',
          target: { type: 'webhook_delivery', id: null },
          changes,
        })
      return { replayed, hasMore: found.length > limit }
    })
  }

  /** Erases previous secrets that have ended, bodies after a week, and everything else after a month. */
  async function deleteExpired(platform: PlatformScope): Promise<void> {
    const now = clock.now()
    const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
    await dropPreviousSecrets(platform, now)
    while ((await eraseBodies(platform, daysAgo(retention.bodyDays))) > 0);
    while ((await deleteDeliveries(platform, daysAgo(retention.rowDays))) > 0);
    await dropDeleted(platform, daysAgo(retention.rowDays))
  }

  return { get: getDelivery, replay, replayAll, deleteExpired }
}

function notReplayable({ status, hasBody }: Delivery): Refusal {
  const isWaiting = status === 'received' || status === 'retrying'
  const reason = isWaiting ? 'still waits to be processed' : hasBody ? `is ${status}` : 'no longer has a body'
  return new Refusal('STATE_CONFLICT', { detail: `The delivery ${reason}.` })
}
