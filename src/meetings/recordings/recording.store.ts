import { many, one, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { mayWrite } from '../meetings/sharing.store.ts'
import type { Candidate } from './recording.rules.ts'

const candidatesMax = 500

/**
 * Meetings that the user may change, and that were planned or held around that time: the user's own, and those of the
 * organization. A meeting that was believed to be missed is one of them.
 */
export function listCandidates(
  tx: TenantScope,
  { userId, orgId, from, until }: { userId: string; orgId: string | null; from: Date; until: Date },
): Promise<Candidate[]> {
  const startAt = sql`coalesce(m.scheduled_at, m.started_at)`
  const ofOrganization = orgId === null ? sql`` : sql` or (m.org_id = ${orgId} and ${mayWrite(userId)})`
  return many(
    tx,
    sql<Candidate>`select m.id, m.title, m.join_url as "joinUrl", ${startAt} as "startAt", coalesce(m.scheduled_end, m.ended_at) as "endAt"
      from meetings m
      where m.tenant_id = ${tx.tenantId} and (m.user_id = ${userId}${ofOrganization})
        and ${startAt} >= ${from} and ${startAt} <= ${until} and (m.status <> 'cancelled' or m.cause = 'MISSED')
      order by m.created_at desc, m.id desc limit ${candidatesMax}`,
  )
}

/** Whether a locked meeting has words that are of no recording. */
export async function hasOtherEntries(tx: TenantScope, meetingId: string, segments: string): Promise<boolean> {
  const { found } = await one(
    tx,
    sql<{ found: boolean }>`select exists (select from transcript_entries
      where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId} and (segment_id is null or segment_id not like ${segments})) as found`,
  )
  return found
}
