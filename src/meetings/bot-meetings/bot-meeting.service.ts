import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { UsagePolicy } from '../../http/limits/usage-policy.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { Metering } from '../../usage/index.ts'
import type { AnswerQuestion } from '../answers/answer.service.ts'
import type { NewEntry } from '../entries/entry.rules.ts'
import { streamEntries } from '../entries/entry.store.ts'
import { appendEntries } from '../meetings/append-entries.ts'
import { applyEvent, hasBegun, type Meeting, nextStatus, withActivity } from '../meetings/meeting.rules.ts'
import type { Meetings } from '../meetings/meeting.service.ts'
import { lockMeeting, saveMeeting } from '../meetings/meeting.store.ts'
import { getMeeting } from '../meetings/meeting-access.ts'
import type { NotifyMeetingChange } from '../meetings/meeting-changes.ts'
import type { TranscriptFile } from '../transcripts/formats/parse-file.ts'
import { readFile } from '../transcripts/formats/read-file.ts'
import {
  countTranscript,
  deleteDerived,
  deleteSegments,
  deleteSegmentsById,
  findSealedJoinUrl,
  listSegmentIds,
} from './bot-meeting.store.ts'

type Deps = {
  clock: Clock
  events: EventBus
  audit: Audit
  notifyChange: NotifyMeetingChange
  metering: Pick<Metering, 'countAnyway' | 'requireLeft'>
  meetings: Meetings
  answerQuestion: AnswerQuestion
  openJoinUrl(sealed: Buffer, owner: { tenantId: string; id: string }): string
}

const replayEntriesMax = 20_000

/** Why nothing was written down: the meeting takes nothing more, or a limit of words is reached. */
type Unwritten = { cause: 'OVER' } | { cause: 'NO_WORDS_LEFT'; detail: string }

export type BotMeetings = ReturnType<typeof botMeetings>

