import { many, maybeOne, run, sql } from '../../storage/query.ts'
import type { PlatformScope, TenantScope } from '../../storage/scope.ts'
import type { KnownMeeting } from './invitation.rules.ts'

export type InvitationKey = { ownerId: string; userId: string; uidHash: Buffer }

export type StoredInvitation = { id: string; seriesSealed: Buffer; revision: number }

export type InvitationRow = StoredInvitation & {
  ownerId: string
  orgId: string | null
  userId: string
  lookAt: Date | null
}

export function findInvitation(
  scope: TenantScope,
  { ownerId, userId, uidHash }: InvitationKey,
): Promise<StoredInvitation | null> {
  return maybeOne(
    scope,
    sql<StoredInvitation>`select id, series_sealed as "seriesSealed", revision from mail_invitations
      where tenant_id = ${scope.tenantId} and owner_id = ${ownerId} and user_id = ${userId} and uid_hash = ${uidHash}`,
  )
}

export function findInvitationById(scope: TenantScope, id: string): Promise<InvitationRow | null> {
  return maybeOne(
    scope,
    sql<InvitationRow>`select id, series_sealed as "seriesSealed", revision, owner_id as "ownerId", org_id as "orgId",
        user_id as "userId", look_at as "lookAt"
      from mail_invitations where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
}

type Saved = InvitationKey & {
  id: string
  orgId: string | null
  seriesSealed: Buffer
  /** That was read; null: there was none. */
  before: number | null
  lookAt: Date | null
  endsAt: Date
}

/** Stores what is known now, and locks it. False: somebody else has changed it since it was read. */
export async function saveInvitation(tx: TenantScope, saved: Saved): Promise<boolean> {
  const { id, ownerId, orgId, userId, uidHash, seriesSealed, before, lookAt, endsAt } = saved
  const written =
    before === null
      ? sql`insert into mail_invitations (tenant_id, id, owner_id, org_id, user_id, uid_hash, series_sealed, look_at, ends_at)
          values (${tx.tenantId}, ${id}, ${ownerId}, ${orgId}, ${userId}, ${uidHash}, ${seriesSealed}, ${lookAt}, ${endsAt})
          on conflict do nothing`
      : sql`update mail_invitations set series_sealed = ${seriesSealed}, look_at = ${lookAt}, ends_at = ${endsAt},
            revision = revision + 1
          where tenant_id = ${tx.tenantId} and id = ${id} and revision = ${before}`
  return (await run(tx, written)) > 0
}

export function listMeetings(tx: TenantScope, invitationId: string): Promise<KnownMeeting[]> {
  return many(
    tx,
    sql<KnownMeeting>`select occurrence, meeting_id as "meetingId", fingerprint, is_gone as "isGone", ends_at as "endsAt"
      from mail_invitation_meetings where tenant_id = ${tx.tenantId} and invitation_id = ${invitationId}
      order by occurrence`,
  )
}

export async function saveMeeting(tx: TenantScope, invitationId: string, meeting: KnownMeeting): Promise<void> {
  const { occurrence, meetingId, fingerprint, isGone, endsAt } = meeting
  await run(
    tx,
    sql`insert into mail_invitation_meetings (tenant_id, invitation_id, occurrence, meeting_id, fingerprint, is_gone, ends_at)
      values (${tx.tenantId}, ${invitationId}, ${occurrence}, ${meetingId}, ${fingerprint}, ${isGone}, ${endsAt})
      on conflict (tenant_id, invitation_id, occurrence) do update set meeting_id = excluded.meeting_id,
        fingerprint = excluded.fingerprint, is_gone = excluded.is_gone, ends_at = excluded.ends_at`,
  )
}

/** An occurrence that became another one. */
export async function forgetMeeting(tx: TenantScope, invitationId: string, occurrence: string): Promise<void> {
  await run(
    tx,
    sql`delete from mail_invitation_meetings
      where tenant_id = ${tx.tenantId} and invitation_id = ${invitationId} and occurrence = ${occurrence}`,
  )
}

export async function postpone(scope: TenantScope, { id, lookAt }: { id: string; lookAt: Date }): Promise<void> {
  await run(
    scope,
    sql`update mail_invitations set look_at = ${lookAt}
      where tenant_id = ${scope.tenantId} and id = ${id} and look_at is not null`,
  )
}

/** Those of all tenants whose later occurrences are to be planned. */
export function listDue(
  platform: PlatformScope,
  { now, limit }: { now: Date; limit: number },
): Promise<{ tenantId: string; id: string }[]> {
  return many(
    platform,
    sql<{ tenantId: string; id: string }>`select tenant_id as "tenantId", id from mail_invitations
      where look_at <= ${now} order by look_at limit ${limit}`,
  )
}

const batchRows = 500

/** Those of all tenants that are over. */
export function deleteOver(platform: PlatformScope, before: Date): Promise<number> {
  return run(
    platform,
    sql`delete from mail_invitations where ctid = any (array(select ctid from mail_invitations
      where look_at is null and ends_at < ${before} order by ends_at limit ${batchRows} for update skip locked))`,
  )
}
