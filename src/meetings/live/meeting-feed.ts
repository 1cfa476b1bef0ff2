import type { Connection } from '../../http/sockets/socket-declaration.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { listChanges } from '../entries/entry.store.ts'
import type { Meeting } from '../meetings/meeting.rules.ts'
import { entryBuffer } from './entry-buffer.ts'
import { encodeEntry, type FeedListener, feedFollowers } from './feed-followers.ts'
import type { MeetingState } from './meeting-state.store.ts'

export type MeetingFeed = ReturnType<typeof meetingFeed>

export type FeedDeps = {
  scope: TenantScope
  meeting: Pick<Meeting, 'id' | 'lastSeq' | 'status'>
  /** The current state, and who of these users may read the meeting. Null: it was deleted. */
  readState(userIds: string[]): Promise<MeetingState | null>
  /** The part of the transcript that may stay in memory for its followers. */
  bufferBytesMax: () => number
  /** Limits concurrent reads for clients that are far behind. */
  limitReads: <T>(work: () => Promise<T>) => Promise<T>
  /** Called when the last follower has left. */
  onEmpty(): void
}

const pageEntries = 500
/**
 * The feed of one meeting on one node. It reads each new entry once, whichever node wrote it, and sends it to all
 * followers at their own pace.
 */
export function meetingFeed({ scope, meeting, readState, bufferBytesMax, limitReads, onEmpty }: FeedDeps) {
  const { id: meetingId } = meeting
  const buffer = entryBuffer(meeting.lastSeq, bufferBytesMax)
  const mayRead = async (userId: string) => (await readState([userId]))?.readerIds.includes(userId) ?? false
  const followers = feedFollowers({ scope, meetingId, buffer, mayRead, limitReads, onEmpty })
  let status = meeting.status
  let reading: 'idle' | 'once' | 'again' = 'idle'
  let hasFailed = false

  /**
   * Reads entries, and only then who may read the meeting: so nobody is sent an entry that was written after the meeting was
   * taken away from them.
   */
  const readNew = async (): Promise<void> => {
    for (let expectedSeq = 0; ; ) {
      const { entries } = await listChanges(scope, meetingId, { afterSeq: buffer.lastSeq(), limit: pageEntries })
      for (const entry of entries) buffer.push(encodeEntry(meetingId, entry))
      const lastSeq = buffer.lastSeq()
      const asked = followers.userIds()
      if (asked.length === 0) return
      const state = await readState(asked)
      if (state === null) return followers.loseAll()
      const readers = new Set(state.readerIds)
      followers.admit({ asked: new Set(asked), readers, lastSeq })
      void followers.serve()
      tellStatus(state, readers)
      // Numbers may have gaps: what was expected before and did not come is not there.
      if (state.lastSeq <= lastSeq || (entries.length === 0 && state.lastSeq === expectedSeq)) return
      expectedSeq = state.lastSeq
    }
  }

  const tellStatus = (now: MeetingState, readers: Set<string>): void => {
    if (now.status === status) return
    status = now.status
    followers.tell(readers, { type: 'meeting.status', meetingId, status })
  }

  /** Reads what is new. Calls during a read cause one more read. */
  const refresh = async (): Promise<void> => {
    if (reading !== 'idle') {
      reading = 'again'
      return
    }
    do {
      reading = 'once'
      hasFailed = false
      await readNew().catch(() => {
        // The database is not available. The next poll tries again.
        hasFailed = true
      })
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
    userIds: followers.userIds,
    /** Removes the clients of those users whom a state was read for, and who can no longer read the meeting. */
    keepReaders: (asked: string[], { readerIds }: MeetingState): void =>
      followers.admit({ asked: new Set(asked), readers: new Set(readerIds), lastSeq: 0 }),
    /** Whether the stored state differs from what the feed has read. */
    differs: (now: MeetingState) => hasFailed || now.lastSeq > buffer.lastSeq() || now.status !== status,
    isBehind: (lastSeq: number) => lastSeq > buffer.lastSeq(),
    /** `current`: the meeting as it was when the user could read it. */
    add: (listener: FeedListener, current: Pick<Meeting, 'lastSeq'>, cursor: number): void =>
      followers.add(listener, { cursor, lastSeq: current.lastSeq }),
    /** The client has room again. */
    drained: followers.drained,
    remove: (connection: Connection): void => void followers.remove(connection),
  }
}
