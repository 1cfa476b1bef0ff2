import { randomBytes } from 'node:crypto'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { invalidField, notFound, Refusal } from '../../kernel/refusal.ts'
import type { InvitationMail } from '../../mails/index.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import {
  addMember,
  findMembership,
  findPerson,
  isAddressOfMember,
  type OwnOrganization,
  type Person,
} from '../membership.store.ts'
import { auditTarget, getOrganization, lockAnyOrganization, lockOrganization } from '../membership.ts'
import { mayManage, type OrgRole, orgRoles, requireRoleToManage } from '../role.rules.ts'
import {
  type Invitation,
  invitationExpiry,
  invitationToken,
  pendingMax,
  reducedName,
  sentPerDayMax,
  statusAt,
} from './invitation.rules.ts'
import {
  countPending,
  countSent,
  endInvitation,
  findInvitation,
  findPending,
  getInvitation,
  insertInvitation,
  type ListedInvitation,
  listPendingMails,
  renewInvitation,
  revokeSentBy,
} from './invitation.store.ts'

export type InvitationDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  parseEmail(text: string): string
  outbox: {
    /** Returns the mail's id. Refuses RATE_LIMITED if the address was sent several invitations recently. */
    addInvitation(tx: TenantScope, mail: InvitationMail): Promise<string>
    discardMails(tx: TenantScope, ids: string[]): Promise<void>
  }
}

type User = { id: string; email: string }

export type Invitations = ReturnType<typeof invitationService>

