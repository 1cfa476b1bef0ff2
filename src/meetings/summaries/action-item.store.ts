import { maybeOne, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Participant } from '../meetings/meeting.rules.ts'

export type DiscussedMeeting = {
  id: string
  title: string
  orgId: string | null
  participants: Participant[]
  /** When it took place, or was to. The earlier of both: a recording may be imported days after its meeting. */
  heldAt: Date
  /** The last number given to an entry or to its replacement. */
  lastSeq: number
  /** Grows with every change of the transcript. */
  contentRevision: number
}

/** Does not check who may read it. */
export function findDiscussed(scope: TenantScope, id: string): Promise<DiscussedMeeting | null> {
  return maybeOne(scope, discussed(scope, id))
}

/** The same, and until the transaction ends neither the meeting nor its transcript changes. */
export function holdDiscussed(tx: TenantScope, id: string): Promise<DiscussedMeeting | null> {
  return maybeOne(tx, sql<DiscussedMeeting>`${discussed(tx, id)} for share`)
}

const discussed = ({ tenantId }: TenantScope, id: string) =>
  sql<DiscussedMeeting>`select id, title, org_id as "orgId", participants,
    coalesce(least(started_at, scheduled_at), created_at) as "heldAt", last_seq::float8 as "lastSeq",
    content_revision as "contentRevision"
    from meetings where tenant_id = ${tenantId} and id = ${id}`
