import { createHash } from 'node:crypto'
import type { Occurrence } from '../../icalendar/series.ts'
import { type MeetingHosts, readMeetingLink } from '../../kernel/meeting-links.ts'
import type { SealedColumn } from '../../storage/sealed-column.ts'

/** As far ahead meetings are planned. */
export const aheadMs = 60 * 24 * 3600_000
export const occurrencesMax = 50

/** An occurrence and its meeting, as they were planned last. */
export type KnownMeeting = {
  /** The original start; empty: it does not recur. */
  occurrence: string
  meetingId: string
  fingerprint: string
  isGone: boolean
  endsAt: Date
}

export type Plan = {
  create: Occurrence[]
  /** Those whose meeting changes, perhaps from another occurrence. */
  follow: { known: KnownMeeting; occurrence: Occurrence }[]
  cancel: KnownMeeting[]
}

export const occurrenceKey = ({ recurrenceId }: Occurrence): string => recurrenceId ?? ''

/**
 * What to do with the meetings of an invitation. Where a series moves to other days, its meetings move with it in order, so that they
 * keep what people wrote in them. What is over stays.
 */
export function planMeetings(known: readonly KnownMeeting[], wanted: readonly Occurrence[], now: Date): Plan {
  const live = new Map(known.filter(({ isGone }) => !isGone).map((it) => [it.occurrence, it]))
  const isKnown = (occurrence: Occurrence) => live.has(occurrenceKey(occurrence))
  const keys = new Set(wanted.map(occurrenceKey))
  const left = [...live.values()]
    .filter(({ occurrence, endsAt }) => !keys.has(occurrence) && endsAt > now)
    .sort((a, b) => (a.occurrence < b.occurrence ? -1 : 1))
  const added = wanted.filter((occurrence) => !isKnown(occurrence))
  const moved = added
    .slice(0, left.length)
    .map((occurrence, index) => ({ known: left[index] as KnownMeeting, occurrence }))
  const changed = wanted.flatMap((occurrence) => {
    const it = live.get(occurrenceKey(occurrence))
    return it !== undefined && it.fingerprint !== fingerprintOf(occurrence) ? [{ known: it, occurrence }] : []
  })
  return { create: added.slice(moved.length), follow: [...changed, ...moved], cancel: left.slice(moved.length) }
}

/** Equal while nothing changed that a meeting follows, so that what people changed on a meeting stays. */
export function fingerprintOf({ startAt, endAt, event: { title, links, wordLinks } }: Occurrence): string {
  return createHash('sha256')
    .update(JSON.stringify([title, startAt, endAt, links, wordLinks]))
    .digest('base64url')
}

const titleMax = 200

/** One line that a meeting can have as its title. */
export function meetingTitle(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const short = line.slice(0, titleMax).toWellFormed().trim()
  return /[^\p{Cf}\s]/u.test(short) ? short : 'Meeting'
}

/** A page that we know to be a meeting goes before any other address. Words of a description hold addresses of all kinds. */
export function joinUrlOf({ links, wordLinks }: Occurrence['event'], hosts: MeetingHosts): string | null {
  const read = links.flatMap((link) => readMeetingLink(link, hosts) ?? [])
  const inWords = wordLinks.flatMap((link) => readMeetingLink(link, hosts) ?? [])
  const known = [...read, ...inWords].find(({ platform }) => platform !== null)
  return (known ?? read[0])?.url ?? null
}

/** What the sender has to do with it: who sends an invitation as its organizer comes. */
export function attendanceOf({ organizer, attendees }: Occurrence['event'], sender: string) {
  const isOrganizer = organizer === sender
  const status = attendees.find(({ address }) => address === sender)?.status ?? ''
  const response = isOrganizer || status === 'ACCEPTED' ? 'accepted' : status === 'DECLINED' ? 'declined' : 'open'
  const people = new Set([...attendees.map(({ address }) => address), ...(organizer === null ? [] : [organizer])])
  return { isOrganizer, response, participants: Math.max(1, people.size) } as const
}

export const uidHash = (uid: string): Buffer => createHash('sha256').update(uid).digest()

export const seriesContext = ({ tenantId, id }: { tenantId: string; id: string }): string =>
  `mail-invitations:${tenantId}:${id}`

export const sealedInvitations: SealedColumn = {
  table: 'mail_invitations',
  column: 'series_sealed',
  owner: ['tenant_id', 'id'],
  context: ([tenantId = '', id = '']) => seriesContext({ tenantId, id }),
}