/** What bots do with their meetings. The meeting must be locked before the bot. */
export function botMeetings({
  clock,
  events,
  audit,
  notifyChange,
  metering,
  meetings,
  answerQuestion,
  openJoinUrl,
}: Deps) {
  /** Adds what was written down, or nothing and says why. */
  async function append(tx: TenantScope, meeting: Meeting, entries: NewEntry[]): Promise<Unwritten | null> {
    if (nextStatus(meeting.status, 'speak') === null) return { cause: 'OVER' }
    const exceeded = await wordsExceeded(tx, meeting)
    if (exceeded !== null) return { cause: 'NO_WORDS_LEFT', detail: exceeded }
    await write(tx, meeting, { entries, event: 'speak' })
    return null
  }

  /**
   * Refuses USAGE_EXCEEDED where nothing may be written down in a meeting that will begin. One that has words already goes on,
   * whatever they add up to. Returns the limits that hold.
   */
  async function requireWordsLeft(tx: TenantScope, meeting: Meeting, at: Date): Promise<UsagePolicy[]> {
    const { orgId, userId } = meeting
    return hasBegun(meeting) ? [] : metering.requireLeft(tx, { meter: 'transcriptWords', orgId, userId, at })
  }

  /** Which limit keeps a meeting from having its first words now, as text. Null: none. Meetings that begin at the same time do not wait for each other. */
  async function wordsExceeded(tx: TenantScope, meeting: Meeting): Promise<string | null> {
    try {
      await requireWordsLeft(tx, meeting, clock.now())
      return null
    } catch (error) {
      if (error instanceof Refusal && error.code === 'USAGE_EXCEEDED') return error.options.detail ?? error.message
      throw error
    }
  }

  async function write(
    tx: TenantScope,
    meeting: Meeting,
    { entries, event }: { entries: NewEntry[]; event: 'speak' | 'import' },
  ): Promise<void> {
    const { id, tenantId, userId } = meeting
    const now = clock.now()
    const appended = await appendEntries(tx, meeting, { entries, event, now })
    if (appended.written.length === 0) return
    const { orgId, status, wordCount } = appended.meeting
    notifyChange(tx, appended.meeting)
    await events.emit(tx, 'transcript.updated', {
      tenantId,
      meetingId: id,
      orgId,
      status,
      userId,
      minutes: appended.minutes,
    })
    const transcriptWords = Math.max(0, wordCount - meeting.wordCount)
    await metering.countAnyway(tx, { orgId, userId, at: now, amounts: { transcriptWords } })
  }

  /**
   * Makes what a bot took down equal to what was really said, also after the meeting. Entries that were not said are
   * erased with what was made from them. A meeting that was cancelled takes nothing.
   * @param said `isRefused`: a limit kept the bot from writing, so these are not the first words of the meeting while it holds.
   */
  async function reconcile(
    tx: TenantScope,
    meeting: Meeting,
    { prefix, entries, isRefused }: { prefix: string; entries: NewEntry[]; isRefused: boolean },
  ): Promise<Unwritten | null> {
    const said = new Set(entries.map(({ segmentId }) => segmentId))
    const unsaid = (await listSegmentIds(tx, meeting.id, prefix)).filter((id) => !said.has(id))
    const left =
      unsaid.length === 0 ? meeting : await eraseEntries(tx, meeting, () => deleteSegmentsById(tx, meeting.id, unsaid))
    if (entries.length === 0) return null
    if (nextStatus(left.status, 'import') === null) return { cause: 'OVER' }
    // A meeting that has begun while words were left is kept, also where all its words come only now.
    const exceeded = isRefused || meeting.status === 'scheduled' ? await wordsExceeded(tx, meeting) : null
    if (exceeded !== null) return { cause: 'NO_WORDS_LEFT', detail: exceeded }
    await write(tx, left, { entries, event: 'import' })
    return null
  }

  /** Starts or ends a locked meeting. False: its status does not allow it. */
  async function change(tx: TenantScope, meeting: Meeting, event: 'start' | 'end'): Promise<boolean> {
    const next = applyEvent(meeting, event, clock.now())
    if (next === null || next.status === meeting.status) return false
    const { id, tenantId, orgId, userId } = meeting
    await audit(tx, { action: `meeting.${event}`, target: { type: 'meeting', id } })
    notifyChange(tx, { id })
    await saveMeeting(tx, next)
    if (event === 'end') await events.emit(tx, 'meeting.completed', { tenantId, meetingId: id, orgId, userId })
    return true
  }

  /** Erases the entries of a bot, and everything that was made from the transcript. */
  async function eraseBotEntries(tx: TenantScope, meeting: Meeting, prefix: string): Promise<void> {
    await eraseEntries(tx, meeting, () => deleteSegments(tx, meeting.id, prefix))
  }

  /** Returns the meeting as it is then. */
  async function eraseEntries(tx: TenantScope, meeting: Meeting, erase: () => Promise<unknown>): Promise<Meeting> {
    const { id, tenantId } = meeting
    await erase()
    await deleteDerived(tx, id)
    await eraseStoredAnswers(tx, [id])
    const counted = await countTranscript(tx, id)
    const contentRevision = meeting.contentRevision + 1
    const left = await saveMeeting(tx, { ...withActivity(meeting, clock.now()), ...counted, contentRevision })
    notifyChange(tx, { id })
    await events.emit(tx, 'transcript.erased', { tenantId, meetingIds: [id] })
    if (meeting.orgId !== null) await events.emit(tx, 'meeting.assigned', { tenantId, meetingId: id })
    return left
  }

  /** Answers from this meeting alone, as text. */
  async function answer(
    scope: TenantScope,
    { userId, meetingId, text }: { userId: string; meetingId: string; text: string },
  ) {
    const meeting = await getMeeting(scope, { id: userId }, meetingId)
    const { parts } = await answerQuestion(scope, { meeting, userId, text })
    return parts.map((part) => part.text).join('')
  }

  /** What a transcript says, for a replay. Refuses with NOT_FOUND. */
  async function entriesOf(scope: TenantScope, user: { id: string }, meetingId: string): Promise<NewEntry[]> {
    await getMeeting(scope, user, meetingId)
    const entries: NewEntry[] = []
    for await (const batch of streamEntries(scope, meetingId)) {
      entries.push(...batch)
      if (entries.length >= replayEntriesMax) break
    }
    return entries.slice(0, replayEntriesMax)
  }

  /** The whole address of a meeting, with its passcode. Null: it has none. */
  async function joinUrl(scope: TenantScope, meetingId: string): Promise<string | null> {
    const sealed = await findSealedJoinUrl(scope, meetingId)
    return sealed === null ? null : openJoinUrl(sealed, { tenantId: scope.tenantId, id: meetingId })
  }

  return {
    joinUrl,
    create: meetings.create,
    get: getMeeting,
    lock: lockMeeting,
    requireWordsLeft,
    wordsExceeded,
    append,
    reconcile,
    change,
    eraseBotEntries,
    answer,
    entriesOf,
    read: (file: TranscriptFile) => readFile(file),
  }
}
