import type { Connection } from '../../http/sockets/socket-declaration.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { listChanges } from '../entries/entry.store.ts'
import type { Meeting, MeetingStatus } from '../meetings/meeting.rules.ts'
import { findMeeting } from '../meetings/meeting.store.ts'
import { entryBuffer } from './entry-buffer.ts'
import { encodeEntry, type FeedListener, feedFollowers } from './feed-followers.ts'

export type MeetingFeed = ReturnType<typeof meetingFeed>

export type FeedDeps = {
  scope: TenantScope
  meeting: Pick<Meeting, 'id' | 'lastSeq' | 'status'>
  /** The part of the transcript that may stay in memory for its followers. */
  bufferBytesMax: () => number
  /** Limits concurrent reads for clients that are far behind. */
  limitReads: <T>(work: () => Promise<T>) => Promise<T>
  /** Called when nobody follows any more, or when the meeting was deleted. */
  onEmpty(): void
}

const pageEntries = 500
/**
 * The feed of one meeting on one node. It reads each new entry once, whichever node wrote it, and sends it to all
 * followers at their own pace.
 */
export function meetingFeed({ scope, meeting, bufferBytesMax, limitReads, onEmpty }: FeedDeps) {
  const { id: meetingId } = meeting
  const buffer = entryBuffer(meeting.lastSeq, bufferBytesMax)
  const followers = feedFollowers({ scope, meetingId, buffer, limitReads })
  let status: MeetingStatus = meeting.status
  let reading: 'idle' | 'once' | 'again' = 'idle'

  const readNew = async (): Promise<void> => {
    const now = await findMeeting(scope, meetingId)
    if (now === null) return end()
    while (buffer.lastSeq() < now.lastSeq) {
      const { entries } = await listChanges(scope, meetingId, { afterSeq: buffer.lastSeq(), limit: pageEntries })
      if (entries.length === 0) break
      for (const entry of entries) buffer.push(encodeEntry(meetingId, entry))
      void followers.serve()
    }
    if (now.status === status) return
    status = now.status
    for (const connection of followers.connections()) connection.send({ type: 'meeting.status', meetingId, status })
  }

  const end = (): void => {
    const left = followers.removeAll()
    onEmpty()
    for (const { onDeleted } of left) onDeleted()
  }

  /** Reads what is new. Calls during a read cause one more read. */
  const refresh = async (): Promise<void> => {
    if (reading !== 'idle') {
      reading = 'again'
      return
    }
    do {
      reading = 'once'
      // The database is not available. The next poll tries again.
      await readNew().catch(() => undefined)
    } while (readingNow() === 'again' && followers.size() > 0)
    reading = 'idle'
    void followers.serve()
  }
  const readingNow = () => reading

  return {
    meetingId,
    tenantId: scope.tenantId,
    refresh,
    serve: followers.serve,
    /** Whether the stored state differs from what the feed has read. */
    differs: (now: { lastSeq: number; status: MeetingStatus }) =>
      now.lastSeq > buffer.lastSeq() || now.status !== status,
    isBehind: (lastSeq: number) => lastSeq > buffer.lastSeq(),
    add: (listener: FeedListener, cursor: number): void => followers.add(listener, cursor),
    /** The client has room again. */
    drained: followers.drained,
    remove: (connection: Connection): void => {
      if (followers.remove(connection) && followers.size() === 0) onEmpty()
    },
  }
}