export function invitationService(deps: InvitationDeps) {
  const { clock, events, audit, quotas, parseEmail, outbox } = deps

  /**
   * Invites an address, or renews its pending invitation. Refuses NOT_FOUND, INSUFFICIENT_ROLE, VALIDATION_ERROR,
   * STATE_CONFLICT, QUOTA_EXCEEDED and RATE_LIMITED.
   */
  async function invite(
    scope: TenantScope,
    user: User,
    { orgId, email: sent, role }: { orgId: string; email: string; role: OrgRole },
  ): Promise<{ invitation: ListedInvitation; isNew: boolean }> {
    const email = parseEmail(sent)
    return transaction(scope, async (tx) => {
      const { org, sender } = await lockAsInviter(tx, user, { orgId, role })
      if (await isAddressOfMember(tx, { orgId, email }))
        throw new Refusal('STATE_CONFLICT', { detail: 'A member of the organization has this address.' })
      const pending = await findPending(tx, { orgId, email })
      const id = await send(tx, { org, sender, pending, email, role })
      return { invitation: await getInvitation(tx, id), isNew: pending === null }
    })
  }

  /** With the same role. Refuses as `invite`, and STATE_CONFLICT for an invitation that has ended. */
  const resend = (scope: TenantScope, user: User, target: { orgId: string; id: string }): Promise<ListedInvitation> =>
    transaction(scope, async (tx) => {
      const known = await findOfOrganization(tx, user, target)
      const { org, sender } = await lockAsInviter(tx, user, { orgId: target.orgId, role: known.role })
      // Read again under the lock.
      const pending = await findPending(tx, { orgId: target.orgId, email: known.email })
      if (pending?.id !== target.id) throw notPending(await findOfOrganization(tx, user, target), clock.now())
      await send(tx, { org, sender, pending, email: pending.email, role: pending.role })
      return getInvitation(tx, pending.id)
    })

  async function lockAsInviter(tx: TenantScope, user: User, { orgId, role }: { orgId: string; role: OrgRole }) {
    await quotas.lockLimits(tx, user.id)
    const org = await lockOrganization(tx, user, { orgId, least: 'admin' })
    requireRoleToManage(org.role, role)
    const sender = await findPerson(tx, user.id)
    if (!sender?.emailVerified)
      throw new Refusal('STATE_CONFLICT', { detail: 'Verify your own e-mail address before you invite others.' })
    return { org, sender: { id: user.id, email: sender.email } }
  }

  /** Writes the invitation and its mail. Returns its id. */
  async function send(
    tx: TenantScope,
    to: { org: OwnOrganization; sender: User; pending: Invitation | null; email: string; role: OrgRole },
  ): Promise<string> {
    const { org, sender, pending, email, role } = to
    // Renewing replaces an invitation, which is managing it.
    if (pending !== null) requireRoleToManage(org.role, pending.role)
    const now = clock.now()
    const isCounted = pending !== null && pending.expiresAt > now
    if (!isCounted && (await countPending(tx, org.id, now)) >= pendingMax)
      throw new Refusal('QUOTA_EXCEEDED', { detail: `An organization has at most ${pendingMax} pending invitations.` })
    if (!(await countSent(tx, org.id, now)))
      throw new Refusal('QUOTA_EXCEEDED', {
        detail: `An organization sends at most ${sentPerDayMax} invitations a day. The next day begins at midnight UTC.`,
      })
    const { token, tokenHash } = invitationToken.create(randomBytes)
    const expiresAt = invitationExpiry(now)
    const mail = { email, token, expiresAt, now, inviterEmail: sender.email, orgName: reducedName(org.name) }
    const mailId = await outbox.addInvitation(tx, mail)
    if (pending !== null) await outbox.discardMails(tx, [pending.mailId])
    const id = pending?.id ?? newId(now)
    const written = { id, role, invitedBy: sender.id, expiresAt, tokenHash, mailId }
    if (pending === null)
      await insertInvitation(tx, { ...written, orgId: org.id, email, status: 'pending', createdAt: now })
    else await renewInvitation(tx, written)
    await audit(tx, {
      action: 'org.invitation.send',
      target: auditTarget(org),
      changes: { invitationId: id, role },
    })
    return id
  }

  /** Repeating it changes nothing. Refuses NOT_FOUND, INSUFFICIENT_ROLE, and STATE_CONFLICT once it was answered. */
  const revoke = (scope: TenantScope, user: User, target: { orgId: string; id: string }): Promise<void> =>
    transaction(scope, async (tx) => {
      const org = await lockOrganization(tx, user, { orgId: target.orgId, least: 'admin' })
      const invitation = await findOfOrganization(tx, user, target)
      requireRoleToManage(org.role, invitation.role)
      if (invitation.status === 'revoked') return
      if (!(await endInvitation(tx, invitation.id, 'revoked'))) throw notPending(invitation, clock.now())
      await outbox.discardMails(tx, [invitation.mailId])
      await audit(tx, {
        action: 'org.invitation.revoke',
        target: auditTarget(org),
        changes: { invitationId: invitation.id },
      })
    })

  async function findOfOrganization(
    scope: TenantScope,
    user: User,
    { orgId, id }: { orgId: string; id: string },
  ): Promise<Invitation> {
    await getOrganization(scope, user, { orgId, least: 'admin' })
    const invitation = isId(id) ? await findInvitation(scope, { id }) : null
    if (invitation?.orgId !== orgId) throw notFound()
    return invitation
  }

  type Answered = { token: string } | { invitationId: string }

  /**
   * Makes the user a member. Of several who accept one invitation at once, one succeeds. Refuses VALIDATION_ERROR for a
   * token that is of no use, NOT_FOUND, STATE_CONFLICT, INSUFFICIENT_ROLE and QUOTA_EXCEEDED.
   */
  const accept = (scope: TenantScope, user: User, by: Answered): Promise<OwnOrganization> =>
    transaction(scope, async (tx) => {
      const limits = await quotas.lockLimits(tx, user.id)
      const invitation = await lockReceived(tx, user, by)
      const { id, orgId, role } = invitation
      if (!(await endInvitation(tx, id, 'accepted'))) throw notPending(invitation, clock.now())
      await outbox.discardMails(tx, [invitation.mailId])
      // An administrator may have added the user meanwhile: then the role stays.
      if ((await findMembership(tx, { orgId, userId: user.id })) === null) {
        await addMember(tx, { orgId, userId: user.id, role, now: clock.now() }, limits)
        await audit(tx, {
          action: 'org.member.join',
          target: auditTarget({ id: orgId }),
          changes: { userId: user.id, role, invitationId: id },
        })
        await events.emit(tx, 'org.member.joined', { tenantId: tx.tenantId, orgId, userId: user.id, role })
      }
      return getOrganization(tx, user, { orgId })
    })

  /** Refuses VALIDATION_ERROR, NOT_FOUND, STATE_CONFLICT and INSUFFICIENT_ROLE. */
  const decline = (scope: TenantScope, user: User, by: Answered): Promise<void> =>
    transaction(scope, async (tx) => {
      await quotas.lockLimits(tx, user.id)
      const invitation = await lockReceived(tx, user, by)
      const { id, orgId } = invitation
      if (!(await endInvitation(tx, id, 'declined'))) throw notPending(invitation, clock.now())
      await outbox.discardMails(tx, [invitation.mailId])
      await audit(tx, {
        action: 'org.invitation.decline',
        target: auditTarget({ id: orgId }),
        changes: { invitationId: id },
      })
    })

  /** The pending invitation to the user's own address, with its organization locked. */
  async function lockReceived(tx: TenantScope, user: User, by: Answered): Promise<Invitation> {
    const found = await findReceived(tx, user, by)
    await lockAnyOrganization(tx, found.orgId)
    // It may have ended while we waited for the lock.
    return findReceived(tx, user, by)
  }

  async function findReceived(tx: TenantScope, user: User, by: Answered): Promise<Invitation> {
    const own = await findPerson(tx, user.id)
    if (own === null) throw new Refusal('TOKEN_INVALID')
    return 'token' in by ? findByToken(tx, own.email, by.token) : findById(tx, own, by.invitationId)
  }

  async function findByToken(tx: TenantScope, email: string, token: string): Promise<Invitation> {
    const tokenHash = invitationToken.hash(token.trim()) // people copy it from a mail
    const invitation = tokenHash && (await findInvitation(tx, { tokenHash }))
    if (!invitation || invitation.expiresAt <= clock.now())
      throw invalidField('/body/token', {
        code: 'invalid',
        message: 'is not, or not any more, the token of an invitation',
      })
    if (invitation.email !== email)
      throw new Refusal('STATE_CONFLICT', { detail: 'The invitation was sent to another e-mail address than yours.' })
    return invitation
  }

  async function findById(tx: TenantScope, own: Person, id: string): Promise<Invitation> {
    // Without the token only a verified address shows that the invitation was sent to this person.
    if (!own.emailVerified)
      throw new Refusal('INSUFFICIENT_ROLE', {
        detail: 'Verify your e-mail address first, or use the token from the mail.',
      })
    const invitation = isId(id) ? await findInvitation(tx, { id }) : null
    if (invitation?.email !== own.email) throw notFound()
    if (statusAt(invitation, clock.now()) !== 'pending') throw notPending(invitation, clock.now())
    return invitation
  }

  /** Those that somebody sent who may no longer manage such members: of no role at all (null) for one who leaves. */
  const revokeInvitationsOf = async (
    tx: TenantScope,
    { role, ...sender }: { orgId: string; userId: string; role: OrgRole | null },
  ): Promise<void> => {
    const roles = orgRoles.filter((invited) => role === null || !mayManage(role, invited))
    await outbox.discardMails(tx, await revokeSentBy(tx, { ...sender, roles }))
  }

  /** For an organization that is being deleted. */
  const discardInvitationMails = async (tx: TenantScope, orgId: string): Promise<void> =>
    outbox.discardMails(tx, await listPendingMails(tx, orgId))

  return { parseEmail, invite, resend, revoke, accept, decline, revokeInvitationsOf, discardInvitationMails }
}

function notPending(invitation: Invitation, now: Date): Refusal {
  const status = statusAt(invitation, now)
  const is = status === 'pending' ? 'has just been answered' : `is ${status}`
  return new Refusal('STATE_CONFLICT', { detail: `The invitation ${is}.` })
}
