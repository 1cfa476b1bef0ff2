import { type Bot, type BotStatus, botStatuses, isFinal } from '../bot.rules.ts'
import { interrupt, refusedTransition, type Step, transition } from '../bots/transitions.rules.ts'
import { isEndReason, isFailReason, type Reason } from '../reasons.rules.ts'

/** Ordinary outcomes that only the meeting decides. All others are the service's own. */
const reportable: Reason[] = ['MEETING_ENDED', 'NOT_ADMITTED', 'DENIED', 'REMOVED']

type Reported = { status: string; reason: string | null; detail: string | null }

/** Whether this is the runner's bot, under this lease: reports of an older one are those of a ghost. */
export function isHeldBy(bot: Bot, { runnerId, lease }: { runnerId: string; lease: number }): boolean {
  return bot.runnerId === runnerId && bot.lease === lease && !isFinal(bot.status) && bot.status !== 'queued'
}

/** False for an event that was reported before, or that a later one has overtaken. */
export const isNews = ({ eventsSeq }: Bot, seq: number): boolean => seq > eventsSeq

/** The status that a runner reports. What is not allowed changes nothing, and is kept as an event. */
export function reportedStatus(bot: Bot, { status, reason, detail }: Reported, now: Date): Step {
  const to = botStatuses.find((known) => known === status)
  if (to === undefined || to === bot.status) return { bot, events: [] }
  const step = stepTo(bot, { to, reason, detail, now })
  if (step !== null) return step
  const known = reason !== null && (isEndReason(reason) || isFailReason(reason)) ? reason : null
  return { bot, events: [refusedTransition(bot, { to, reason: known, detail, now })] }
}

function stepTo(
  bot: Bot,
  { to, reason, detail, now }: { to: BotStatus; reason: string | null; detail: string | null; now: Date },
): Step | null {
  if (to === 'ended') return ended(bot, { reason, detail, now })
  if (to === 'failed') return reason !== null && isFailReason(reason) ? interrupt(bot, { reason, detail, now }) : null
  // Only the service sends a bot on its way, or back.
  if (to === 'scheduled' || to === 'queued' || to === 'joining') return null
  if (to === 'leaving')
    return transition(bot, { to, reason: reason === 'REMOVED' ? 'REMOVED' : 'MEETING_ENDED', detail, now })
  return transition(bot, { to, detail, now })
}

function ended(
  bot: Bot,
  { reason, detail, now }: { reason: string | null; detail: string | null; now: Date },
): Step | null {
  const asked = bot.watch.endReason as Reason | undefined
  if (bot.status === 'leaving' && asked) return transition(bot, { to: 'ended', reason: asked, detail, now })
  const told = reportable.find((known) => known === reason)
  return told === undefined ? null : transition(bot, { to: 'ended', reason: told, detail, now })
}

/** It is out, and nobody was told why it should be: the page closed. */
export function reportedLeft(bot: Bot, now: Date): Step {
  return reportedStatus(bot, { status: 'ended', reason: bot.watch.endReason ?? 'MEETING_ENDED', detail: null }, now)
}
