import { many, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { MeetingStatus } from '../meetings/meeting.rules.ts'
import { mayRead } from '../meetings/sharing.store.ts'

export type MeetingKey = { tenantId: string; id: string }
export type MeetingState = MeetingKey & {
  lastSeq: number
  status: MeetingStatus
  /** Those of the given users who may read the meeting. */
  readerIds: string[]
}

/** The current state of meetings of many tenants in one query. Deleted meetings are missing, and those without users. */
export function findMeetingStates(
  platform: PlatformScope,
  meetings: (MeetingKey & { userIds: string[] })[],
): Promise<MeetingState[]> {
  const followers = meetings.flatMap(({ tenantId, id, userIds }) => userIds.map((userId) => ({ tenantId, id, userId })))
  const column = (name: 'tenantId' | 'id' | 'userId') => followers.map((follower) => follower[name])
  return many(
    platform,
    sql<MeetingState>`select m.tenant_id as "tenantId", m.id, m.last_seq::float8 as "lastSeq", m.status,
        coalesce(array_agg(f.user_id) filter (where ${mayRead(sql`f.user_id`)}), '{}') as "readerIds"
      from unnest(${column('tenantId')}::uuid[], ${column('id')}::uuid[], ${column('userId')}::uuid[]) as f (tenant_id, id, user_id)
        join meetings m on m.tenant_id = f.tenant_id and m.id = f.id
      group by m.tenant_id, m.id`,
  )
}
