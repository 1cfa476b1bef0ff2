import type { Jobs } from '../../jobs/jobs.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { microBatch } from '../../storage/micro-batch.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import { sqlErrorRefusal } from '../../storage/sql-error.ts'
import { touchConnection } from '../connections/connection.store.ts'
import { countDuplicate, insertDelivery, type NewDelivery } from './delivery.store.ts'
import { processingJob } from './processing.job.ts'

/** `isFirstOfMinute`: the connection was not seen lately. */
type Ask = { tenantId: string; delivery: NewDelivery; isFirstOfMinute: boolean }
export type Stored = { deliveryId: string; isDuplicate: boolean }
export type Store = (scope: TenantScope, ask: Omit<Ask, 'tenantId'>) => Promise<Stored>

// A transaction of this many takes some tens of milliseconds.
const sizeMax = 32
// One is written while the next ones come together; more would only share the disk, and take connections from others.
const flushesMax = 2

type StoringDeps = { platform: PlatformScope; jobs: Jobs; isEmbedded: boolean }

/**
 * Stores deliveries with the jobs that process them. The embedded database stores all that wait in one transaction: a
 * commit waits for the disk, and is most of what an acknowledgement costs there, while a server puts commits together
 * by itself. Nobody is answered before the commit of the own delivery. Those of one connection are stored in the order
 * in which they came.
 */
export function storing({ platform, jobs, isEmbedded }: StoringDeps): Store {
  const together = microBatch<Ask, PromiseSettledResult<Stored>>({
    sizeMax,
    flushesMax,
    groupKey: ({ delivery }) => delivery.connectionId,
    flush: async (asks) => {
      try {
        const stored = await storeAll(asks)
        return stored.map((value) => ({ status: 'fulfilled', value }))
      } catch (error) {
        if (asks.length === 1 || isUnavailable(error)) throw error
        // One that cannot be stored takes no other with it.
        return Promise.allSettled(asks.map(async (ask) => (await storeAll([ask]))[0] as Stored))
      }
    },
  })

  function storeAll(asks: Ask[]): Promise<Stored[]> {
    return transaction(platform, async (tx) => {
      const stored = new Map<Ask, Stored>()
      // Connection by connection, so that two nodes that store at once lock them in one order.
      for (const ask of asks.toSorted((a, b) => compare(a.delivery.connectionId, b.delivery.connectionId)))
        stored.set(ask, await store(scopeToTenant(tx, ask.tenantId), ask))
      return asks.map((ask) => stored.get(ask) as Stored)
    })
  }

  async function store(tx: TenantScope, { delivery, isFirstOfMinute }: Omit<Ask, 'tenantId'>): Promise<Stored> {
    const { id, connectionId, entityKey } = delivery
    if (isFirstOfMinute) await touchConnection(tx, connectionId, delivery.receivedAt)
    if (!(await insertDelivery(tx, delivery)))
      return { deliveryId: await countDuplicate(tx, delivery), isDuplicate: true }
    await jobs.enqueue(tx, processingJob, {
      data: { deliveryId: id, run: 1 },
      tenantId: tx.tenantId,
      key: orderOf({ connectionId, entityKey }),
    })
    return { deliveryId: id, isDuplicate: false }
  }

  return async (scope, ask) => {
    // It belongs to whatever else happens there.
    if (scope.handle.inTransaction) return store(scope, ask)
    if (!isEmbedded) return transaction(scope, (tx) => store(tx, ask))
    const settled = await together({ ...ask, tenantId: scope.tenantId })
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }
}

/** What must not overtake each other: the events of one entity, as one connection tells them. */
export function orderOf({ connectionId, entityKey }: { connectionId: string; entityKey: string }): string {
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
