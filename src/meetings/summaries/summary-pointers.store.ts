import { many, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'

/** A sentence of a summary with the numbers of the entries that it cites. */
export type SummaryPointer = { meetingId: string; sentence: string; seqs: number[] }

/**
 * What the summaries of these meetings say about entries: of each mode the latest one, if nothing was said or changed since.
 * Without sentences that count or only fill the length.
 */
export function listSummaryPointers(scope: TenantScope, meetingIds: readonly string[]): Promise<SummaryPointer[]> {
  return many(
    scope,
    sql<SummaryPointer>`with latest as (
        select distinct on (s.meeting_id, s.mode) s.meeting_id, s.body -> 'citations' as citations
        from summaries s join meetings m on m.tenant_id = s.tenant_id and m.id = s.meeting_id
        where s.tenant_id = ${scope.tenantId} and s.meeting_id = any (${meetingIds}::uuid[])
          and s.content_revision = m.content_revision
        order by s.meeting_id, s.mode, s.generated_at desc)
      select meeting_id as "meetingId", c ->> 'sentence' as sentence,
        array(select e::float8 from jsonb_array_elements_text(c -> 'entries') e) as seqs
      from latest cross join jsonb_array_elements(citations) c
      where c ->> 'basis' <> 'record' and not (c ->> 'isPadding')::boolean`,
  )
}
