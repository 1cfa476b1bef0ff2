import type { MeetingPlatform } from '../kernel/meeting-links.ts'
import { vendors } from './vendor.rules.ts'

export const botStatuses = [
  'scheduled',
  'queued',
  'joining',
  'waiting_room',
  'in_meeting',
  'leaving',
  'ended',
  'failed',
] as const
export type BotStatus = (typeof botStatuses)[number]

export const providers = ['push', 'replay', 'runner', 'browser', ...vendors] as const
export type Provider = (typeof providers)[number]

export type BotPlatform = MeetingPlatform | 'none'

export const consentModes = ['notice', 'required'] as const
export const consentDecisions = ['agreed', 'confirmed', 'refused', 'stopped', 'forgotten'] as const
export type ConsentDecision = (typeof consentDecisions)[number]

export type Consent = {
  mode: (typeof consentModes)[number]
  message: string
  /** When the message was in the chat, or when it was known that there is no chat. Null: not yet. */
  postedAt: string | null
  /** False: the meeting has no chat, so only the name of the bot says it. */
  delivered: boolean
  decisions: { at: string; by: string; decision: ConsentDecision }[]
}

/** When a bot leaves by itself, in seconds. */
export type AutoLeave = {
  waitingRoomSeconds: number
  aloneSeconds: number
  nobodyCameSeconds: number
  silenceSeconds: number
  /** Silence counts only after this much of the meeting. */
  silenceAfterSeconds: number
  maxSeconds: number
}

export const autoLeaveDefault: AutoLeave = {
  waitingRoomSeconds: 900,
  aloneSeconds: 60,
  nobodyCameSeconds: 600,
  silenceSeconds: 600,
  silenceAfterSeconds: 1200,
  maxSeconds: 14_400,
}

export const chatAnswerModes = ['none', 'mention'] as const

export type Gap = { from: string; to: string | null; cause: string }

/** What the service watches while a bot is in its meeting. Times are ISO 8601. */
export type Watch = {
  /** Since when nobody but bots is there. */
  aloneSince?: string | null
  hasSeenPeople?: boolean
  lastSpeechAt?: string | null
  lastEntryAt?: string | null
  /** Since when the page seems broken. */
  suspectSince?: string | null
  /** Minutes that were taken from the quota, each with the time it was taken. */
  reserved?: { at: string; minutes: number }[]
  /** A quota is used up: when the bot leaves. */
  quotaEndsAt?: string | null
  /** Which quota, where it is not that of its minutes. */
  quotaDetail?: string | null
  /** The reason with which a bot that is leaving ends. */
  endReason?: string | null
  /** The bot has started its meeting, and may complete it. */
  hasBegunMeeting?: boolean
  /** Seconds of the attempts before this one. */
  earlierSeconds?: number
  isLeftUnconfirmed?: boolean
  /** The epoch of the program that claimed it: a later start of the runner has no browser in its meeting. */
  claimEpoch?: number
  /** A policy sent it, and no person. */
  isByCalendar?: boolean
  /** When the meeting was changed, until the bot has followed. */
  meetingChangedAt?: string | null
}

export type Bot = {
  id: string
  tenantId: string
  meetingId: string
  orgId: string | null
  ownerId: string
  requestedBy: string | null
  requesters: string[]
  platform: BotPlatform
  provider: Provider
  room: string
  startKey: string
  displayName: string
  status: BotStatus
  reason: string | null
  detail: string | null
  joinAt: Date | null
  autoLeave: AutoLeave
  consent: Consent
  chatAnswers: (typeof chatAnswerModes)[number]
  speed: number
  attempt: number
  statusAt: Date
  dueAt: Date | null
  admittedAt: Date | null
  attemptAdmittedAt: Date | null
  leftAt: Date | null
  seconds: number
  gaps: Gap[]
  health: 'ok' | 'deaf' | null
  runnerId: string | null
  lease: number
  leasedAt: Date | null
  entriesSeq: number
  eventsSeq: number
  watch: Watch
  createdAt: Date
  endedAt: Date | null
  revision: number
}

export const isFinal = (status: BotStatus): boolean => status === 'ended' || status === 'failed'

/** In the meeting, or on its way out of it. */
export const isInside = (status: BotStatus): boolean => status === 'in_meeting' || status === 'leaving'

/** Whether somebody outside runs it, and holds a lease. */
export const isRun = (provider: Provider): boolean => provider === 'runner' || provider === 'browser'

/** Whether an outside service sends it. */
export const isVendor = (provider: Provider): provider is (typeof vendors)[number] =>
  (vendors as readonly Provider[]).includes(provider)

/** Whether what is said may be kept now. */
export function isTranscribing({ status, consent }: Pick<Bot, 'status' | 'consent'>): boolean {
  if (!isInside(status) || consent.postedAt === null) return false
  const decisions = consent.decisions.map(({ decision }) => decision)
  if (decisions.some((decision) => ['refused', 'stopped', 'forgotten'].includes(decision))) return false
  return consent.mode === 'notice' || decisions.some((decision) => ['agreed', 'confirmed'].includes(decision))
}

/** The seconds between admission and leaving, of all attempts. */
export function secondsInside(bot: Pick<Bot, 'attemptAdmittedAt' | 'watch'>, until: Date): number {
  const earlier = bot.watch.earlierSeconds ?? 0
  if (bot.attemptAdmittedAt === null) return earlier
  return earlier + Math.max(0, Math.round((until.getTime() - bot.attemptAdmittedAt.getTime()) / 1000))
}

/** When a bot that is in its meeting needs more minutes: half a minute before the reserved ones are used. Null: never. */
export function minutesNearlyUsedAt({
  attemptAdmittedAt,
  watch,
}: Pick<Bot, 'attemptAdmittedAt' | 'watch'>): Date | null {
  if (attemptAdmittedAt === null || watch.quotaEndsAt) return null
  const reserved = (watch.reserved ?? []).reduce((sum, { minutes }) => sum + minutes, 0)
  return new Date(attemptAdmittedAt.getTime() + (reserved * 60 - 30 - (watch.earlierSeconds ?? 0)) * 1000)
}
