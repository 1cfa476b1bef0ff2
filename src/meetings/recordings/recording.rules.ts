import { type MeetingHosts, readMeetingLink } from '../../kernel/meeting-links.ts'
import { type NewEntry, offsetSecondsMax } from '../entries/entry.rules.ts'

/** A meeting as the service that recorded it knows it. */
export type Recorded = {
  /** The provider's id of the transcript. */
  key: string
  title: string
  joinUrl: string | null
  startAt: Date
  endAt: Date | null
}

/** A meeting that a recording may be of. `startAt`, `endAt`: as planned, else as held. */
export type Candidate = { id: string; title: string; joinUrl: string | null; startAt: Date; endAt: Date | null }

const slackMs = 30 * 60_000
const keyPrefix = 'recording:'
const keyLengthMax = 160

/** The meeting with the same link and time; else the one with the same title that began within 30 minutes. Null: none. */
export function recordedMeeting(
  recorded: Recorded,
  candidates: readonly Candidate[],
  hosts: MeetingHosts,
): Candidate | null {
  const distance = ({ startAt }: Candidate) => Math.abs(startAt.getTime() - recorded.startAt.getTime())
  const nearest = (some: Candidate[]) => some.sort((one, other) => distance(one) - distance(other))[0] ?? null
  const room = roomOf(recorded.joinUrl, hosts)
  const sameLink = candidates.filter((it) => room !== null && roomOf(it.joinUrl, hosts) === room)
  const sameTitle = candidates.filter((it) => titleOf(it) === titleOf(recorded) && distance(it) <= slackMs)
  return nearest(sameLink.filter((it) => isDuring(recorded, it))) ?? nearest(sameTitle)
}

/** Series and personal rooms have the same link again and again. */
function isDuring({ startAt }: Recorded, { startAt: from, endAt: until }: Candidate): boolean {
  const end = Math.max(from.getTime(), until?.getTime() ?? 0)
  return startAt.getTime() >= from.getTime() - slackMs && startAt.getTime() <= end + slackMs
}

function roomOf(url: string | null, hosts: MeetingHosts): string | null {
  const link = url === null ? null : readMeetingLink(url, hosts)
  if (link === null) return null
  return link.roomId === null ? link.shownUrl : `${link.platform} ${link.roomId}`
}

function titleOf({ title }: { title: string }): string {
  return title.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
}

/** Entries of a recording have segment ids of their own, so that they are known. `shiftSeconds`: how long after the meeting it began. */
export function recordedEntries(entries: NewEntry[], { key }: Recorded, shiftSeconds: number): NewEntry[] {
  return entries.map((entry, at) => ({
    ...entry,
    offsetSeconds: Math.min(entry.offsetSeconds + shiftSeconds, offsetSecondsMax),
    segmentId: `${keyPrefix}${key.slice(0, keyLengthMax)}:${at}`,
  }))
}

export const recordedSegments = `${keyPrefix}%`
