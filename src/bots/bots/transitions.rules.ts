import { type Bot, type BotStatus, type Gap, isFinal, isInside, secondsInside } from '../bot.rules.ts'
import { attemptsInsideMax, attemptsMax, lateMs, type Reason, retryable, transitions } from '../reasons.rules.ts'

export type BotEvent = {
  at: Date
  type: 'status' | 'refused' | 'consent' | 'gap' | 'health' | 'command' | 'calendar' | 'vendor'
  from: string | null
  to: string | null
  reason: string | null
  detail: string | null
}

/** A bot after a change, and what is to be remembered of it. */
export type Step = { bot: Bot; events: BotEvent[] }

export type Transition = { to: BotStatus; reason?: Reason | null; detail?: string | null; now: Date }

/** Null where the status does not allow the transition. */
export function transition(bot: Bot, { to, reason = null, detail = null, now }: Transition): Step | null {
  if (!transitions[bot.status].includes(to)) return null
  const at = now < bot.statusAt ? bot.statusAt : now
  // A bot that leaves for a reason has ended for it.
  const kept = bot.status === 'leaving' && reason === bot.reason ? bot.detail : null
  const next: Bot = { ...bot, status: to, reason, detail: detail ?? kept, statusAt: at, watch: { ...bot.watch } }
  if (to === 'in_meeting') admit(next, at)
  if (to === 'leaving') next.watch.endReason = reason
  if (isInside(bot.status) && !isInside(to)) leave(next, at)
  if (to === 'queued') Object.assign(next, { runnerId: null, leasedAt: null, health: null })
  if (isFinal(to)) Object.assign(next, { endedAt: at, dueAt: null, gaps: closed(next.gaps, at) })
  return { bot: next, events: [{ at, type: 'status', from: bot.status, to, reason, detail }] }
}

function admit(bot: Bot, at: Date): void {
  bot.admittedAt ??= at
  bot.attemptAdmittedAt = at
  bot.gaps = closed(bot.gaps, at)
  const { earlierSeconds, reserved, hasBegunMeeting, hasSeenPeople, claimEpoch } = bot.watch
  bot.watch = Object.fromEntries(
    Object.entries({ earlierSeconds, reserved, hasBegunMeeting, hasSeenPeople, claimEpoch }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

/** A gap ends when the bot is back, or when there are no more attempts. */
const closed = (gaps: Gap[], at: Date): Gap[] =>
  gaps.map((gap) => (gap.to === null ? { ...gap, to: at.toISOString() } : gap))

function leave(bot: Bot, at: Date): void {
  bot.seconds = secondsInside(bot, at)
  bot.watch.earlierSeconds = bot.seconds
  bot.attemptAdmittedAt = null
  bot.leftAt = at
}

/**
 * Something broke: the bot tries again where the table says so, and fails otherwise. A gap in the transcript begins if it
 * was inside.
 */
export function interrupt(
  bot: Bot,
  { reason, detail = null, now, since = now }: { reason: Reason; detail?: string | null; now: Date; since?: Date },
): Step | null {
  const wasInside = bot.status === 'in_meeting'
  const wasAdmitted = bot.admittedAt !== null
  const isRetryable = retryable[reason][wasAdmitted ? 'after' : 'before']
  const isEarly = now.getTime() <= (bot.joinAt ?? bot.createdAt).getTime() + lateMs
  const mayRetry = isRetryable && (wasAdmitted ? bot.attempt < attemptsInsideMax : bot.attempt < attemptsMax && isEarly)
  const step = transition(bot, { to: mayRetry ? 'queued' : 'failed', reason, detail, now })
  if (step === null) return null
  if (!wasInside) return mayRetry ? again(step) : step
  // The meeting went on without it from the last sign of life.
  const from = since < now ? since : now
  const seconds = secondsInside({ attemptAdmittedAt: bot.attemptAdmittedAt, watch: bot.watch }, from)
  const gap = { from: from.toISOString(), to: mayRetry ? null : now.toISOString(), cause: reason }
  const lost: Bot = {
    ...step.bot,
    gaps: [...bot.gaps, gap],
    seconds,
    watch: { ...step.bot.watch, earlierSeconds: seconds },
    leftAt: from,
  }
  const events: BotEvent[] = [...step.events, { at: now, type: 'gap', from: gap.from, to: null, reason, detail: null }]
  return mayRetry ? again({ bot: lost, events }) : { bot: lost, events }
}

function again({ bot, events }: Step): Step {
  return { bot: { ...bot, attempt: bot.attempt + 1, entriesSeq: -1, eventsSeq: -1 }, events }
}

/** The bot is asked to go: at once where it is nowhere yet, else it leaves properly. */
export function askToLeave(
  bot: Bot,
  { reason, detail = null, now }: { reason: Reason; detail?: string | null; now: Date },
): Step | null {
  if (isFinal(bot.status) || bot.status === 'leaving') return null
  return transition(bot, { to: bot.status === 'in_meeting' ? 'leaving' : 'ended', reason, detail, now })
}

/** A transition that was reported and is not allowed: kept as an event. */
export function refusedTransition(bot: Bot, { to, reason = null, detail = null, now }: Transition): BotEvent {
  return { at: now, type: 'refused', from: bot.status, to, reason, detail }
}
