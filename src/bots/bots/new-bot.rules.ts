import { invalidField } from '../../kernel/refusal.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import type { Bot } from '../bot.rules.ts'
import { lateMs } from '../reasons.rules.ts'
import type { BotChange } from './bot.schema.ts'
import { botName, consentText } from './consent.rules.ts'

/** Refuses with VALIDATION_ERROR a time at which the bot would be MISSED. */
export function readJoinAt(text: string, now: Date): Date {
  const joinAt = parseTimestamp(text, '/body/joinAt')
  if (joinAt.getTime() < now.getTime() - lateMs)
    throw invalidField('/body/joinAt', { code: 'minimum', message: 'is more than 10 minutes ago' })
  return joinAt
}

/** What a change says about consent, applied to a bot that is scheduled. */
export function changedBot(bot: Bot, body: BotChange): Bot {
  const displayName = body.displayName === undefined ? bot.displayName : botName(body.displayName)
  const mode = body.consentMode ?? bot.consent.mode
  const given =
    body.consentMessage ??
    (body.consentMode === undefined && body.displayName === undefined ? bot.consent.message : null)
  return {
    ...bot,
    displayName,
    autoLeave: { ...bot.autoLeave, ...body.autoLeave },
    chatAnswers: body.chatAnswers ?? bot.chatAnswers,
    consent: { ...bot.consent, mode, message: consentText({ given, displayName, mode }) },
  }
}

/** What every new bot begins with. */
export function blankBot(now: Date) {
  return {
    status: 'scheduled' as const,
    reason: null,
    detail: null,
    attempt: 1,
    statusAt: now,
    dueAt: null,
    admittedAt: null,
    attemptAdmittedAt: null,
    leftAt: null,
    seconds: 0,
    gaps: [],
    health: null,
    runnerId: null,
    lease: 0,
    leasedAt: null,
    entriesSeq: -1,
    eventsSeq: -1,
    watch: {},
    createdAt: now,
    endedAt: null,
    revision: 1,
  }
}
