import { newId } from '../../kernel/ids.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import { type Meeting, type Participant, settingsDefault, ttlDaysDefault, withActivity } from './meeting.rules.ts'
import type { NewMeeting } from './meeting.schema.ts'

/** A meeting without a transcript, an address and shares. */
export function newMeeting(
  body: NewMeeting,
  { tenantId, userId, now }: { tenantId: string; userId: string; now: Date },
): Meeting {
  const { title, ttl_days: ttlDays = ttlDaysDefault, settings, participants = [] } = body
  const { scheduledAt = null, scheduledEnd = null, calendarEvent = null } = body
  return withActivity(
    {
      id: newId(now),
      tenantId,
      userId,
      title: title.trim(),
      status: 'scheduled',
      cause: null,
      ttlDays,
      settings: { ...settingsDefault, ...settings },
      participants: participants.map(toParticipant),
      orgId: null,
      visibility: 'private',
      scheduledAt: parsePlanned(scheduledAt, 'scheduledAt'),
      scheduledEnd: parsePlanned(scheduledEnd, 'scheduledEnd'),
      joinUrl: null,
      calendarEvent,
      startedAt: null,
      endedAt: null,
      lastActivityAt: now,
      expiresAt: null,
      revision: 1,
      contentRevision: 0,
      lastSeq: 0,
      entryCount: 0,
      charCount: 0,
      wordCount: 0,
      minuteCount: 0,
      createdAt: now,
      updatedAt: now,
    },
    now,
  )
}

export function toParticipant(value: string | { name: string; email?: string | null }): Participant {
  return typeof value === 'string' ? { name: value, email: null } : { name: value.name, email: value.email ?? null }
}

export function parsePlanned(value: string | null, name: 'scheduledAt' | 'scheduledEnd'): Date | null {
  return value === null ? null : parseTimestamp(value, `/body/${name}`)
}
