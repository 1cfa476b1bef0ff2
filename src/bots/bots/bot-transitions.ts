import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { BotMeetings, Meeting } from '../../meetings/index.ts'
import type { EventBus } from '../../storage/events.ts'
import type { FanOut } from '../../storage/fan-out.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { type Bot, isFinal } from '../bot.rules.ts'
import { insertCommand } from '../command-queue/command.store.ts'
import type { BotMinutes } from '../minutes/bot-minutes.ts'
import { deleteScript } from '../providers/replay.store.ts'
import { deleteOldestEvents, findBot, insertEvents, lockBot, saveBot } from './bot.store.ts'
import { nextDue } from './deadlines.rules.ts'
import type { Listening } from './listening.ts'
import type { Step } from './transitions.rules.ts'

export type TransitionDeps = {
  clock: Clock
  events: EventBus
  fanOut: FanOut
  meetings: BotMeetings
  minutes: BotMinutes
  listening: Listening
  countOutcome(bot: Bot): void
}

export type Locked = { bot: Bot; meeting: Meeting }

export type BotTransitions = ReturnType<typeof botTransitions>

/** Runners that wait for work. */
export const workChannel = 'bots.work'

/** Changes of bots, each with everything that follows from it, in one transaction. */
export function botTransitions({ clock, events, fanOut, meetings, minutes, listening, countOutcome }: TransitionDeps) {
  /** The bot and its meeting, locked in this order until the transaction ends. Null: there is no such bot. */
  async function lock(tx: TenantScope, id: string): Promise<Locked | null> {
    const found = await findBot(tx, id)
    if (found === null) return null
    const meeting = await meetings.lock(tx, found.meetingId)
    const bot = await lockBot(tx, id)
    return bot === null ? null : { bot, meeting }
  }

  /** Writes what has changed, and lets follow what follows from a new status. */
  async function apply(
    tx: TenantScope,
    { bot: before }: Pick<Locked, 'bot'>,
    { bot: after, events: news }: Step,
  ): Promise<Bot> {
    let bot = after
    if (bot.status !== before.status || bot.attempt !== before.attempt) bot = await entered(tx, before, bot)
    bot = await saveBot(tx, { ...bot, dueAt: nextDue(bot, listening.since()) })
    await insertEvents(tx, bot.id, news)
    if (news.length > 0) await deleteOldestEvents(tx, bot.id)
    const completes = bot.status === 'ended' && before.status !== 'ended' && bot.watch.hasBegunMeeting
    if (completes && ['MEETING_ENDED', 'ALONE', 'SILENCE'].includes(bot.reason ?? ''))
      await meetings.change(tx, await meetings.lock(tx, bot.meetingId), 'end')
    // What was said concerns no runner that waits for work.
    if (bot.status !== before.status || bot.lease !== before.lease)
      tx.handle.afterCommit(() => fanOut.publish(workChannel, bot.id))
    return bot
  }

  async function entered(tx: TenantScope, before: Bot, bot: Bot): Promise<Bot> {
    const news = { tenantId: tx.tenantId, botId: bot.id, meetingId: bot.meetingId }
    let next = bot
    if (bot.status === 'waiting_room') await events.emit(tx, 'bot.waiting', news)
    if (bot.status === 'in_meeting') {
      next = await began(tx, next)
      await events.emit(tx, 'bot.joined', news)
    }
    if (bot.status === 'leaving') await command(tx, bot, { kind: leaveCommand(bot), reason: bot.reason })
    if (!isFinal(bot.status)) return next
    // Where it is known to a runner, that one has to withdraw from the waiting room, or from the call.
    if (before.runnerId !== null && before.status !== 'leaving')
      await command(tx, bot, { kind: leaveCommand(bot), reason: bot.reason })
    if (bot.provider === 'replay') await deleteScript(tx, bot.id)
    next = await minutes.settle(tx, next)
    const reason = bot.reason ?? 'USER_REQUEST'
    await events.emit(tx, bot.status === 'failed' ? 'bot.failed' : 'bot.left', { ...news, reason })
    tx.handle.afterCommit(() => countOutcome(next))
    return next
  }

  /** The meeting begins with its bot. Where a limit leaves no words for it, the bot leaves instead. */
  async function began(tx: TenantScope, bot: Bot): Promise<Bot> {
    // What was kept before in this transaction has changed the meeting.
    const meeting = await meetings.lock(tx, bot.meetingId)
    const quotaDetail = await meetings.wordsExceeded(tx, meeting)
    if (quotaDetail !== null)
      return { ...bot, watch: { ...bot.watch, quotaEndsAt: clock.now().toISOString(), quotaDetail } }
    const hasBegun = await meetings.change(tx, meeting, 'start')
    return hasBegun ? { ...bot, watch: { ...bot.watch, hasBegunMeeting: true } } : bot
  }

  async function command(
    tx: TenantScope,
    bot: Bot,
    {
      kind,
      reason = null,
      text = null,
      byUser = null,
    }: { kind: 'leave' | 'message' | 'stop'; reason?: string | null; text?: string | null; byUser?: string | null },
  ): Promise<void> {
    const now = clock.now()
    await insertCommand(tx, { botId: bot.id, id: newId(now), kind, reason, text, byUser, createdAt: now })
    tx.handle.afterCommit(() => fanOut.publish(workChannel, bot.id))
  }

  /** Locks a bot, and applies what `work` makes of it. Null from `work`: nothing changes. Null: there is no such bot. */
  const change = (
    scope: TenantScope,
    id: string,
    work: (locked: Locked, tx: TenantScope) => Promise<Step | null> | Step | null,
  ): Promise<Bot | null> =>
    transaction(scope, async (tx) => {
      const locked = await lock(tx, id)
      if (locked === null) return null
      const step = await work(locked, tx)
      return step === null ? locked.bot : apply(tx, locked, step)
    })

  /** It is in the meeting, and hears nothing. */
  const degraded = (tx: TenantScope, bot: Bot): Promise<void> =>
    events.emit(tx, 'bot.degraded', { tenantId: tx.tenantId, botId: bot.id, meetingId: bot.meetingId })

  return { lock, apply, command, change, degraded }
}

/** Where a participant refused, the runner leaves without finishing what it still hears. */
const leaveCommand = ({ reason }: Bot) => (reason === 'CONSENT_REFUSED' ? 'stop' : 'leave')
