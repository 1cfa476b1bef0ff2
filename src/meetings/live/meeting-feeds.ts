import type { Connection } from '../../http/sockets/socket-part.ts'
import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { FanOut } from '../../storage/fan-out.ts'
import { type PlatformScope, scopeToTenant } from '../../storage/scope.ts'
import type { Meeting } from '../meetings/meeting.rules.ts'
import { subscribeToMeetingChanges } from '../meetings/meeting-changes.ts'
import { type MeetingFeed, meetingFeed } from './meeting-feed.ts'
import { findMeetingStates } from './meeting-state.store.ts'

// What all feeds of a node may keep in memory, and one of them.
const allKeptBytesMax = 64 * 1024 * 1024
const keptBytesMax = 1024 * 1024
// Reads for those who are far behind: most connections of the pool stay with requests.
const readersMax = 3
const waitingReadersMax = 100_000

export type MeetingFeeds = ReturnType<typeof meetingFeeds>

/**
 * The meetings that are followed on this node. News come over the fan-out and may be lost: all meetings together are
 * looked at every `pollMs` too, with one question, so that nothing comes later than that.
 */
export function meetingFeeds({
  platform,
  fanOut,
  pollMs,
}: {
  platform: PlatformScope
  fanOut: FanOut
  pollMs: number
}) {
  const feeds = new Map<string, MeetingFeed>()
  const inTurn = concurrencyLimit(readersMax, waitingReadersMax)
  let timer: NodeJS.Timeout | null = null

  subscribeToMeetingChanges(fanOut, {
    news: ({ tenantId, meetingId, lastSeq }) => {
      const feed = feeds.get(feedKey({ tenantId, id: meetingId }))
      if (feed && (lastSeq === null || feed.isBehind(lastSeq))) void feed.look()
    },
    gap: () => void poll(),
  })

  const poll = async (): Promise<void> => {
    const followed = [...feeds.values()]
    if (followed.length === 0) return
    try {
      const states = await findMeetingStates(
        platform,
        followed.map(({ tenantId, meetingId: id }) => ({ tenantId, id })),
      )
      const byPlace = new Map(states.map((state) => [feedKey(state), state]))
      for (const feed of followed) {
        const state = byPlace.get(feedKey({ tenantId: feed.tenantId, id: feed.meetingId }))
        if (state === undefined || feed.differs(state)) void feed.look()
        else void feed.serve()
      }
    } catch {
      // The database is away: the next poll tells what was missed.
    }
  }

  const open = (meeting: Meeting): MeetingFeed => {
    const place = feedKey(meeting)
    const feed = meetingFeed({
      meeting,
      inTurn,
      scope: scopeToTenant(platform, meeting.tenantId),
      keptBytesMax: () => Math.min(keptBytesMax, allKeptBytesMax / feeds.size),
      onEmpty: () => {
        if (feeds.get(place) === feed) feeds.delete(place)
        if (feeds.size > 0 || timer === null) return
        clearInterval(timer)
        timer = null
      },
    })
    feeds.set(place, feed)
    timer ??= setInterval(() => void poll(), pollMs).unref()
    return feed
  }

  return {
    /** `meeting` as it was just read. Given is what comes after `cursor`. */
    follow: (connection: Connection, meeting: Meeting, cursor: number): MeetingFeed => {
      const feed = feeds.get(feedKey(meeting)) ?? open(meeting)
      feed.add(connection, cursor)
      // Between the reading and the following it may have gone on.
      void feed.look()
      return feed
    },
    poll,
    size: () => feeds.size,
  }
}

function feedKey({ tenantId, id }: { tenantId: string; id: string }): string {
  return `${tenantId} ${id}`
}
