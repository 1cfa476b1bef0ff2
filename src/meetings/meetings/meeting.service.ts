import { requireRevision } from '../../http/cache/precondition.ts'
import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { refuseOverQuota } from '../../kernel/quota.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import type { EventBus } from '../../storage/events.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import type { Quotas } from '../../usage/index.ts'
import { toNewEntry } from '../entries/entry.schema.ts'
import { type EntryPage, listEntries } from '../entries/entry.store.ts'
import { appendEntries } from './append-entries.ts'
import {
  allowedStatuses,
  applyEvent,
  type Meeting,
  type MeetingEvent,
  type Participant,
  type Settings,
  settingsDefault,
  ttlDaysDefault,
  withActivity,
} from './meeting.rules.ts'
import type { MeetingChange, NewMeeting, SettingsChange } from './meeting.schema.ts'
import { countMeetings, deleteMeeting, insertMeeting, saveMeeting } from './meeting.store.ts'
import { getMeeting, lockOwnMeeting } from './meeting-access.ts'
import type { NotifyMeetingChange } from './meeting-changes.ts'

export type MeetingDeps = {
  clock: Clock
  events: EventBus
  audit: Audit
  quotas: Quotas
  notifyChange: NotifyMeetingChange
}

type User = { id: string }
/** The meeting that a request names, with the request's `If-Match`. */
type MeetingTarget = { user: User; id: string; ifMatch?: string | undefined }

export type MeetingAndEntries = { meeting: Meeting; page: EntryPage }

/** The entries sent with a meeting. The rest is read in pages. */
const entriesInMeetingMax = 10_000

export type Meetings = ReturnType<typeof meetingService>

