import type { BotStatus } from './bot.rules.ts'

/** Ordinary outcomes. */
export const endReasons = [
  'MEETING_ENDED',
  'ALONE',
  'NOBODY_CAME',
  'SILENCE',
  'MAX_DURATION',
  'NOT_ADMITTED',
  'DENIED',
  'REMOVED',
  'USER_REQUEST',
  'CONSENT_REFUSED',
  'QUOTA',
  'KILLED',
  'MISSED',
  'CANCELLED',
] as const
export type EndReason = (typeof endReasons)[number]

/** What broke. */
export const failReasons = [
  'NO_RUNNER',
  'JOIN_TIMEOUT',
  'RUNNER_LOST',
  'PAGE_CHANGED',
  'BLOCKED',
  'LOGIN_REQUIRED',
  'NOT_FOUND',
  'HOST_TOKEN_REQUIRED',
  'VENDOR_ERROR',
] as const
export type FailReason = (typeof failReasons)[number]

export type Reason = EndReason | FailReason

export const isEndReason = (reason: string): reason is EndReason => (endReasons as readonly string[]).includes(reason)
export const isFailReason = (reason: string): reason is FailReason =>
  (failReasons as readonly string[]).includes(reason)

/**
 * Whether the service sends the bot again by itself after a reason: before it was admitted, and after. Whoever ended,
 * refused or was served is never visited again without a person who asks. A captcha, a sign-in and a host's token need a
 * person, too. NO_RUNNER has been waited for long enough.
 */
export const retryable: Record<Reason, { before: boolean; after: boolean }> = {
  ...Object.fromEntries(endReasons.map((reason) => [reason, { before: false, after: false }])),
  NO_RUNNER: { before: false, after: false },
  JOIN_TIMEOUT: { before: true, after: false },
  RUNNER_LOST: { before: true, after: true },
  PAGE_CHANGED: { before: true, after: false },
  BLOCKED: { before: false, after: false },
  LOGIN_REQUIRED: { before: false, after: false },
  NOT_FOUND: { before: true, after: false },
  HOST_TOKEN_REQUIRED: { before: false, after: false },
  VENDOR_ERROR: { before: true, after: false },
} as Record<Reason, { before: boolean; after: boolean }>

export const attemptsMax = 3
/** A bot that is lost in its meeting comes back more often: a node of the runner's machine may be restarted in turn. */
export const attemptsInsideMax = 10
export const lateMs = 10 * 60_000

/** The statuses that may follow each status. What is not listed is refused. */
export const transitions: Record<BotStatus, readonly BotStatus[]> = {
  scheduled: ['queued', 'ended'],
  queued: ['scheduled', 'joining', 'ended', 'failed'],
  joining: ['scheduled', 'waiting_room', 'in_meeting', 'queued', 'leaving', 'ended', 'failed'],
  waiting_room: ['scheduled', 'in_meeting', 'queued', 'leaving', 'ended', 'failed'],
  in_meeting: ['queued', 'leaving', 'ended', 'failed'],
  leaving: ['ended', 'failed'],
  ended: [],
  failed: [],
}
