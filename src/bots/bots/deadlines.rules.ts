import { type Bot, isFinal, isRun, isVendor, minutesNearlyUsedAt } from '../bot.rules.ts'
import { lateMs, type Reason } from '../reasons.rules.ts'
import { askToLeave, interrupt, type Step, transition } from './transitions.rules.ts'

const queueMs = 120_000
const joinMs = 180_000
const leaveMs = 30_000
/** How long before its time a scheduled bot is sent. */
export const earlyMs = 60_000
const leaseMs = 45_000
/** How long runners and vendors have to say what happened while the service was away. */
const catchUpMs = 15_000
/** How long a suspected fault keeps a bot in a meeting that seems to be over. */
const suspectMs = 5 * 60_000

type Deadline = { at: number; pass(now: Date): Step | null }

const ms = (iso: string | null | undefined): number | null => (iso ? Date.parse(iso) : null)

/**
 * The ends of the present status, whatever a runner says or does not say. After the service was away none comes before the
 * reports that wait: the bot may be further by now.
 * @param listeningSince since when the service could hear runners: their silence before that is not theirs
 */
function deadlines(bot: Bot, listeningSince: Date): Deadline[] {
  const ends = endsOf(bot, listeningSince)
  if (bot.status === 'scheduled') return ends
  const earliest = listeningSince.getTime() + catchUpMs
  return ends.map(({ at, pass }) => ({ at: Math.max(at, earliest), pass }))
}

function endsOf(bot: Bot, listeningSince: Date): Deadline[] {
  const since = bot.statusAt.getTime()
  switch (bot.status) {
    case 'scheduled':
      return [{ at: (bot.joinAt ?? bot.createdAt).getTime() - earlyMs, pass: (now) => begin(bot, now) }]
    case 'queued':
      return [
        {
          at: since + queueMs,
          pass: (now) => interrupt(bot, { reason: isVendor(bot.provider) ? 'VENDOR_ERROR' : 'NO_RUNNER', now }),
        },
      ]
    case 'joining':
      return [
        { at: since + joinMs, pass: (now) => interrupt(bot, { reason: 'JOIN_TIMEOUT', now }) },
        ...lease(bot, listeningSince),
      ]
    case 'waiting_room':
      return [
        {
          at: since + bot.autoLeave.waitingRoomSeconds * 1000,
          pass: (now) => transition(bot, { to: 'ended', reason: 'NOT_ADMITTED', now }),
        },
        ...lease(bot, listeningSince),
      ]
    case 'in_meeting':
      return [...stays(bot), ...lease(bot, listeningSince)]
    case 'leaving':
      return [{ at: since + leaveMs, pass: (now) => leftUnconfirmed(bot, now) }]
    case 'ended':
    case 'failed':
      return []
  }
}

function begin(bot: Bot, now: Date): Step | null {
  if (now.getTime() > (bot.joinAt ?? bot.createdAt).getTime() + lateMs)
    return transition(bot, { to: 'ended', reason: 'MISSED', now })
  return transition(bot, { to: 'queued', now })
}

/** Ended, though nobody said that it is out. */
function leftUnconfirmed(bot: Bot, now: Date): Step | null {
  const reason = (bot.watch.endReason ?? 'USER_REQUEST') as Reason
  const step = transition(bot, { to: 'ended', reason, detail: 'leftUnconfirmed', now })
  return step === null ? null : { ...step, bot: { ...step.bot, watch: { ...step.bot.watch, isLeftUnconfirmed: true } } }
}

function lease(bot: Bot, listeningSince: Date): Deadline[] {
  if (!isRun(bot.provider) || bot.leasedAt === null) return []
  const heard = Math.max(bot.leasedAt.getTime(), listeningSince.getTime())
  return [
    { at: heard + leaseMs, pass: (now) => interrupt(bot, { reason: 'RUNNER_LOST', now, since: bot.leasedAt ?? now }) },
  ]
}

/** How long a bot stays in a meeting. */
function stays(bot: Bot): Deadline[] {
  const { autoLeave, watch } = bot
  const admitted = (bot.admittedAt ?? bot.statusAt).getTime()
  const here = (bot.attemptAdmittedAt ?? bot.statusAt).getTime()
  const leaving = (at: number, reason: Reason, detail: string | null = null): Deadline => ({
    at,
    pass: (now) => askToLeave(bot, { reason, detail, now }),
  })
  const suspected = ms(watch.suspectSince)
  // A page that changed may hide who is there and who speaks.
  const held = (at: number) => (suspected !== null && suspected < at ? Math.max(at, suspected + suspectMs) : at)
  const found: Deadline[] = [leaving(admitted + autoLeave.maxSeconds * 1000, 'MAX_DURATION')]
  const quotaEndsAt = ms(watch.quotaEndsAt)
  if (quotaEndsAt !== null) found.push(leaving(quotaEndsAt, 'QUOTA', watch.quotaDetail ?? null))
  if (!watch.hasSeenPeople) found.push(leaving(held(here + autoLeave.nobodyCameSeconds * 1000), 'NOBODY_CAME'))
  const alone = ms(watch.aloneSince)
  if (watch.hasSeenPeople && alone !== null) found.push(leaving(held(alone + autoLeave.aloneSeconds * 1000), 'ALONE'))
  const spoken = Math.max(ms(watch.lastSpeechAt) ?? here, here)
  const silent = Math.max(spoken + autoLeave.silenceSeconds * 1000, admitted + autoLeave.silenceAfterSeconds * 1000)
  if (watch.hasSeenPeople) found.push(leaving(held(silent), 'SILENCE'))
  return found
}

/** When the service has to look at the bot next. Null once it is over. */
export function nextDue(bot: Bot, listeningSince: Date): Date | null {
  if (isFinal(bot.status)) return null
  const ends = deadlines(bot, listeningSince).map((deadline) => deadline.at)
  const changedAt = ms(bot.watch.meetingChangedAt)
  if (changedAt !== null) ends.push(changedAt)
  const nearlyUsed = bot.status === 'in_meeting' ? minutesNearlyUsedAt(bot) : null
  if (nearlyUsed !== null) ends.push(nearlyUsed.getTime())
  return new Date(Math.min(...ends))
}

/** The first end that is over now. Null: none is. */
export function pastDue(bot: Bot, { now, listeningSince }: { now: Date; listeningSince: Date }): Step | null {
  const over = deadlines(bot, listeningSince)
    .filter(({ at }) => at <= now.getTime())
    .sort((a, b) => a.at - b.at)
  return over[0]?.pass(now) ?? null
}
