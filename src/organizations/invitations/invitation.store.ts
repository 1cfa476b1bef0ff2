import type { Page, PageRequest } from '../../kernel/paging.ts'
import { utcDay } from '../../kernel/period.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { OrgRole } from '../role.rules.ts'
import { type Invitation, type InvitationStatus, sentPerDayMax } from './invitation.rules.ts'

const columns = sql`i.id, i.org_id as "orgId", i.email, i.role, i.status, i.invited_by as "invitedBy",
  i.mail_id as "mailId", i.created_at as "createdAt", i.expires_at as "expiresAt"`

export type ListedInvitation = Invitation & { mailStatus: string | null }
export type ReceivedInvitation = Invitation & { orgName: string }

/** Mails are kept for a shorter time than invitations. */
const mailStatus = sql`(select m.status from mail_outbox m where m.tenant_id = i.tenant_id and m.id = i.mail_id) as "mailStatus"`

function whereStatus(status: InvitationStatus | null, now: Date) {
  if (status === null) return sql`true`
  if (status === 'expired') return sql`i.status = 'pending' and i.expires_at <= ${now}`
  if (status === 'pending') return sql`i.status = 'pending' and i.expires_at > ${now}`
  return sql`i.status = ${status}`
}

/** Newest first. */
export function listInvitations(
  scope: TenantScope,
  { orgId, status, now }: { orgId: string; status: InvitationStatus | null; now: Date },
  page: PageRequest,
): Promise<Page<ListedInvitation>> {
  return listPage<ListedInvitation>(scope, page, {
    columns: sql`${columns}, ${mailStatus}`,
    from: sql`from organization_invitations i
      where i.tenant_id = ${scope.tenantId} and i.org_id = ${orgId} and ${whereStatus(status, now)}`,
    orderBy: sql`i.created_at desc, i.id desc`,
  })
}

export function getInvitation(scope: TenantScope, id: string): Promise<ListedInvitation> {
  return one(
    scope,
    sql<ListedInvitation>`select ${columns}, ${mailStatus} from organization_invitations i
      where i.tenant_id = ${scope.tenantId} and i.id = ${id}`,
  )
}

/** To an address, newest first; an organization has at most one for it. */
export function listReceived(
  scope: TenantScope,
  { email, now }: { email: string; now: Date },
  page: PageRequest,
): Promise<Page<ReceivedInvitation>> {
  return listPage<ReceivedInvitation>(scope, page, {
    columns: sql`${columns}, o.name as "orgName"`,
    from: sql`from organization_invitations i join organizations o on o.tenant_id = i.tenant_id and o.id = i.org_id
      where i.tenant_id = ${scope.tenantId} and i.email = ${email} and i.status = 'pending' and i.expires_at > ${now}`,
    orderBy: sql`i.created_at desc, i.id desc`,
  })
}

export function findInvitation(
  scope: TenantScope,
  by: { id: string } | { tokenHash: Buffer },
): Promise<Invitation | null> {
  const condition = 'id' in by ? sql`i.id = ${by.id}` : sql`i.token_hash = ${by.tokenHash}`
  return maybeOne(
    scope,
    sql<Invitation>`select ${columns} from organization_invitations i where i.tenant_id = ${scope.tenantId} and ${condition}`,
  )
}

export function findPending(
  scope: TenantScope,
  { orgId, email }: { orgId: string; email: string },
): Promise<Invitation | null> {
  return maybeOne(
    scope,
    sql<Invitation>`select ${columns} from organization_invitations i
      where i.tenant_id = ${scope.tenantId} and i.org_id = ${orgId} and i.email = ${email} and i.status = 'pending'`,
  )
}

/** The organization must be locked. Those that have expired do not count. */
export async function countPending(tx: TenantScope, orgId: string, now: Date): Promise<number> {
  const { total } = await one(
    tx,
    sql<{ total: number }>`select count(*)::int as total from organization_invitations
      where tenant_id = ${tx.tenantId} and org_id = ${orgId} and status = 'pending' and expires_at > ${now}`,
  )
  return total
}

