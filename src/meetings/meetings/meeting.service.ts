import { requireRevision } from '../../http/cache/precondition.ts'
import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { UsagePolicy } from '../../http/limits/usage-policy.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Fitting, refuseBroken, ruleFor } from '../../kernel/field-rules.ts'
import type { MeetingHosts, MeetingLink } from '../../kernel/meeting-links.ts'
import { refuseOverQuota } from '../../kernel/quota.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { EventBus } from '../../storage/events.ts'
import { pipelined, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Metering, Quotas } from '../../usage/index.ts'
import { toNewEntry } from '../entries/entry.schema.ts'
import { type EntryPage, listEntries } from '../entries/entry.store.ts'
import { appendEntries } from './append-entries.ts'
import type { joinUrlSeal } from './join-url.ts'
import {
  allowedStatuses,
  applyEvent,
  type CancelCause,
  type Meeting,
  type MeetingEvent,
  type MeetingForUser,
  type Settings,
  withActivity,
} from './meeting.rules.ts'
import type { MeetingChange, NewMeeting, SettingsChange } from './meeting.schema.ts'
import {
  countMeetings,
  deleteMeeting,
  insertMeeting,
  meetingInsert,
  saveMeeting,
  writeJoinUrl,
} from './meeting.store.ts'
import { getMeeting, lockMeetingFor, type NeededAccess, readMeeting, requireAccess } from './meeting-access.ts'
import type { NotifyMeetingChange } from './meeting-changes.ts'
import { readJoinUrl, requireEndAfterStart } from './meeting-place.rules.ts'
import { newMeeting, parsePlanned, toParticipant } from './new-meeting.ts'
import {
  isSameSharing,
  isSharingChange,
  notShared,
  type Sharing,
  type SharingChange,
  sharingOf,
} from './sharing.rules.ts'
import type { MeetingSharing } from './sharing.service.ts'

export type MeetingDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  metering: Pick<Metering, 'count' | 'requireLeft'>
  notifyChange: NotifyMeetingChange
  sharing: MeetingSharing
  joinUrls: ReturnType<typeof joinUrlSeal>
  meetingHosts: MeetingHosts
}

type User = { id: string }
/** The meeting that a request names, with the request's `If-Match`. */
type MeetingTarget = { user: User; id: string; ifMatch?: string | undefined }

export type MeetingAndEntries = { meeting: MeetingForUser; page: EntryPage }

/** What was changed, and the limits of usage that hold for the change. */
export type Metered<T> = T & { usage: UsagePolicy[] }

type Outcome = { next: Meeting; action: string; changes?: Record<string, unknown> }

/** The entries sent with a meeting. The rest is read in pages. */
const entriesInMeetingMax = 10_000

export type Meetings = ReturnType<typeof meetingService>

