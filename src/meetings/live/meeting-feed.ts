import type { CloseCode } from '../../http/sockets/close-codes.ts'
import type { Connection } from '../../http/sockets/socket-part.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { listChanges } from '../entries/entry.store.ts'
import type { Meeting, MeetingStatus } from '../meetings/meeting.rules.ts'
import { findMeeting } from '../meetings/meeting.store.ts'
import { entryBuffer } from './entry-buffer.ts'
import { encodeEntry, feedFollowers } from './feed-followers.ts'

export type MeetingFeed = ReturnType<typeof meetingFeed>

export type FeedDeps = {
  scope: TenantScope
  meeting: Pick<Meeting, 'id' | 'lastSeq' | 'status'>
  /** How much of the transcript may be kept in memory for those who follow it. */
  keptBytesMax: () => number
  /** Few at a time: for those who are far behind. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** It has nobody left, or the meeting is gone. */
  onEmpty(): void
}

const gone: CloseCode = 4404
const pageEntries = 500
/**
 * One meeting on one node: reads each new entry once, whoever wrote it and on whichever node, and gives it to everybody
 * who follows, each at their own pace.
 */
export function meetingFeed({ scope, meeting, keptBytesMax, inTurn, onEmpty }: FeedDeps) {
  const { id: meetingId } = meeting
  const kept = entryBuffer(meeting.lastSeq, keptBytesMax)
  const members = feedFollowers({ scope, meetingId, kept, inTurn })
  let status: MeetingStatus = meeting.status
  let looking: 'not' | 'once' | 'again' = 'not'

  const refresh = async (): Promise<void> => {
    const now = await findMeeting(scope, meetingId)
    if (now === null) return end()
    while (kept.end() < now.lastSeq) {
      const { entries } = await listChanges(scope, meetingId, { afterSeq: kept.end(), limit: pageEntries })
      if (entries.length === 0) break
      for (const entry of entries) kept.push(encodeEntry(meetingId, entry))
      void members.serve()
    }
    if (now.status === status) return
    status = now.status
    for (const connection of members.connections()) connection.send({ type: 'meeting.status', meetingId, status })
  }

  const end = (): void => {
    const left = members.removeAll()
    onEmpty()
    for (const connection of left) connection.close(gone, 'NOT_FOUND')
  }

  /** Reads what is new, once however many ask meanwhile. */
  const look = async (): Promise<void> => {
    if (looking !== 'not') {
      looking = 'again'
      return
    }
    do {
      looking = 'once'
      // The database is away: whoever looks regularly tries again.
      await refresh().catch(() => undefined)
    } while (stillLooking() === 'again' && members.size() > 0)
    looking = 'not'
    void members.serve()
  }
  const stillLooking = () => looking

  return {
    meetingId,
    tenantId: scope.tenantId,
    look,
    serve: members.serve,
    /** Whether there is anything here that a reader of the database would not know. */
    differs: (now: { lastSeq: number; status: MeetingStatus }) => now.lastSeq > kept.end() || now.status !== status,
    isBehind: (lastSeq: number) => lastSeq > kept.end(),
    add: members.add,
    /** It has read what it was given. */
    drained: members.drained,
    remove: (connection: Connection): void => {
      if (members.remove(connection) && members.size() === 0) onEmpty()
    },
  }
}