/** Counts one more mail of today against the organization. False, and nothing counted, if it has sent as many as it may. */
export async function countSent(tx: TenantScope, orgId: string, now: Date): Promise<boolean> {
  const today = utcDay(now)
  const counted = await run(
    tx,
    sql`update organizations set invited_on = ${today}::date,
        invited_count = case when invited_on = ${today}::date then invited_count + 1 else 1 end
      where tenant_id = ${tx.tenantId} and id = ${orgId}
        and (invited_on is distinct from ${today}::date or invited_count < ${sentPerDayMax})`,
  )
  return counted > 0
}

type Sent = { tokenHash: Buffer; mailId: string }

export async function insertInvitation(tx: TenantScope, invitation: Invitation & Sent): Promise<void> {
  const { id, orgId, email, role, tokenHash, invitedBy, mailId, createdAt, expiresAt } = invitation
  await run(
    tx,
    sql`insert into organization_invitations (tenant_id, id, org_id, email, role, status, token_hash, invited_by, mail_id,
        created_at, expires_at)
      values (${tx.tenantId}, ${id}, ${orgId}, ${email}, ${role}, 'pending', ${tokenHash}, ${invitedBy}, ${mailId},
        ${createdAt}, ${expiresAt})`,
  )
}

/** Replaces the token, so that the one before is worth nothing. */
export async function renewInvitation(
  tx: TenantScope,
  {
    id,
    role,
    invitedBy,
    expiresAt,
    tokenHash,
    mailId,
  }: Pick<Invitation, 'id' | 'role' | 'invitedBy' | 'expiresAt'> & Sent,
): Promise<void> {
  await run(
    tx,
    sql`update organization_invitations set role = ${role}, invited_by = ${invitedBy}, expires_at = ${expiresAt},
        token_hash = ${tokenHash}, mail_id = ${mailId}
      where tenant_id = ${tx.tenantId} and id = ${id} and status = 'pending'`,
  )
}

/** Ends a pending invitation. False if it had ended before: of several who end it at once, one is told true. */
export async function endInvitation(
  tx: TenantScope,
  id: string,
  status: 'accepted' | 'declined' | 'revoked',
): Promise<boolean> {
  const ended = await run(
    tx,
    sql`update organization_invitations set status = ${status}, token_hash = null
      where tenant_id = ${tx.tenantId} and id = ${id} and status = 'pending'`,
  )
  return ended > 0
}

/** Ends those to these roles that a user sent, and returns their mails. */
export async function revokeSentBy(
  tx: TenantScope,
  { orgId, userId, roles }: { orgId: string; userId: string; roles: OrgRole[] },
): Promise<string[]> {
  const ended = await many(
    tx,
    sql<{ mailId: string }>`update organization_invitations set status = 'revoked', token_hash = null
      where tenant_id = ${tx.tenantId} and org_id = ${orgId} and invited_by = ${userId} and status = 'pending'
        and role = any (${roles}::text[])
      returning mail_id as "mailId"`,
  )
  return ended.map(({ mailId }) => mailId)
}

/** Forgets who sent them, for a user who is being removed. */
export async function forgetSender(tx: TenantScope, userId: string): Promise<void> {
  await run(
    tx,
    sql`update organization_invitations set invited_by = null
      where tenant_id = ${tx.tenantId} and invited_by = ${userId}`,
  )
}

/** The mails of all pending invitations of an organization. */
export async function listPendingMails(tx: TenantScope, orgId: string): Promise<string[]> {
  const rows = await many(
    tx,
    sql<{ mailId: string }>`select mail_id as "mailId" from organization_invitations
      where tenant_id = ${tx.tenantId} and org_id = ${orgId} and status = 'pending'`,
  )
  return rows.map(({ mailId }) => mailId)
}

export async function deleteInvitationsBefore(platform: PlatformScope, expiredBefore: Date): Promise<void> {
  await run(platform, sql`delete from organization_invitations where expires_at < ${expiredBefore}`)
}
