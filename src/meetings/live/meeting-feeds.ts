import { concurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { FanOut } from '../../storage/fan-out.ts'
import { type PlatformScope, scopeToTenant } from '../../storage/scope.ts'
import type { Meeting } from '../meetings/meeting.rules.ts'
import { subscribeToMeetingChanges } from '../meetings/meeting-changes.ts'
import type { FeedListener } from './feed-followers.ts'
import { type MeetingFeed, meetingFeed } from './meeting-feed.ts'
import { findMeetingStates } from './meeting-state.store.ts'

// The memory of all feeds of a node, and of one of them.
const allBuffersBytesMax = 64 * 1024 * 1024
const bufferBytesMax = 1024 * 1024
// Reads for clients that are far behind may use few connections, so that requests keep most of the pool.
const readsMax = 3
const waitingReadsMax = 100_000

export type MeetingFeeds = ReturnType<typeof meetingFeeds>

/**
 * The meetings that are followed on this node. Notices of changes come over the fan-out and may be lost. So one query
 * for all followed meetings runs every `pollMs` too, which is the longest possible delay.
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
  const limitReads = concurrencyLimit(readsMax, waitingReadsMax)
  let timer: NodeJS.Timeout | null = null

  subscribeToMeetingChanges(fanOut, {
    notice: ({ tenantId, meetingId, lastSeq }) => {
      if (meetingId === null) return void poll(tenantId)
      const feed = feeds.get(feedKey({ tenantId, id: meetingId }))
      if (feed && (lastSeq === null || feed.isBehind(lastSeq))) void feed.refresh()
    },
    gap: () => void poll(),
  })

  /** Compares the followed meetings, of one tenant or of all, with the database. */
  const poll = async (tenantId?: string): Promise<void> => {
    const followed = [...feeds.values()]
      .filter((feed) => tenantId === undefined || feed.tenantId === tenantId)
      .map((feed) => ({ feed, tenantId: feed.tenantId, id: feed.meetingId, userIds: feed.userIds() }))
    if (followed.length === 0) return
    try {
      const states = await findMeetingStates(platform, followed)
      const byKey = new Map(states.map((state) => [feedKey(state), state]))
      for (const { feed, userIds, ...key } of followed) {
        const state = byKey.get(feedKey(key))
        if (state !== undefined) feed.keepReaders(userIds, state)
        if (state === undefined || feed.differs(state)) void feed.refresh()
        else void feed.serve()
      }
    } catch {
      // The database is not available. The next poll catches up.
    }
  }

  const open = (meeting: Meeting): MeetingFeed => {
    const key = feedKey(meeting)
    const feed = meetingFeed({
      meeting,
      limitReads,
      scope: scopeToTenant(platform, meeting.tenantId),
      readState: async (userIds) => {
        const { tenantId, id } = meeting
        return (await findMeetingStates(platform, [{ tenantId, id, userIds }]))[0] ?? null
      },
      bufferBytesMax: () => Math.min(bufferBytesMax, allBuffersBytesMax / feeds.size),
      onEmpty: () => {
        if (feeds.get(key) === feed) feeds.delete(key)
        if (feeds.size > 0 || timer === null) return
        clearInterval(timer)
        timer = null
      },
    })
    feeds.set(key, feed)
    timer ??= setInterval(() => void poll(), pollMs).unref()
    return feed
  }

  return {
    /** `meeting` was just read. The client is sent what comes after `cursor`. */
    follow: (listener: FeedListener, meeting: Meeting, cursor: number): MeetingFeed => {
      const feed = feeds.get(feedKey(meeting)) ?? open(meeting)
      feed.add(listener, meeting, cursor)
      // The meeting may have changed since it was read.
      void feed.refresh()
      return feed
    },
    poll,
    size: () => feeds.size,
  }
}

function feedKey({ tenantId, id }: { tenantId: string; id: string }): string {
  return `${tenantId} ${id}`
}
