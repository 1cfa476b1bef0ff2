import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId } from '../../kernel/ids.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { addMember, findMembership, type Membership } from '../membership.store.ts'
import { auditTarget, getOrganization, lockAnyOrganization, lockOrganization } from '../membership.ts'
import { type OrgRole, requireRoleToManage } from '../role.rules.ts'
import {
  countOwners,
  deleteMember,
  getMember,
  lockUser,
  type Member,
  setNotifications,
  setRole,
  transferOwnership,
} from './member.store.ts'

export type MemberDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  /** Revokes the pending invitations of somebody whose new role may not send them. Null: who leaves. */
  revokeInvitationsOf(tx: TenantScope, sender: Target & { role: OrgRole | null }): Promise<void>
}

type User = { id: string; role: 'USER' | 'ADMIN' }
type Target = { orgId: string; userId: string }

export type Members = ReturnType<typeof memberService>

/** Every change holds the lock of the organization, so that what it has checked still holds when it writes. */
export function memberService({ clock, events, audit, quotas, revokeInvitationsOf }: MemberDeps) {
  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE, and STATE_CONFLICT for the last owner. */
  const changeRole = (scope: TenantScope, user: User, target: Target, role: OrgRole): Promise<Member> =>
    transaction(scope, async (tx) => {
      const { role: own } = await lockOrganization(tx, user, { orgId: target.orgId, least: 'admin' })
      const member = await getMembership(tx, target)
      requireRoleToManage(own, member.role)
      requireRoleToManage(own, role)
      await writeRole(tx, target, { from: member.role, to: role })
      return getMember(tx, target)
    })

  async function writeRole(tx: TenantScope, target: Target, { from, to }: { from: OrgRole; to: OrgRole }) {
    if (from === to) return
    if (from === 'owner') await requireAnotherOwner(tx, target.orgId)
    await setRole(tx, { ...target, role: to })
    await recordRole(tx, target, { from, to })
  }

  async function recordRole(tx: TenantScope, { orgId, userId }: Target, changes: { from: OrgRole; to: OrgRole }) {
    await revokeInvitationsOf(tx, { orgId, userId, role: changes.to })
    await audit(tx, {
      action: 'org.member.change',
      target: auditTarget({ id: orgId }),
      changes: { userId, role: changes },
    })
    await events.emit(tx, 'org.member.changed', { tenantId: tx.tenantId, orgId, userId, role: changes.to })
  }

  /**
   * `meetingsTo`: who gets the meetings that the member has opened to the whole organization. Refuses NOT_FOUND,
   * INSUFFICIENT_ROLE, VALIDATION_ERROR, and STATE_CONFLICT for the last owner.
   */
  const remove = (scope: TenantScope, user: User, target: Target, meetingsTo: string | null): Promise<void> =>
    transaction(scope, async (tx) => {
      const { role: own } = await lockOrganization(tx, user, { orgId: target.orgId, least: 'admin' })
      const member = await getMembership(tx, target)
      requireRoleToManage(own, member.role)
      if (meetingsTo !== null) await requireHeir(tx, target, meetingsTo)
      if (member.role === 'owner') await requireAnotherOwner(tx, target.orgId)
      await end(tx, target, meetingsTo)
    })

  /** Refuses NOT_FOUND, and STATE_CONFLICT for the last owner. */
  const leave = (scope: TenantScope, user: User, orgId: string): Promise<void> =>
    transaction(scope, async (tx) => {
      const { role } = await lockOrganization(tx, user, { orgId })
      if (role === 'owner') await requireAnotherOwner(tx, orgId)
      await end(tx, { orgId, userId: user.id })
    })

  /** Ends a membership in the transaction that holds the organization's lock, with all that depends on it. */
  async function end(tx: TenantScope, { orgId, userId }: Target, heirId: string | null = null): Promise<void> {
    await revokeInvitationsOf(tx, { orgId, userId, role: null })
    await events.emit(tx, 'org.member.left', { tenantId: tx.tenantId, orgId, userId, heirId })
    await deleteMember(tx, { orgId, userId })
    await audit(tx, { action: 'org.member.remove', target: auditTarget({ id: orgId }), changes: { userId } })
  }

  /** Refuses NOT_FOUND, INSUFFICIENT_ROLE and VALIDATION_ERROR. */
  const transfer = (scope: TenantScope, user: User, { orgId, userId }: Target): Promise<Member> =>
    transaction(scope, async (tx) => {
      await lockOrganization(tx, user, { orgId, least: 'owner' })
      const member = isId(userId) ? await findMembership(tx, { orgId, userId }) : null
      if (member === null || userId === user.id)
        throw invalidField('/body/userId', { code: 'unknown', message: 'must be another member of the organization' })
      await transferOwnership(tx, { orgId, fromUserId: user.id, toUserId: userId })
      if (member.role !== 'owner') await recordRole(tx, { orgId, userId }, { from: member.role, to: 'owner' })
      await recordRole(tx, { orgId, userId: user.id }, { from: 'owner', to: 'admin' })
      return getMember(tx, { orgId, userId })
    })

  /** By an administrator of the tenant. Refuses INSUFFICIENT_ROLE, and what `provision` refuses. */
  async function add(scope: TenantScope, user: User, target: Target, role: OrgRole) {
    await requireAdministrator(scope, user, target.orgId)
    return provision(scope, target, role)
  }

  /** Refuses INSUFFICIENT_ROLE, and NOT_FOUND to others who are no members: for them the organization does not exist. */
  async function requireAdministrator(scope: TenantScope, user: User, orgId: string): Promise<void> {
    if (user.role === 'ADMIN') return
    await getOrganization(scope, user, { orgId })
    throw new Refusal('INSUFFICIENT_ROLE', { detail: 'Only administrators of the tenant add members directly.' })
  }

  /**
   * By an administrator: makes a user of the tenant a member, or gives a member another role. Refuses NOT_FOUND,
   * VALIDATION_ERROR, QUOTA_EXCEEDED, and STATE_CONFLICT for the last owner.
   */
  const provision = (scope: TenantScope, target: Target, role: OrgRole): Promise<{ member: Member; isNew: boolean }> =>
    transaction(scope, async (tx) => {
      const limits = await quotas.lockLimits(tx, null)
      if (!isId(target.userId) || !(await lockUser(tx, target.userId)))
        throw invalidField('/body/userId', { code: 'unknown', message: 'must be a user of the tenant' })
      await lockAnyOrganization(tx, target.orgId)
      const known = await findMembership(tx, target)
      if (known !== null) await writeRole(tx, target, { from: known.role, to: role })
      else {
        await addMember(tx, { ...target, role, now: clock.now() }, limits)
        const { orgId, userId } = target
        await audit(tx, { action: 'org.member.add', target: auditTarget({ id: orgId }), changes: { userId, role } })
        await events.emit(tx, 'org.member.joined', { tenantId: tx.tenantId, ...target, role })
      }
      return { member: await getMember(tx, target), isNew: known === null }
    })

  /** Refuses NOT_FOUND. */
  const notify = (scope: TenantScope, { tasksDue, ...target }: Target & { tasksDue: boolean }): Promise<Member> =>
    transaction(scope, async (tx) => {
      if (!isId(target.orgId) || !(await setNotifications(tx, { ...target, tasksDue }))) throw notFound()
      const changes = { userId: target.userId, notifications: { tasksDue } }
      await audit(tx, { action: 'org.member.change', target: auditTarget({ id: target.orgId }), changes })
      return getMember(tx, target)
    })

  /** For the system itself, in a transaction that holds the organization's lock. */
  async function makeOwner(tx: TenantScope, target: Target): Promise<void> {
    const { role } = await getMembership(tx, target)
    await writeRole(tx, target, { from: role, to: 'owner' })
  }

  return { changeRole, remove, leave, end, makeOwner, transfer, add, requireAdministrator, provision, notify }
}

async function getMembership(tx: TenantScope, target: Target): Promise<Membership> {
  const member = isId(target.userId) ? await findMembership(tx, target) : null
  if (member === null) throw notFound()
  return member
}

/** Only who may share meetings can own shared ones. */
async function requireHeir(tx: TenantScope, { orgId, userId }: Target, heirId: string): Promise<void> {
  const heir = isId(heirId) && heirId !== userId ? await findMembership(tx, { orgId, userId: heirId }) : null
  if (heir !== null && heir.role !== 'viewer') return
  const message = 'must be another member of the organization with the role member or a higher one'
  throw invalidField('/query/meetingsTo', { code: 'unknown', message })
}

async function requireAnotherOwner(tx: TenantScope, orgId: string): Promise<void> {
  if ((await countOwners(tx, orgId)) > 1) return
  throw new Refusal('STATE_CONFLICT', {
    detail: 'The organization would have no owner. Name another owner first, or transfer the organization.',
  })
}

/** A stored answer shows a member, and is repeated only while that user is one. Refuses NOT_FOUND. */
export async function requireStillMember(scope: TenantScope, orgId: string, userId: string | null): Promise<void> {
  if (userId !== null) await getMember(scope, { orgId, userId })
}
