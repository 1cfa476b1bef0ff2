import { isoOrNull } from '../../kernel/schemas.ts'
import { entryView } from '../entries/entry.schema.ts'
import type { EntryPage } from '../entries/entry.store.ts'
import type { MeetingForUser } from './meeting.rules.ts'
import type { MeetingAnswer } from './meeting.schema.ts'

export function meetingView(meeting: MeetingForUser): MeetingAnswer {
  return {
    id: meeting.id,
    title: meeting.title,
    status: meeting.status,
    cause: meeting.cause,
    ttl_days: meeting.ttlDays,
    settings: meeting.settings,
    participants: meeting.participants,
    ownerId: meeting.userId,
    orgId: meeting.orgId,
    visibility: meeting.visibility,
    sharedWith: meeting.sharedWith,
    access: meeting.access,
    entryCount: meeting.entryCount,
    wordCount: meeting.wordCount,
    createdAt: meeting.createdAt.toISOString(),
    updatedAt: meeting.updatedAt.toISOString(),
    scheduledAt: isoOrNull(meeting.scheduledAt),
    scheduledEnd: isoOrNull(meeting.scheduledEnd),
    joinUrl: meeting.joinUrl,
    calendarEvent: meeting.calendarEvent,
    startedAt: isoOrNull(meeting.startedAt),
    endedAt: isoOrNull(meeting.endedAt),
    expiresAt: isoOrNull(meeting.expiresAt),
    revision: meeting.revision,
  }
}

export function meetingWithTranscript(meeting: MeetingForUser, { entries, hasMore }: EntryPage) {
  return { ...meetingView(meeting), transcript: entries.map(entryView), transcriptTruncated: hasMore }
}