export function meetingService({ clock, events, audit, quotas, notifyChange }: MeetingDeps) {
  /** Refuses with VALIDATION_ERROR and QUOTA_EXCEEDED. */
  async function create(scope: TenantScope, user: User, body: NewMeeting): Promise<MeetingAndEntries> {
    if (body.orgId) refuseOrganization()
    const now = clock.now()
    const meeting = newMeeting(body, { tenantId: scope.tenantId, userId: user.id, now })
    const { transcript = [] } = body
    return transaction(scope, async (tx) => {
      const { maxMeetings } = await quotas.lockLimits(tx, user.id)
      if (maxMeetings !== null) refuseOverQuota('maxMeetings', maxMeetings, await countMeetings(tx))
      await insertMeeting(tx, meeting)
      await audit(tx, { action: 'meeting.create', target: auditTarget(meeting) })
      const eventData = { tenantId: tx.tenantId, meetingId: meeting.id }
      await events.emit(tx, 'meeting.created', eventData)
      if (transcript.length === 0) return { meeting, page: { entries: [], hasMore: false } }
      const append = { entries: transcript.map(toNewEntry), event: 'speak', now } as const
      const appended = await appendEntries(tx, meeting, append)
      await events.emit(tx, 'transcript.updated', eventData)
      return { meeting: appended.meeting, page: { entries: appended.written, hasMore: false } }
    })
  }

  /** Refuses with NOT_FOUND. */
  async function get(scope: TenantScope, user: User, id: string): Promise<MeetingAndEntries> {
    const meeting = await getMeeting(scope, user, id)
    const page = await listEntries(scope, id, { afterSeq: 0, limit: entriesInMeetingMax })
    return { meeting, page }
  }

  /** Runs `work` on the locked meeting and stores its result. Null from `work`: nothing changes. */
  const changeMeeting = (
    scope: TenantScope,
    { user, id, ifMatch }: MeetingTarget,
    work: (meeting: Meeting, now: Date) => { next: Meeting; action: string; changes?: Record<string, unknown> } | null,
  ): Promise<Meeting> =>
    transaction(scope, async (tx) => {
      const meeting = await lockOwnMeeting(tx, user, id)
      requireRevision(ifMatch, meeting)
      const outcome = work(meeting, clock.now())
      if (outcome === null) return meeting
      const { next, action, changes } = outcome
      await audit(tx, { action, target: auditTarget(meeting), ...(changes ? { changes } : {}) })
      notifyChange(tx, { id })
      if (next.status === 'completed' && meeting.status !== 'completed')
        await events.emit(tx, 'meeting.completed', { tenantId: tx.tenantId, meetingId: id })
      return saveMeeting(tx, next)
    })

  /** Refuses with NOT_FOUND, VALIDATION_ERROR and PRECONDITION_FAILED. */
  function update(scope: TenantScope, target: MeetingTarget, body: MeetingChange): Promise<Meeting> {
    const { title, ttl_days: ttlDays, participants, scheduledAt } = body
    const changed: Partial<Meeting> = {
      ...(title === undefined ? {} : { title: title.trim() }),
      ...(ttlDays === undefined ? {} : { ttlDays }),
      ...(participants === undefined ? {} : { participants: (participants ?? []).map(toParticipant) }),
      ...(scheduledAt === undefined ? {} : { scheduledAt: parseScheduledAt(scheduledAt) }),
    }
    // Only the names of the fields: the audit entry outlives the meeting and must not hold its contents.
    const changes = { fields: Object.keys(body) }
    return changeMeeting(scope, target, (meeting, now) => {
      if (Object.keys(changed).length === 0) return null
      return { next: withActivity({ ...meeting, ...changed }, now), action: 'meeting.update', changes }
    })
  }

  /** Allowed in any status. Refuses with NOT_FOUND and PRECONDITION_FAILED. */
  function updateSettings(scope: TenantScope, target: MeetingTarget, body: SettingsChange): Promise<Meeting> {
    return changeMeeting(scope, target, (meeting, now) => {
      const settings: Settings = { ...meeting.settings, ...body }
      const { personality, summaryMode } = meeting.settings
      if (settings.personality === personality && settings.summaryMode === summaryMode) return null
      return { next: withActivity({ ...meeting, settings }, now), action: 'meeting.set', changes: settings }
    })
  }

  /** Repeating an event changes nothing. Refuses with NOT_FOUND, PRECONDITION_FAILED and STATE_CONFLICT. */
  function changeStatus(scope: TenantScope, target: MeetingTarget, event: MeetingEvent): Promise<Meeting> {
    return changeMeeting(scope, target, (meeting, now) => {
      const next = applyEvent(meeting, event, now)
      if (next === null) {
        const detail = `The meeting is ${meeting.status}. The action "${event}" needs a meeting that is ${allowedStatuses(event).join(' or ')}.`
        throw new Refusal('STATE_CONFLICT', { detail })
      }
      return next.status === meeting.status ? null : { next, action: `meeting.${event}` }
    })
  }

  /**
   * Deletes the meeting with its transcript and everything made from it. Refuses with NOT_FOUND, also when repeated,
   * and PRECONDITION_FAILED.
   */
  async function remove(scope: TenantScope, { user, id, ifMatch }: MeetingTarget): Promise<void> {
    await transaction(scope, async (tx) => {
      const meeting = await lockOwnMeeting(tx, user, id)
      requireRevision(ifMatch, meeting)
      await deleteMeeting(tx, id)
      await eraseStoredAnswers(tx, [id])
      await audit(tx, { action: 'meeting.delete', target: auditTarget(meeting) })
      notifyChange(tx, { id })
      await events.emit(tx, 'meetings.deleted', { tenantId: tx.tenantId, meetingIds: [id] })
    })
  }

  return { create, get, update, updateSettings, changeStatus, remove }
}

/** A meeting without a transcript. */
function newMeeting(
  body: NewMeeting,
  { tenantId, userId, now }: { tenantId: string; userId: string; now: Date },
): Meeting {
  const { title, ttl_days: ttlDays = ttlDaysDefault, settings, participants = [], scheduledAt = null } = body
  return withActivity(
    {
      id: newId(now),
      tenantId,
      userId,
      title: title.trim(),
      status: 'scheduled',
      ttlDays,
      settings: { ...settingsDefault, ...settings },
      participants: participants.map(toParticipant),
      orgId: null,
      scheduledAt: parseScheduledAt(scheduledAt),
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
      createdAt: now,
      updatedAt: now,
    },
    now,
  )
}

function toParticipant(value: string | { name: string; email?: string | null }): Participant {
  return typeof value === 'string' ? { name: value, email: null } : { name: value.name, email: value.email ?? null }
}

/** A meeting cannot belong to an organization yet. */
export function refuseOrganization(): never {
  throw invalidField('/body/orgId', {
    code: 'unknown',
    message: 'must be null: a meeting cannot belong to an organization yet',
  })
}

function parseScheduledAt(value: string | null): Date | null {
  return value === null ? null : parseTimestamp(value, '/body/scheduledAt')
}

function auditTarget({ id }: Meeting) {
  return { type: 'meeting', id }
}
