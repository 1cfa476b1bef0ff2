import { many, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { CitedPlace } from './open-answers.ts'

/** A handful of places. Their meetings and documents must be locked. */
export async function insertCitations(tx: TenantScope, answerId: string, places: readonly CitedPlace[]): Promise<void> {
  for (const [number, { kind, itemId, version, place, start, end }] of places.entries())
    await run(
      tx,
      sql`insert into drafted_answer_citations (tenant_id, answer_id, number, meeting_id, document_id, version, place, start_at, end_at)
        values (${tx.tenantId}, ${answerId}, ${number}, ${kind === 'meeting' ? itemId : null}, ${kind === 'document' ? itemId : null},
          ${version}, ${place}, ${start}, ${end})`,
    )
}

/** `meetingAt`: when the meeting was; null for a document. */
export type DraftedCitation = CitedPlace & { meetingAt: Date | null }

/** Those that still exist. The others were deleted with their meetings and documents. */
export function listCitations(scope: TenantScope, answerId: string): Promise<DraftedCitation[]> {
  return many(
    scope,
    sql<DraftedCitation>`select case when c.meeting_id is null then 'document' else 'meeting' end as kind,
        coalesce(c.meeting_id, c.document_id) as "itemId", c.version::float8 as version, c.place::float8 as place,
        c.start_at as "start", c.end_at as "end", coalesce(m.started_at, m.created_at) as "meetingAt"
      from drafted_answer_citations c left join meetings m on m.tenant_id = c.tenant_id and m.id = c.meeting_id
      where c.tenant_id = ${scope.tenantId} and c.answer_id = ${answerId} order by c.number`,
  )
}
