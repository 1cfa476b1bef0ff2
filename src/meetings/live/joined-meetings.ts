import { closeCode } from '../../http/sockets/close-codes.ts'
import type { SocketClient } from '../../http/sockets/socket-declaration.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { Meeting } from '../meetings/meeting.rules.ts'
import type { MeetingFeed } from './meeting-feed.ts'
import type { MeetingFeeds } from './meeting-feeds.ts'

const joinsMax = 20

/** The meetings that one client follows. */
export function joinedMeetings({ connection, user }: Pick<SocketClient, 'connection' | 'user'>, feeds: MeetingFeeds) {
  const joined = new Map<string, MeetingFeed>()

  const leave = (meetingId: string): void => {
    joined.get(meetingId)?.remove(connection)
    joined.delete(meetingId)
  }

  /** A meeting that was deleted or taken away ends only itself. Without another one there is nothing left to hear. */
  const onLost = (meetingId: string): void => {
    joined.delete(meetingId)
    if (joined.size === 0) connection.close(closeCode.GONE, 'NOT_FOUND')
    else connection.send({ type: 'left', meetingId })
  }

  return {
    /** The meeting of a frame: the one it names, or the one that was joined last. */
    resolveMeetingId: ({ meetingId }: { meetingId?: string }): string => {
      const named = meetingId ?? [...joined.keys()].at(-1)
      if (named === undefined)
        throw invalidField('/frame/meetingId', { code: 'required', message: 'is required before the first join' })
      return named
    },
    /** Refuses with STATE_CONFLICT where the connection follows too many meetings. */
    checkJoinLimit: (meetingId: string): void => {
      if (!joined.has(meetingId) && joined.size >= joinsMax)
        throw new Refusal('STATE_CONFLICT', { detail: `A connection can follow at most ${joinsMax} meetings.` })
    },
    /** Sends what comes after `cursor`. Joining again starts from the new cursor. */
    follow: (meeting: Meeting, cursor: number): void => {
      const listener = { connection, userId: user.id, onLost: () => onLost(meeting.id) }
      joined.set(meeting.id, feeds.follow(listener, meeting, cursor))
    },
    leave,
    leaveAll: (): void => {
      for (const meetingId of [...joined.keys()]) leave(meetingId)
    },
    drained: (): void => {
      for (const feed of joined.values()) feed.drained(connection)
    },
  }
}
