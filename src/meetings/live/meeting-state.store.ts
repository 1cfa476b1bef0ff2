import { many, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { MeetingStatus } from '../meetings/meeting.rules.ts'

export type MeetingKey = { tenantId: string; id: string }
export type MeetingState = MeetingKey & { lastSeq: number; status: MeetingStatus }

/** The current state of meetings of many tenants in one query. Deleted meetings are missing. */
export function findMeetingStates(platform: PlatformScope, meetings: MeetingKey[]): Promise<MeetingState[]> {
  return many(
    platform,
    sql<MeetingState>`select m.tenant_id as "tenantId", m.id, m.last_seq::float8 as "lastSeq", m.status
      from unnest(${meetings.map(({ tenantId }) => tenantId)}::uuid[], ${meetings.map(({ id }) => id)}::uuid[]) as followed (tenant_id, id)
        join meetings m on m.tenant_id = followed.tenant_id and m.id = followed.id`,
  )
}
