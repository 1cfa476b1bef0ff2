import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Owner } from '../configs/config.rules.ts'
import { failures, type Suppression, type SuppressionReason } from './suppression.rules.ts'
import {
  addSuppression,
  countFailure,
  deleteOver,
  deleteSuppression,
  findByAddress,
  findReason,
} from './suppression.store.ts'

declare module '../../storage/events.ts' {
  interface DomainEvents {
    /** An address gets no more mails of the tenant. */
    'mail.suppressed': { tenantId: string; orgId: string | null; suppressionId: string }
  }
}

export type SuppressionDeps = { clock: Clock; events: EventBus; audit: Audit }

type Held = { owner: Owner; address: string; reason: SuppressionReason; until?: Date }

export type Suppressions = ReturnType<typeof suppressionService>

const batchRows = 500

/** Addresses that get no mail of a tenant, and how they come to be so. Addresses are in the stored form of `normalizeEmail`. */
export function suppressionService({ clock, events, audit }: SuppressionDeps) {
  /** Why an address gets no mail; null if it does. */
  const find = (scope: TenantScope, address: string) => findReason(scope, { address, now: clock.now() })

  /** Holds an address back. Null if it was so already. */
  async function hold(tx: TenantScope, { owner, address, reason, until }: Held): Promise<Suppression | null> {
    const now = clock.now()
    const added = await addSuppression(tx, {
      ...owner,
      id: newId(now),
      address,
      reason,
      until: until ?? null,
      createdAt: now,
    })
    if (added === null) return null
    const { id, orgId } = added
    // Without the address: the log outlives what it is about.
    await audit(tx, {
      action: 'email_suppression.create',
      target: { type: 'email_suppression', id },
      changes: { reason },
    })
    await events.emit(tx, 'mail.suppressed', { tenantId: tx.tenantId, orgId, suppressionId: id })
    return added
  }

  /**
   * A mail server did not take a mail: for good (class 5), or for now (class 4).
   * @param it.reportedAt when it was told, for what may be told twice: failures of one time count once
   */
  async function recordBounce(
    tx: TenantScope,
    { owner, address, class: kind, reportedAt }: { owner: Owner; address: string; class: 4 | 5; reportedAt?: Date },
  ): Promise<void> {
    if (kind === 5) return void (await hold(tx, { owner, address, reason: 'bounce' }))
    const at = reportedAt ?? clock.now()
    const since = new Date(at.getTime() - failures.withinMs)
    const isRepeatable = reportedAt !== undefined
    if (!(await countFailure(tx, { address, at, since, count: failures.count, isRepeatable }))) return
    const until = new Date(at.getTime() + failures.withinMs)
    await hold(tx, { owner, address, reason: 'delivery_failures', until })
  }

  /** Adds an address by hand. One that is held back already is returned as it is. */
  const create = (
    scope: TenantScope,
    owner: Owner,
    address: string,
  ): Promise<{ suppression: Suppression; isNew: boolean }> =>
    transaction(scope, async (tx) => {
      const added = await hold(tx, { owner, address, reason: 'manual' })
      if (added !== null) return { suppression: added, isNew: true }
      const known = await findByAddress(tx, { ownerId: owner.ownerId, address })
      if (known === null) throw notFound()
      return { suppression: known, isNew: false }
    })

  /** Refuses NOT_FOUND. */
  const remove = (scope: TenantScope, { ownerId }: Owner, id: string): Promise<void> =>
    transaction(scope, async (tx) => {
      if (!isId(id) || !(await deleteSuppression(tx, { ownerId, id }))) throw notFound()
      await eraseStoredAnswers(tx, [id])
      await audit(tx, { action: 'email_suppression.delete', target: { type: 'email_suppression', id } })
    })

  /** Can be interrupted at any point and run on several nodes at once. */
  async function dropOld(platform: PlatformScope): Promise<void> {
    const now = clock.now()
    const failedBefore = new Date(now.getTime() - failures.withinMs)
    while ((await deleteOver(platform, { now, failedBefore, limit: batchRows })) > 0);
  }

  return { find, hold, recordBounce, create, remove, dropOld }
}
