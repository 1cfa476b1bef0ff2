import type { Clock } from '../../kernel/clock.ts'
import { type MeetingHosts, readMeetingLink } from '../../kernel/meeting-links.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { BotMeetings } from '../../meetings/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Quotas } from '../../usage/index.ts'
import { type Bot, isInside } from '../bot.rules.ts'
import { saveLink } from './bot.store.ts'
import type { BotTransitions, Locked } from './bot-transitions.ts'
import { earlyMs } from './deadlines.rules.ts'
import { linkContext } from './link-seal.ts'
import { type Step, transition } from './transitions.rules.ts'

type Deps = {
  clock: Clock
  secrets: Secrets
  quotas: Quotas
  meetings: BotMeetings
  meetingHosts: MeetingHosts
  transitions: BotTransitions
}

export type FollowMeeting = ReturnType<typeof followMeeting>

/** A bot that is not in yet goes where and when its meeting is now; one that is in stays. */
export function followMeeting({ clock, secrets, quotas, meetings, meetingHosts, transitions }: Deps) {
  /** Where another bot is there already, this one is cancelled. */
  return async (scope: TenantScope, id: string): Promise<void> => {
    try {
      await transaction(scope, async (tx) => {
        // A caller who sends a bot at this moment waits, and then finds this one in its new place.
        await quotas.lockLimits(tx, null)
        await transitions.change(tx, id, (locked) => follow(tx, locked))
      })
    } catch (error) {
      // The tenant is suspended: its bots leave.
      if (error instanceof Refusal) return
      if (!isOccupied(error)) throw error
      const taken = { to: 'ended', reason: 'CANCELLED', detail: 'Another bot is there.' } as const
      await transitions.change(scope, id, ({ bot }) => transition(bot, { ...taken, now: clock.now() }))
    }
  }

  async function follow(tx: TenantScope, locked: Locked): Promise<Step> {
    const now = clock.now()
    const { meeting } = locked
    const bot: Bot = { ...locked.bot, watch: { ...locked.bot.watch, meetingChangedAt: null } }
    if (isInside(bot.status)) return { bot, events: [] }
    const planned = meeting.scheduledAt?.getTime() ?? null
    const moved = bot.joinAt !== null && planned !== null && planned !== bot.joinAt.getTime()
    const link = await newLink(tx, bot)
    if (!moved && link === null) return { bot, events: [] }
    const joinAt = moved ? meeting.scheduledAt : bot.joinAt
    const isLater = joinAt !== null && joinAt.getTime() > now.getTime() + earlyMs
    if (link !== null) await saveLink(tx, bot.id, { ...link, sealed: secrets.seal(link.url, linkContext(bot)) })
    const startKey = isLater ? joinAt.toISOString() : bot.startKey
    const detail = link === null ? 'moved' : 'another link'
    const event = { at: now, type: 'calendar' as const, from: null, to: null, reason: null, detail }
    // One that is on its way goes back, and starts again for the new time or the new room.
    const isOnItsWay = bot.status === 'joining' || bot.status === 'waiting_room'
    const back = isLater && bot.status !== 'scheduled' ? 'scheduled' : isOnItsWay ? 'queued' : null
    const step = back === null ? null : transition({ ...bot, joinAt, startKey }, { to: back, detail, now })
    if (step === null) return { bot: { ...bot, joinAt, startKey }, events: [event] }
    return { bot: { ...step.bot, runnerId: null, leasedAt: null }, events: [event, ...step.events] }
  }

  /** Null: it is the same room. */
  async function newLink(tx: TenantScope, bot: Bot): Promise<{ url: string; room: string; platform: string } | null> {
    const text = bot.platform === 'none' ? null : await meetings.joinUrl(tx, bot.meetingId)
    const link = text === null ? null : readMeetingLink(text, meetingHosts)
    if (link?.platform == null || link.roomId === null || link.roomId === bot.room) return null
    return { url: link.url, room: link.roomId, platform: link.platform }
  }
}

/** Another bot is in the room, or planned for the same start. */
function isOccupied(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && (constraint === 'bots_one_live' || constraint === 'bots_one_in_room')
}
