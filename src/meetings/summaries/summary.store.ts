import { maybeOne, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { PersonalityName, SummaryMode } from '../meetings/meeting.rules.ts'
import type { StoredSummary, SummaryBody } from './summary.schema.ts'

export type SummaryKey = { meetingId: string; mode: SummaryMode; personality: PersonalityName }

export function findSummary(
  scope: TenantScope,
  { meetingId, mode, personality }: SummaryKey,
): Promise<StoredSummary | null> {
  return maybeOne(
    scope,
    sql<StoredSummary>`select content_revision as "contentRevision", title, engine, engine_version as "engineVersion", model,
        fallback_reason as "fallbackReason", body, generated_at as "generatedAt" from summaries
      where tenant_id = ${scope.tenantId} and meeting_id = ${meetingId} and mode = ${mode} and personality = ${personality}`,
  )
}

/** Keeps the meeting from being deleted until the transaction ends. False: there is no such meeting. */
export async function lockMeetingKey(tx: TenantScope, meetingId: string): Promise<boolean> {
  const locked = await maybeOne(
    tx,
    sql<{ id: string }>`select id from meetings where tenant_id = ${tx.tenantId} and id = ${meetingId} for key share`,
  )
  return locked !== null
}

/**
 * Stores a summary. If two nodes made it at the same time, the one that read more of the transcript wins. Summaries of
 * earlier transcripts are deleted, because they may hold words that were replaced since.
 */
export async function saveSummary(
  tx: TenantScope,
  { meetingId, mode, personality }: SummaryKey,
  summary: StoredSummary,
): Promise<void> {
  const { contentRevision, title, engine, engineVersion, model, fallbackReason, body, generatedAt } = summary
  await run(
    tx,
    sql`insert into summaries (tenant_id, meeting_id, mode, personality, content_revision, title, engine, engine_version, model,
        fallback_reason, body, generated_at)
      values (${tx.tenantId}, ${meetingId}, ${mode}, ${personality}, ${contentRevision}, ${title}, ${engine}, ${engineVersion},
        ${model}, ${fallbackReason}, ${JSON.stringify(body satisfies SummaryBody)}::jsonb, ${generatedAt})
      on conflict (tenant_id, meeting_id, mode, personality) do update set content_revision = excluded.content_revision,
        title = excluded.title, engine = excluded.engine, engine_version = excluded.engine_version, model = excluded.model,
        fallback_reason = excluded.fallback_reason, body = excluded.body, generated_at = excluded.generated_at
      where summaries.content_revision <= excluded.content_revision`,
  )
  await run(
    tx,
    sql`delete from summaries where tenant_id = ${tx.tenantId} and meeting_id = ${meetingId}
      and content_revision < ${contentRevision}`,
  )
}
