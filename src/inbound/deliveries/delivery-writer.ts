import type { RowJobs } from '../../jobs/jobs.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { microBatch } from '../../storage/micro-batch.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import { sqlErrorRefusal } from '../../storage/sql-error.ts'
import { touchConnection } from '../connections/connection.store.ts'
import { countDuplicate, hasOtherParts, insertDelivery, type NewDelivery } from './delivery.store.ts'
import { processingJob } from './processing.job.ts'

/** `isLastSeenDue`: `last_seen_at` of the connection is due to be written. */
type Write = { tenantId: string; delivery: NewDelivery; isLastSeenDue: boolean }
type Written = { deliveryId: string; isDuplicate: boolean }
export type WriteDelivery = (scope: TenantScope, write: Omit<Write, 'tenantId'>) => Promise<Written>

// A transaction with so many deliveries takes some tens of milliseconds.
const sizeMax = 32

type WriterDeps = { platform: PlatformScope; jobs: RowJobs; isEmbedded: boolean }

/**
 * Stores deliveries together with the jobs that process them. On the embedded database all waiting deliveries share one
 * transaction: there a commit waits for the disk and is most of the cost of an acknowledgement. A PostgreSQL server
 * groups commits by itself. A sender is answered only after its own delivery is committed. Deliveries of one connection
 * are stored in the order in which they arrived.
 */
export function deliveryWriter({ platform, jobs, isEmbedded }: WriterDeps): WriteDelivery {
  const writeInBatch = microBatch<Write, PromiseSettledResult<Written>>({
    sizeMax,
    flush: async (writes) => {
      try {
        const written = await writeAll(writes)
        return written.map((value) => ({ status: 'fulfilled', value }))
      } catch (error) {
        if (writes.length === 1 || isUnavailable(error)) throw error
        // A delivery that cannot be stored must not fail the others.
        return Promise.allSettled(writes.map(async (write) => (await writeAll([write]))[0] as Written))
      }
    },
  })

  function writeAll(writes: Write[]): Promise<Written[]> {
    return transaction(platform, async (tx) => {
      const written = new Map<Write, Written>()
      // Sorted by connection, so that two nodes lock connections in the same order.
      for (const write of writes.toSorted((a, b) => compare(a.delivery.connectionId, b.delivery.connectionId)))
        written.set(write, await writeOne(scopeToTenant(tx, write.tenantId), write))
      return writes.map((write) => written.get(write) as Written)
    })
  }

  async function writeOne(scope: TenantScope, { delivery, isLastSeenDue }: Omit<Write, 'tenantId'>): Promise<Written> {
    const { id, connectionId, entityKey } = delivery
    if (isLastSeenDue) await touchConnection(scope, connectionId, delivery.receivedAt)
    const job = {
      data: { deliveryId: id, run: 1 },
      tenantId: scope.tenantId,
      key: processingKey({ connectionId, entityKey }),
    }
    const isNew = await insertDelivery(scope, delivery, (insert) =>
      jobs.enqueueWithRow(scope, insert, processingJob, job),
    )
    if (isNew) return { deliveryId: id, isDuplicate: false }
    return { deliveryId: await countDuplicate(scope, delivery), isDuplicate: true }
  }

  return async (scope, write) => {
    // The caller's transaction includes it.
    if (scope.handle.inTransaction) return writeOne(scope, write)
    if (!isEmbedded) {
      const isOneStatement = !write.isLastSeenDue && !hasOtherParts(write.delivery)
      return isOneStatement ? writeOne(scope, write) : transaction(scope, (tx) => writeOne(tx, write))
    }
    const settled = await writeInBatch({ ...write, tenantId: scope.tenantId })
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }
}

/** Jobs with one key run one after another: the events of one entity of one connection. */
export function processingKey({ connectionId, entityKey }: { connectionId: string; entityKey: string }): string {
  return `${connectionId}:${entityKey}`
}

function isUnavailable(error: unknown): boolean {
  const refusal = error instanceof Refusal ? error : sqlErrorRefusal(error)
  return refusal?.code === 'UNAVAILABLE'
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
