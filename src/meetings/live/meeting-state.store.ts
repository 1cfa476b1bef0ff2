import { many, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { MeetingStatus } from '../meetings/meeting.rules.ts'

export type Followed = { tenantId: string; id: string }
export type State = Followed & { lastSeq: number; status: MeetingStatus }

/** What the meetings of many tenants are now, in one question; those that are gone are missing. */
export function statesOf(platform: PlatformScope, meetings: Followed[]): Promise<State[]> {
  return many(
    platform,
    sql<State>`select m.tenant_id as "tenantId", m.id, m.last_seq::float8 as "lastSeq", m.status
      from unnest(${meetings.map(({ tenantId }) => tenantId)}::uuid[], ${meetings.map(({ id }) => id)}::uuid[]) as followed (tenant_id, id)
        join meetings m on m.tenant_id = followed.tenant_id and m.id = followed.id`,
  )
}
