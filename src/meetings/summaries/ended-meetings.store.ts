import { many, one, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { readableMeetings } from '../meetings/sharing.store.ts'

/** A meeting with the decisions of its latest summary. */
export type EndedMeeting = { title: string; decisions: string[] }

/** More decisions of one meeting would not be read in a list of meetings. */
const decisionsMax = 10

/** The meetings that a user may read and that ended in this time, newest first: at most `max`, and how many there are. */
export async function listEndedFor(
  scope: TenantScope,
  { userId, from, to, max }: { userId: string; from: Date; to: Date; max: number },
): Promise<{ meetings: EndedMeeting[]; count: number }> {
  const condition = sql`m.status = 'completed' and m.ended_at > ${from} and m.ended_at <= ${to}`
  const readable = readableMeetings(scope, { userId, which: 'all', condition }, countedMax)
  const meetings = await many(
    scope,
    sql<EndedMeeting>`select m.title, array(select d ->> 'text' from (
        select s.body from summaries s where s.tenant_id = m.tenant_id and s.meeting_id = m.id
          and s.content_revision = m.content_revision order by s.generated_at desc limit 1) as latest
        cross join jsonb_array_elements(latest.body -> 'decisions') d limit ${decisionsMax}) as decisions
      ${readable} order by m.ended_at desc, m.id desc limit ${max}`,
  )
  const { count } = await one(scope, sql<{ count: number }>`select count(*)::int as count ${readable}`)
  return { meetings, count }
}

/** Nobody has more meetings in a week. */
const countedMax = 1000
