import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type Scope, type TenantScope } from '../../storage/scope.ts'
import {
  deleteSharesOf,
  handOver,
  lockMeetingsOfMember,
  lockMeetingsOfOrganization,
  makePrivate,
} from './leaving.store.ts'
import type { NotifyReadersChange } from './meeting-changes.ts'

export type LeavingDeps = { clock: Clock; audit: Audit; events: EventBus; notifyReaders: NotifyReadersChange }

type Left = { tenantId: string; orgId: string; userId: string; heirId: string | null }

/**
 * What happens to meetings when a member leaves or the organization is deleted: they are private again. It happens in the
 * same transaction, which holds the lock of the organization.
 */
export function leavingService({ clock, audit, events, notifyReaders }: LeavingDeps) {
  /** The heir gets the meetings that are open to the whole organization. */
  async function memberLeft(scope: Scope, { tenantId, orgId, userId, heirId }: Left): Promise<void> {
    const tx = inTenant(scope, tenantId)
    const now = clock.now()
    await lockMeetingsOfMember(tx, { orgId, userId })
    const handedOver = heirId === null ? 0 : await handOver(tx, { orgId, userId, heirId, now })
    await deleteSharesOf(tx, { orgId, userId, now })
    const madePrivate = await takeOut(tx, { orgId, userId, now })
    await record(tx, orgId, { userId, madePrivate, ...(heirId === null ? {} : { heirId, handedOver }) })
  }

  async function organizationDeleted(
    scope: Scope,
    { tenantId, orgId }: { tenantId: string; orgId: string },
  ): Promise<void> {
    const tx = inTenant(scope, tenantId)
    await lockMeetingsOfOrganization(tx, orgId)
    await record(tx, orgId, { madePrivate: await takeOut(tx, { orgId, userId: null, now: clock.now() }) })
  }

  /** Returns how many meetings are private now. */
  async function takeOut(tx: TenantScope, from: Parameters<typeof makePrivate>[1]): Promise<number> {
    const meetingIds = await makePrivate(tx, from)
    if (meetingIds.length > 0) await events.emit(tx, 'meetings.moved', { tenantId: tx.tenantId, meetingIds })
    return meetingIds.length
  }

  type Ended = { madePrivate: number; handedOver?: number; userId?: string; heirId?: string }

  async function record(tx: TenantScope, orgId: string, changes: Ended): Promise<void> {
    notifyReaders(tx)
    if (changes.madePrivate + (changes.handedOver ?? 0) === 0) return
    await audit(tx, { action: 'meeting.unshare', target: { type: 'org', id: orgId }, changes })
  }

  return { memberLeft, organizationDeleted }
}
