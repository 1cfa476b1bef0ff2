import type { Clock } from '../../kernel/clock.ts'
import type { Meeting } from '../../meetings/index.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant } from '../../storage/scope.ts'
import { isFinal, isInside, secondsInside } from '../bot.rules.ts'
import type { BotMinutes } from '../minutes/bot-minutes.ts'
import type { Reason } from '../reasons.rules.ts'
import { deleteBots, findBot, forgetUser, listBotsOfMeetings } from './bot.store.ts'
import type { BotTransitions, Locked } from './bot-transitions.ts'
import { askToLeave, type Step } from './transitions.rules.ts'

type Deps = {
  clock: Clock
  events: EventBus
  transitions: BotTransitions
  minutes: BotMinutes
}

/** What bots do when their meetings change: those that are not in yet follow, and those that are in stay. */
export function followMeetings({ clock, events, transitions, minutes }: Deps): void {
  events.on('meeting.changed', async (scope, { tenantId, meetingId }) => {
    const tx = inTenant(scope, tenantId)
    for (const { id } of await listBotsOfMeetings(tx, [meetingId])) {
      const locked = await transitions.lock(tx, id)
      if (locked === null || isFinal(locked.bot.status)) continue
      const step = changed(locked)
      if (step !== null) await transitions.apply(tx, locked, step)
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

  /** The bot follows at the next check: what keeps it from that, such as another bot there, is not the meeting's concern. */
  function changed({ bot, meeting }: Locked): Step | null {
    const now = clock.now()
    const over = overReason(meeting)
    if (over !== null) return askToLeave(bot, { reason: over, now })
    if (isInside(bot.status)) return null
    return { bot: { ...bot, watch: { ...bot.watch, meetingChangedAt: now.toISOString() } }, events: [] }
  }
}

/** A meeting that a person or a calendar has ended keeps no bot. */
function overReason({ status }: Meeting): Reason | null {
  if (status === 'cancelled') return 'CANCELLED'
  return status === 'completed' || status === 'failed' ? 'MEETING_ENDED' : null
}