export function meetingService(deps: MeetingDeps) {
  const { clock, events, audit, quotas, metering, notifyChange, sharing, joinUrls, meetingHosts } = deps

  /** Refuses with VALIDATION_ERROR, QUOTA_EXCEEDED and USAGE_EXCEEDED. */
  async function create(scope: TenantScope, user: User, body: NewMeeting): Promise<Metered<MeetingAndEntries>> {
    const now = clock.now()
    const link = linkIn(body)
    const created = {
      ...newMeeting(body, { tenantId: scope.tenantId, userId: user.id, now }),
      joinUrl: link?.shownUrl ?? null,
    }
    requireEndAfterStart(created)
    const { transcript = [] } = body
    return transaction(scope, async (tx) => {
      const { maxMeetings } = await quotas.lockLimits(tx, user.id)
      const { sharedWith, ...shared } = await sharing.plan(tx, user, { current: notShared, change: body })
      if (maxMeetings !== null) refuseOverQuota('maxMeetings', maxMeetings, await countMeetings(tx))
      const meeting = { ...created, ...shared, sharedWith, access: 'owner' } as const
      const eventData = { tenantId: tx.tenantId, meetingId: meeting.id }
      // Nothing else that is written here needs the meeting's row.
      const isAlone = transcript.length === 0 && meeting.visibility === 'private'
      const written = [
        ...(isAlone ? [] : [insertMeeting(tx, meeting, sealed(meeting, link))]),
        audit(tx, { action: 'meeting.create', target: auditTarget(meeting) }),
        events.emit(tx, 'meeting.created', eventData),
        ...(meeting.visibility === 'private' ? [] : [sharing.write(tx, meeting.id, meeting)]),
      ]
      const countUse = (transcriptWords: number) => {
        const use = { orgId: meeting.orgId, userId: user.id, at: now, amounts: { meetings: 1, transcriptWords } }
        return metering.count(tx, use, isAlone ? meetingInsert(tx, meeting, sealed(meeting, link)) : null)
      }
      if (transcript.length === 0) {
        // Sent after what is written, which was sent above.
        const [usage] = await pipelined([countUse(0), ...written])
        return { meeting, page: { entries: [], hasMore: false }, usage }
      }
      await pipelined(written)
      const append = { entries: transcript.map(toNewEntry), event: 'speak', now } as const
      const appended = await appendEntries(tx, meeting, append)
      const { orgId, status, wordCount } = appended.meeting
      const { minutes } = appended
      await events.emit(tx, 'transcript.updated', { ...eventData, orgId, status, userId: user.id, minutes })
      const usage = await countUse(wordCount)
      return {
        meeting: { ...meeting, ...appended.meeting },
        page: { entries: appended.written, hasMore: false },
        usage,
      }
    })
  }

  /** Undefined: the request does not name it. Refuses with VALIDATION_ERROR. */
  function linkIn({ joinUrl }: { joinUrl?: string | null }): MeetingLink | null | undefined {
    return typeof joinUrl === 'string' ? readJoinUrl(joinUrl, meetingHosts) : joinUrl
  }

  function sealed(owner: { tenantId: string; id: string }, link: MeetingLink | null | undefined): Buffer | null {
    return link ? joinUrls.seal(link.url, owner) : null
  }

  /** Refuses with NOT_FOUND. */
  async function get(scope: TenantScope, user: User, id: string): Promise<MeetingAndEntries> {
    const { meeting, found: page } = await readMeeting(scope, { user, id }, () =>
      listEntries(scope, id, { afterSeq: 0, limit: entriesInMeetingMax }),
    )
    return { meeting, page }
  }

  /** Runs `work` on the locked meeting and stores its result. Null from `work`: nothing changes. */
  const changeMeeting = (
    scope: TenantScope,
    target: MeetingTarget,
    work: (meeting: Meeting, now: Date) => Outcome | null,
  ): Promise<MeetingForUser> =>
    transaction(scope, async (tx) => {
      await changeLocked(tx, await lockTarget(tx, target, 'write'), work)
      return getMeeting(tx, target.user, target.id)
    })

  async function lockTarget(tx: TenantScope, target: MeetingTarget, needed: NeededAccess): Promise<Meeting> {
    const meeting = await lockMeetingFor(tx, target, needed)
    requireRevision(target.ifMatch, meeting)
    return meeting
  }

  async function changeLocked(
    tx: TenantScope,
    meeting: Meeting,
    work: (meeting: Meeting, now: Date) => Outcome | null,
  ): Promise<void> {
    const outcome = work(meeting, clock.now())
    if (outcome === null) return
    const { next, action, changes } = outcome
    const { id } = meeting
    await audit(tx, { action, target: auditTarget(meeting), ...(changes ? { changes } : {}) })
    notifyChange(tx, { id })
    if (next.title !== meeting.title && next.orgId !== null)
      await events.emit(tx, 'meeting.renamed', { tenantId: tx.tenantId, meetingId: id })
    if (next.status === 'completed' && meeting.status !== 'completed') {
      const { tenantId, orgId, userId } = next
      await events.emit(tx, 'meeting.completed', { tenantId, meetingId: id, orgId, userId })
    }
    await saveMeeting(tx, next)
    await events.emit(tx, 'meeting.changed', { tenantId: tx.tenantId, meetingId: id })
  }

  /** Refuses with NOT_FOUND, INSUFFICIENT_ROLE, VALIDATION_ERROR, PRECONDITION_FAILED and STATE_CONFLICT. */
  async function update(scope: TenantScope, target: MeetingTarget, body: MeetingChange): Promise<MeetingForUser> {
    const { title, ttl_days: ttlDays, participants, scheduledAt, scheduledEnd, calendarEvent } = body
    const link = linkIn(body)
    const changed: Partial<Meeting> = {
      ...(title === undefined ? {} : { title: title.trim() }),
      ...(ttlDays === undefined ? {} : { ttlDays }),
      ...(participants === undefined ? {} : { participants: (participants ?? []).map(toParticipant) }),
      ...(scheduledAt === undefined ? {} : { scheduledAt: parsePlanned(scheduledAt, 'scheduledAt') }),
      ...(scheduledEnd === undefined ? {} : { scheduledEnd: parsePlanned(scheduledEnd, 'scheduledEnd') }),
      ...(calendarEvent === undefined ? {} : { calendarEvent }),
      ...(link === undefined ? {} : { joinUrl: link?.shownUrl ?? null }),
    }
    // Only the names of the fields: the audit entry outlives the meeting and must not hold its contents.
    const fields = Object.keys(body)
    if (fields.length === 0) return changeMeeting(scope, target, () => null)
    const isForOwner = ttlDays !== undefined || isSharingChange(body)
    return transaction(scope, async (tx) => {
      const planned = isSharingChange(body) ? await planSharing(tx, target, body) : null
      const meeting = await lockTarget(tx, target, isForOwner ? 'owner' : 'write')
      const shared = planned === null ? {} : await share(tx, target, planned)
      const changedMeeting = { ...meeting, ...changed, ...shared }
      if (scheduledAt !== undefined || scheduledEnd !== undefined) requireEndAfterStart(changedMeeting)
      if (link !== undefined && link?.url !== meeting.joinUrl)
        await writeJoinUrl(tx, meeting.id, { joinUrl: link?.shownUrl ?? null, joinUrlSealed: sealed(meeting, link) })
      await changeLocked(tx, meeting, (_, now) => {
        const next = withActivity(changedMeeting, now)
        return { next, action: 'meeting.update', changes: { fields } }
      })
      return getMeeting(tx, target.user, target.id)
    })
  }

  type PlannedSharing = { current: Sharing; next: Sharing }

  /** Locks the organization that the meeting is shared with, which must come before the meeting. */
  async function planSharing(
    tx: TenantScope,
    { user, id }: MeetingTarget,
    change: SharingChange,
  ): Promise<PlannedSharing> {
    const meeting = await getMeeting(tx, user, id)
    requireAccess(meeting, 'owner')
    const current = sharingOf(meeting)
    return { current, next: await sharing.plan(tx, user, { current, change }) }
  }

  /** Shares a locked meeting as planned. Returns what its row must hold. */
  async function share(
    tx: TenantScope,
    { user, id }: MeetingTarget,
    { current, next }: PlannedSharing,
  ): Promise<Pick<Meeting, 'orgId' | 'visibility'>> {
    if (!isSameSharing(current, sharingOf(await getMeeting(tx, user, id))))
      throw new Refusal('STATE_CONFLICT', { detail: 'The sharing of the meeting has just been changed. Try again.' })
    if (!isSameSharing(current, next)) await sharing.write(tx, id, next)
    if (current.orgId !== null && current.orgId !== next.orgId)
      await events.emit(tx, 'meetings.moved', { tenantId: tx.tenantId, meetingIds: [id] })
    if (next.orgId !== null && current.orgId !== next.orgId)
      await events.emit(tx, 'meeting.assigned', { tenantId: tx.tenantId, meetingId: id })
    return { orgId: next.orgId, visibility: next.visibility }
  }

  /** The faults of the place and the times of a request, whatever else is wrong with it. Refuses with VALIDATION_ERROR. */
  function checkPlace(body: Fitting<Pick<NewMeeting, 'joinUrl' | 'scheduledAt' | 'scheduledEnd'>>): Promise<void> {
    const { joinUrl, scheduledAt, scheduledEnd } = body
    return refuseBroken([
      ruleFor(joinUrl, (text) => readJoinUrl(text, meetingHosts)),
      ruleFor(scheduledAt, (text) => parsePlanned(text, 'scheduledAt')),
      ruleFor(scheduledEnd, (text) => parsePlanned(text, 'scheduledEnd')),
    ])
  }

  /** The faults of a request that shares a new meeting (`id` is null) or another. Refuses with VALIDATION_ERROR. */
  async function checkSharing(
    scope: TenantScope,
    { user, id }: { user: User; id: string | null },
    change: SharingChange,
  ): Promise<void> {
    if (!isSharingChange(change)) return
    const current = id === null ? notShared : sharingOf(await getMeeting(scope, user, id))
    await sharing.plan(scope, user, { current, change })
  }

  /** Allowed in any status. Refuses with NOT_FOUND, INSUFFICIENT_ROLE and PRECONDITION_FAILED. */
  function updateSettings(scope: TenantScope, target: MeetingTarget, body: SettingsChange): Promise<MeetingForUser> {
    return changeMeeting(scope, target, (meeting, now) => {
      const settings: Settings = { ...meeting.settings, ...body }
      const { personality, summaryMode } = meeting.settings
      if (settings.personality === personality && settings.summaryMode === summaryMode) return null
      return { next: withActivity({ ...meeting, settings }, now), action: 'meeting.set', changes: settings }
    })
  }

  /**
   * Repeating an event changes nothing. Refuses with NOT_FOUND, INSUFFICIENT_ROLE, PRECONDITION_FAILED, STATE_CONFLICT and,
   * for the start of a meeting whose words no limit would admit, USAGE_EXCEEDED.
   */
  function changeStatus(
    scope: TenantScope,
    target: MeetingTarget,
    event: MeetingEvent,
    cause: CancelCause | null = null,
  ): Promise<Metered<{ meeting: MeetingForUser }>> {
    const work = (meeting: Meeting, now: Date): Outcome | null => {
      const next = applyEvent(meeting, event, now)
      if (next === null) {
        const detail = `The meeting is ${meeting.status}. The action "${event}" needs a meeting that is ${allowedStatuses(event).join(' or ')}.`
        throw new Refusal('STATE_CONFLICT', { detail })
      }
      const action = `meeting.${event}`
      return next.status === meeting.status
        ? null
        : { next: { ...next, cause }, action, ...(cause && { changes: { cause } }) }
    }
    return transaction(scope, async (tx) => {
      const meeting = await lockTarget(tx, target, 'write')
      const asked = { meter: 'transcriptWords', orgId: meeting.orgId, userId: target.user.id } as const
      const begins = event === 'start' && meeting.status === 'scheduled'
      const usage = begins ? await metering.requireLeft(tx, asked) : []
      await changeLocked(tx, meeting, work)
      return { meeting: await getMeeting(tx, target.user, target.id), usage }
    })
  }

  /**
   * Deletes the meeting with its transcript and everything made from it. Refuses with NOT_FOUND, also when repeated,
   * INSUFFICIENT_ROLE and PRECONDITION_FAILED.
   */
  async function remove(scope: TenantScope, target: MeetingTarget): Promise<void> {
    const { id } = target
    await transaction(scope, async (tx) => {
      const meeting = await lockTarget(tx, target, 'owner')
      await deleteMeeting(tx, id)
      await eraseStoredAnswers(tx, [id])
      await audit(tx, { action: 'meeting.delete', target: auditTarget(meeting) })
      notifyChange(tx, { id })
      await events.emit(tx, 'meetings.deleted', { tenantId: tx.tenantId, meetingIds: [id] })
    })
  }

  return { create, get, update, updateSettings, changeStatus, remove, checkSharing, checkPlace }
}

function auditTarget({ id }: Meeting) {
  return { type: 'meeting', id }
}
