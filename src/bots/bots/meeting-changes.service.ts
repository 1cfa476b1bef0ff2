import type { Clock } from '../../kernel/clock.ts'
import { type MeetingHosts, readMeetingLink } from '../../kernel/meeting-links.ts'
import type { BotMeetings, Meeting } from '../../meetings/index.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type TenantScope } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { type Bot, isFinal, isInside, secondsInside } from '../bot.rules.ts'
import type { BotMinutes } from '../minutes/bot-minutes.ts'
import type { Reason } from '../reasons.rules.ts'
import { deleteBots, findBot, forgetUser, listBotsOfMeetings, saveLink } from './bot.store.ts'
import type { BotMoves, Locked } from './bot-moves.ts'
import { earlyMs } from './deadlines.rules.ts'
import { linkContext } from './link-seal.ts'
import { askToLeave, move, type Step } from './moves.rules.ts'

type Deps = {
  clock: Clock
  events: EventBus
  secrets: Secrets
  meetings: BotMeetings
  meetingHosts: MeetingHosts
  moves: BotMoves
  minutes: BotMinutes
}

/** What bots do when their meetings change: those that are not in yet follow, and those that are in stay. */
export function followMeetings({ clock, events, secrets, meetings, meetingHosts, moves, minutes }: Deps): void {
  events.on('meeting.changed', async (scope, { tenantId, meetingId }) => {
    const tx = inTenant(scope, tenantId)
    for (const { id } of await listBotsOfMeetings(tx, [meetingId])) {
      const locked = await moves.lock(tx, id)
      if (locked === null || isFinal(locked.bot.status)) continue
      const step = await follow(tx, locked)
      if (step !== null) await moves.apply(tx, locked, step)
    }
  })
  events.on('meetings.deleted', async (scope, { tenantId, meetingIds }) => {
    const tx = inTenant(scope, tenantId)
    const keys = await listBotsOfMeetings(tx, meetingIds)
    for (const { id } of keys) {
      const bot = await findBot(tx, id)
      // Their runners find the lease lost, and leave.
      if (bot !== null && !isFinal(bot.status))
        await minutes.settle(tx, { ...bot, seconds: secondsInside(bot, clock.now()) })
    }
    await deleteBots(
      tx,
      keys.map(({ id }) => id),
    )
  })
  events.on('user.removed', (tx, removed) => forgetUser(tx, removed))

  async function follow(tx: TenantScope, { bot, meeting }: Locked): Promise<Step | null> {
    const now = clock.now()
    const over = overReason(meeting)
    if (over !== null) return askToLeave(bot, { reason: over, now })
    if (isInside(bot.status)) return null
    const moved = meeting.scheduledAt !== null && meeting.scheduledAt.getTime() !== (bot.joinAt?.getTime() ?? null)
    const link = await newLink(tx, bot)
    if (!moved && link === null) return null
    const wasPlanned = bot.joinAt !== null
    const joinAt = moved && wasPlanned ? meeting.scheduledAt : bot.joinAt
    const isLater = joinAt !== null && joinAt.getTime() > now.getTime() + earlyMs
    if (link !== null) await saveLink(tx, bot.id, { ...link, sealed: secrets.seal(link.url, linkContext(bot)) })
    const next: Bot = {
      ...bot,
      joinAt,
      startKey: isLater && bot.status === 'scheduled' ? joinAt.toISOString() : bot.startKey,
    }
    const event = {
      at: now,
      type: 'calendar' as const,
      from: null,
      to: null,
      reason: null,
      detail: link === null ? 'moved' : 'another link',
    }
    // One that is on its way goes back, and starts again for the new time or the new room.
    const isOnItsWay = bot.status === 'joining' || bot.status === 'waiting_room'
    const back = isLater && bot.status !== 'scheduled' ? 'scheduled' : isOnItsWay ? 'queued' : null
    const step = back === null ? null : move(next, { to: back, detail: event.detail, now })
    if (step === null) return { bot: next, events: [event] }
    const started = back === 'scheduled' ? { ...step.bot, startKey: joinAt?.toISOString() ?? '' } : step.bot
    return { bot: { ...started, runnerId: null, leasedAt: null }, events: [event, ...step.events] }
  }

  /** Null: it is the same room. */
  async function newLink(tx: TenantScope, bot: Bot): Promise<{ url: string; room: string; platform: string } | null> {
    const text = bot.platform === 'none' ? null : await meetings.joinUrl(tx, bot.meetingId)
    const link = text === null ? null : readMeetingLink(text, meetingHosts)
    if (link?.platform == null || link.roomId === null || link.roomId === bot.room) return null
    return { url: link.url, room: link.roomId, platform: link.platform }
  }
}

/** A meeting that a person or a calendar has ended keeps no bot. */
function overReason({ status }: Meeting): Reason | null {
  if (status === 'cancelled') return 'CANCELLED'
  return status === 'completed' || status === 'failed' ? 'MEETING_ENDED' : null
}
