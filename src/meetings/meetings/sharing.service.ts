import { firstFaults } from '../../kernel/field-rules.ts'
import { isId } from '../../kernel/ids.ts'
import { Refusal, refuseFields } from '../../kernel/refusal.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import type { EventBus } from '../../storage/events.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { changeSharing, type Sharing, type SharingChange, sharingFaults, strangerFaults } from './sharing.rules.ts'
import { replaceShares } from './sharing.store.ts'

export type SharingDeps = { members: OrganizationMembers; events: EventBus }

type Owner = { id: string }

export type MeetingSharing = ReturnType<typeof meetingSharing>

/** With whom the owner of a meeting shares it. */
export function meetingSharing({ members, events }: SharingDeps) {
  /**
   * The sharing after a change. Locks the organization, so call it before the meeting is locked. Anybody may end sharing;
   * everything else needs the role of a member. Refuses with VALIDATION_ERROR and INSUFFICIENT_ROLE.
   */
  async function plan(
    tx: TenantScope,
    owner: Owner,
    { current, change }: { current: Sharing; change: SharingChange },
  ): Promise<Sharing> {
    const next = changeSharing(current, change)
    const { orgId, visibility } = next
    const faults = sharingFaults(next, change)
    const isEnded = visibility === 'private' && orgId === current.orgId
    if (orgId !== null && !isEnded) {
      const role = await members.holdRole(tx, { orgId, userId: owner.id })
      const mayShare = role !== null && role !== 'viewer'
      if (!mayShare && change.orgId === undefined)
        throw new Refusal('INSUFFICIENT_ROLE', { detail: 'Viewers of an organization cannot share meetings in it.' })
      if (mayShare) {
        const userIds = next.sharedWith.map(({ userId }) => userId).filter((id) => isId(id) && id !== owner.id)
        faults.push(...strangerFaults(change.sharedWith ?? [], await members.findAmong(tx, { orgId, userIds })))
      } else
        faults.push({
          path: '/body/orgId',
          code: 'unknown',
          message: 'must be an organization in which you have the role member or a higher one',
        })
    }
    refuseFields(firstFaults(faults))
    return next
  }

  /** Writes what was planned for a locked meeting, except for the meeting's own row. */
  async function write(tx: TenantScope, meetingId: string, next: Sharing): Promise<void> {
    await replaceShares(tx, meetingId, next)
    if (next.visibility !== 'private') await events.emit(tx, 'meeting.shared', { tenantId: tx.tenantId, meetingId })
  }

  return { plan, write }
}
