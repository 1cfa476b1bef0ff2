import { many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

/** Erases the entries whose segment ids begin like this. Returns how many. */
export function deleteSegments(tx: TenantScope, meetingId: string, prefix: string): Promise<number> {
  return run(
    tx,
    sql`delete from transcript_entries
      where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId} and starts_with(segment_id, ${prefix})`,
  )
}

export async function listSegmentIds(tx: TenantScope, meetingId: string, prefix: string): Promise<string[]> {
  const rows = await many(
    tx,
    sql<{ id: string }>`select segment_id as id from transcript_entries
      where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId} and starts_with(segment_id, ${prefix})`,
  )
  return rows.map(({ id }) => id)
}

export function deleteSegmentsById(tx: TenantScope, meetingId: string, ids: string[]): Promise<number> {
  return run(
    tx,
    sql`delete from transcript_entries
      where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId} and segment_id = any (${ids}::text[])`,
  )
}

/** What is left of a transcript. */
export function countTranscript(
  tx: TenantScope,
  meetingId: string,
): Promise<{ entryCount: number; charCount: number; wordCount: number }> {
  return one(
    tx,
    sql<{ entryCount: number; charCount: number; wordCount: number }>`select count(*)::int as "entryCount",
        coalesce(sum(length(text)), 0)::int as "charCount", coalesce(sum(words), 0)::int as "wordCount"
      from transcript_entries where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId}`,
  )
}

/** Erases what was made from a transcript: summaries, and quotes in answers. */
export async function deleteDerived(tx: TenantScope, meetingId: string): Promise<void> {
  await run(tx, sql`delete from summaries where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId}`)
  const answers = await many(
    tx,
    sql<{ id: string }>`delete from drafted_answer_quotes where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId}
      returning answer_id as id`,
  )
  const ids = answers.map(({ id }) => id)
  await run(
    tx,
    sql`delete from drafted_answer_citations where tenant_id = ${tx.tenantId}
      and (meeting_id = ${meetingId} or answer_id = any (${ids}::uuid[]))`,
  )
}

/** Null: it has none, or there is no such meeting. */
export async function findSealedJoinUrl(scope: TenantScope, id: string): Promise<Buffer | null> {
  const found = await maybeOne(
    scope,
    sql<{ sealed: Buffer | null }>`select join_url_sealed as sealed from meetings
      where tenant_id = ${scope.tenantId} and id = ${id}`,
  )
  return found?.sealed ?? null
}
