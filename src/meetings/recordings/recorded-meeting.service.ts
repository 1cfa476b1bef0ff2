import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type MeetingHosts, readMeetingLink } from '../../kernel/meeting-links.ts'
import type { EventBus } from '../../storage/events.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Metering } from '../../usage/index.ts'
import type { NewEntry } from '../entries/entry.rules.ts'
import { type Appended, appendEntries } from '../meetings/append-entries.ts'
import { applyEvent, type Meeting } from '../meetings/meeting.rules.ts'
import type { Meetings } from '../meetings/meeting.service.ts'
import { lockMeeting, saveMeeting } from '../meetings/meeting.store.ts'
import type { NotifyMeetingChange } from '../meetings/meeting-changes.ts'
import { readFile } from '../transcripts/formats/read-file.ts'
import { type Recorded, recordedEntries, recordedMeeting, recordedSegments } from './recording.rules.ts'
import { hasOtherEntries, listCandidates } from './recording.store.ts'

type Deps = {
  clock: Clock
  events: EventBus
  audit: Audit
  notifyChange: NotifyMeetingChange
  metering: Pick<Metering, 'count'>
  meetings: Pick<Meetings, 'create'>
  meetingHosts: MeetingHosts
}

type Owner = { user: { id: string }; orgId: string | null }

/** `HAS_TRANSCRIPT`: somebody else took down the meeting already, and its words are not added twice. */
export type TakenRecording = { meetingId: string; cause: null | 'HAS_TRANSCRIPT' }

export type RecordedMeetings = ReturnType<typeof recordedMeetings>

const dayMs = 86_400_000
const hourMs = 3_600_000

/** Transcripts of meetings that another service has recorded. */
export function recordedMeetings(deps: Deps) {
  const { clock, events, audit, notifyChange, metering, meetings, meetingHosts } = deps

  /**
   * Imports the transcript into the meeting of its link and time, or into a new one. A meeting that nobody held here was held
   * there: it is completed, with the times of the recording. Refuses QUOTA_EXCEEDED and USAGE_EXCEEDED.
   */
  async function take(
    tx: TenantScope,
    owner: Owner,
    { recorded, entries }: { recorded: Recorded; entries: NewEntry[] },
  ): Promise<TakenRecording> {
    const meetingId = (await find(tx, owner, recorded)) ?? (await create(tx, owner, recorded))
    const meeting = await lockMeeting(tx, meetingId)
    if (await hasOtherEntries(tx, meetingId, recordedSegments)) return { meetingId, cause: 'HAS_TRANSCRIPT' }
    const before: Meeting =
      meeting.status === 'cancelled' ? { ...meeting, status: 'scheduled', cause: null, endedAt: null } : meeting
    const rows = recordedEntries(entries, recorded, shiftSeconds(before, recorded))
    const now = clock.now()
    const appended = await appendEntries(tx, before, { entries: rows, event: 'import', now })
    await tell(tx, { owner, before, appended, at: now })
    if (before.status === 'scheduled') await complete(tx, appended.meeting, recorded)
    return { meetingId, cause: null }
  }

  async function find(tx: TenantScope, { user, orgId }: Owner, recorded: Recorded): Promise<string | null> {
    const from = new Date(recorded.startAt.getTime() - dayMs)
    const until = new Date(recorded.startAt.getTime() + hourMs)
    const candidates = await listCandidates(tx, { userId: user.id, orgId, from, until })
    return recordedMeeting(recorded, candidates, meetingHosts)?.id ?? null
  }

  async function create(tx: TenantScope, { user, orgId }: Owner, recorded: Recorded): Promise<string> {
    const { title, startAt } = recorded
    const link = recorded.joinUrl === null ? null : readMeetingLink(recorded.joinUrl, meetingHosts)
    const body = { title, ...(link === null ? {} : { joinUrl: link.url }), ...(orgId === null ? {} : { orgId }) }
    const { meeting } = await meetings.create(tx, user, { ...body, scheduledAt: startAt.toISOString() })
    return meeting.id
  }

  async function tell(
    tx: TenantScope,
    { owner, before, appended, at }: { owner: Owner; before: Meeting; appended: Appended; at: Date },
  ): Promise<void> {
    const { added, replaced, minutes, meeting } = appended
    const { id: meetingId, tenantId, orgId, status, userId, wordCount } = meeting
    notifyChange(tx, meeting)
    await events.emit(tx, 'transcript.updated', { tenantId, meetingId, orgId, status, userId, minutes })
    await audit(tx, {
      action: 'meeting.import',
      target: { type: 'meeting', id: meetingId },
      changes: { added, replaced },
    })
    const transcriptWords = Math.max(0, wordCount - before.wordCount)
    await metering.count(tx, { orgId, userId: owner.user.id, at, amounts: { transcriptWords } })
  }

  async function complete(tx: TenantScope, meeting: Meeting, { startAt, endAt }: Recorded): Promise<void> {
    const ended = applyEvent(meeting, 'end', clock.now())
    if (ended === null) return
    const { tenantId, id: meetingId, orgId, userId } = ended
    await saveMeeting(tx, { ...ended, startedAt: startAt, endedAt: endAt ?? startAt })
    await audit(tx, { action: 'meeting.end', target: { type: 'meeting', id: meetingId } })
    await events.emit(tx, 'meeting.completed', { tenantId, meetingId, orgId, userId })
  }

  return {
    take,
    /** The entries of a WebVTT file. Refuses VALIDATION_ERROR where it cannot be read. */
    read: (bytes: Buffer) => readFile({ bytes, format: 'vtt' }),
  }
}

/** A recording that was stopped and begun again continues at its place in the meeting. */
function shiftSeconds({ entryCount, startedAt }: Meeting, { startAt }: Recorded): number {
  if (entryCount === 0 || startedAt === null) return 0
  const ms = startAt.getTime() - startedAt.getTime()
  return ms > 0 && ms < dayMs ? ms / 1000 : 0
}
