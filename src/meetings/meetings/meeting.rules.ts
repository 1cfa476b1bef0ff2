import type { CalendarEvent } from './meeting-place.rules.ts'
import type { MeetingAccess, Share, Visibility } from './sharing.rules.ts'

export const meetingStatuses = ['scheduled', 'active', 'completed', 'cancelled', 'failed'] as const
export type MeetingStatus = (typeof meetingStatuses)[number]

export const summaryModes = ['short', 'detailed'] as const
export type SummaryMode = (typeof summaryModes)[number]

export const personalityNames = ['neutral', 'supportive', 'challenger', 'analyst', 'coach'] as const
export type PersonalityName = (typeof personalityNames)[number]

export type Settings = { personality: PersonalityName; summaryMode: SummaryMode }

/** Of a meeting whose creator chose nothing. */
export const settingsDefault: Settings = { personality: 'neutral', summaryMode: 'short' }
export const ttlDaysDefault = 90

/** Why a meeting was cancelled. `MISSED`: its time in a calendar is over, and nobody held it. */
export const cancelCauses = ['MISSED'] as const
export type CancelCause = (typeof cancelCauses)[number]

export type Participant = { name: string; email: string | null }

export type Meeting = {
  id: string
  tenantId: string
  userId: string
  title: string
  status: MeetingStatus
  /** Only of a cancelled meeting; null: a person or a calendar cancelled it. */
  cause: CancelCause | null
  /** Null: kept until somebody deletes it. */
  ttlDays: number | null
  settings: Settings
  participants: Participant[]
  orgId: string | null
  visibility: Visibility
  scheduledAt: Date | null
  scheduledEnd: Date | null
  /** The link for joining, without passcodes. The whole address is sealed in the same row. */
  joinUrl: string | null
  calendarEvent: CalendarEvent | null
  startedAt: Date | null
  endedAt: Date | null
  lastActivityAt: Date
  expiresAt: Date | null
  /** Counts every change. */
  revision: number
  /**
   * Counts the changes of the transcript. What is made from the transcript alone is made again when this has changed.
   */
  contentRevision: number
  /** The last number given to an entry or to its replacement. */
  lastSeq: number
  entryCount: number
  charCount: number
  wordCount: number
  /** The length of the transcript in begun minutes: up to the latest offset that an entry has ever had. */
  minuteCount: number
  createdAt: Date
  updatedAt: Date
}

/** A meeting as one of its readers sees it. `sharedWith` is for the owner alone, and null for others. */
export type MeetingForUser = Meeting & { access: MeetingAccess; sharedWith: Share[] | null }

/**
 * Events of a meeting. `speak`: an entry arrives live. `import`: a transcript file arrives, perhaps after the meeting.
 */
export type MeetingEvent = 'start' | 'speak' | 'import' | 'end' | 'cancel' | 'fail'

/** The status after each event. Events that are not listed are not allowed. */
const transitions: Record<MeetingStatus, Partial<Record<MeetingEvent, MeetingStatus>>> = {
  scheduled: { start: 'active', speak: 'active', import: 'active', cancel: 'cancelled' },
  active: { start: 'active', speak: 'active', import: 'active', end: 'completed', cancel: 'cancelled', fail: 'failed' },
  completed: { import: 'completed', end: 'completed' },
  cancelled: { cancel: 'cancelled' },
  failed: { import: 'failed', fail: 'failed' },
}

/**
 * Whether a meeting has words, or had entries before all were erased. Then limits of words do not end it: what is said in it
 * later is never lost. An entry without a word begins nothing.
 */
export function hasBegun({
  status,
  wordCount,
  entryCount,
  lastSeq,
}: Pick<Meeting, 'status' | 'wordCount' | 'entryCount' | 'lastSeq'>): boolean {
  const isErased = entryCount === 0 && lastSeq > 0
  return status !== 'scheduled' && (wordCount > 0 || isErased)
}

/** Null where the status does not allow the event. */
export function nextStatus(status: MeetingStatus, event: MeetingEvent): MeetingStatus | null {
  return transitions[status][event] ?? null
}

/** The statuses in which an event is allowed, for error messages. */
export function allowedStatuses(event: MeetingEvent): MeetingStatus[] {
  return meetingStatuses.filter((status) => nextStatus(status, event) !== null)
}

const dayMs = 24 * 3600 * 1000

/** Counted from the last activity, but not from before the planned time of the meeting. */
export function expiryDate({
  ttlDays,
  lastActivityAt,
  scheduledAt,
}: Pick<Meeting, 'ttlDays' | 'lastActivityAt' | 'scheduledAt'>): Date | null {
  if (ttlDays === null) return null
  const from = Math.max(lastActivityAt.getTime(), scheduledAt?.getTime() ?? 0)
  return new Date(from + ttlDays * dayMs)
}

/** The meeting after an event, or null where its status does not allow the event. */
export function applyEvent(meeting: Meeting, event: MeetingEvent, now: Date): Meeting | null {
  const status = nextStatus(meeting.status, event)
  if (status === null) return null
  const isStarting = meeting.status === 'scheduled' && status === 'active'
  const isEnding = meeting.status !== status && status !== 'active'
  return withActivity(
    {
      ...meeting,
      status,
      startedAt: isStarting ? now : meeting.startedAt,
      endedAt: isEnding ? now : meeting.endedAt,
    },
    now,
  )
}

/** The meeting with activity now, which restarts its retention period. */
export function withActivity(meeting: Meeting, now: Date): Meeting {
  // Clocks of nodes differ a little, so the last activity never moves back.
  const lastActivityAt = now > meeting.lastActivityAt ? now : meeting.lastActivityAt
  return {
    ...meeting,
    lastActivityAt,
    expiresAt: expiryDate({ ...meeting, lastActivityAt }),
    updatedAt: lastActivityAt,
  }
}
