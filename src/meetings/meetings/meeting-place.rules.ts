import { type MeetingHosts, type MeetingLink, readMeetingLink } from '../../kernel/meeting-links.ts'
import { invalidField } from '../../kernel/refusal.ts'

/** The event of a calendar that a meeting stands for, named as in iCalendar (RFC 5545). */
export type CalendarEvent = {
  /** UID: the same in the calendars of all who were invited. */
  uid: string
  /** RECURRENCE-ID: which one of a series, by the start that was first planned. Null: it does not recur. */
  occurrence: string | null
}

/** Refuses with VALIDATION_ERROR what is no address of a page to join at. */
export function readJoinUrl(text: string, hosts: MeetingHosts): MeetingLink {
  const link = readMeetingLink(text, hosts)
  if (link !== null) return link
  throw invalidField('/body/joinUrl', {
    code: 'format',
    message: 'must be an https address of at most 2048 characters, without a user name',
  })
}

/** Refuses with VALIDATION_ERROR an end without a start before it. */
export function requireEndAfterStart({
  scheduledAt,
  scheduledEnd,
}: {
  scheduledAt: Date | null
  scheduledEnd: Date | null
}): void {
  if (scheduledEnd === null || (scheduledAt !== null && scheduledEnd > scheduledAt)) return
  throw invalidField('/body/scheduledEnd', { code: 'exclusiveMinimum', message: 'must be after scheduledAt' })
}
