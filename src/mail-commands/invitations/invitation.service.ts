import type { CalendarReader } from '../../icalendar/calendar-reader.ts'
import { mergeSeries } from '../../icalendar/merge-series.ts'
import {
  CalendarUnreadable,
  type Expansion,
  type Invitation,
  type Occurrence,
  type Series,
} from '../../icalendar/series.ts'
import type { JobKind, JobRun, Jobs } from '../../jobs/jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { MeetingHosts } from '../../kernel/meeting-links.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { PlannedMeetings } from '../../meetings/index.ts'
import { type PlatformScope, scopeToTenant, type TenantScope, transaction } from '../../storage/scope.ts'
import type { Secrets } from '../../storage/secrets.ts'
import {
  aheadMs,
  attendanceOf,
  fingerprintOf,
  joinUrlOf,
  type KnownMeeting,
  meetingTitle,
  occurrenceKey,
  occurrencesMax,
  planMeetings,
  seriesContext,
  uidHash,
} from './invitation.rules.ts'
import {
  deleteOver,
  findInvitation,
  findInvitationById,
  forgetMeeting,
  listDue,
  listMeetings,
  postpone,
  saveInvitation,
  saveMeeting,
} from './invitation.store.ts'

/** Who sent an invitation, and to whose address. */
export type Inviter = { ownerId: string; orgId: string | null; userId: string; sender: string }

export type PlannedAttendance = ReturnType<typeof attendanceOf> & {
  orgId: string | null
  userId: string
  meetingId: string
}

export type InvitationDeps = {
  clock: Clock
  secrets: Pick<Secrets, 'seal' | 'open'>
  jobs: Jobs
  occurrencesIn: CalendarReader['occurrencesIn']
  meetings: PlannedMeetings
  meetingHosts: MeetingHosts
  /** Told each time that an invitation names a meeting, for bots that follow calendars. */
  followAttendance(tx: TenantScope, planned: PlannedAttendance): Promise<void>
}

/** What an invitation has done to the meetings. */
export type InvitationOutcome = {
  title: string
  outcome: 'changed' | 'same' | 'stale'
  created: number
  changed: number
  cancelled: number
  /** The next occurrence, where there is one. */
  startAt: string | null
}

/** What is stored of an invitation. */
type Sealed = { series: Series; sender: string }

export const planLater: JobKind<{ invitationId: string }> = {
  name: 'mail-commands.invitations.plan',
  attemptsMax: 5,
  backoffSeconds: 30,
  timeoutSeconds: 60,
}

const dayMs = 24 * 3600_000
const dueAtOnce = 500

/** Meetings that follow invitations. */
export function invitationService(deps: InvitationDeps) {
  const { clock, secrets, jobs, meetings, meetingHosts, followAttendance } = deps

  const open = (scope: TenantScope, { id, seriesSealed }: { id: string; seriesSealed: Buffer }): Sealed =>
    JSON.parse(secrets.open(seriesSealed, seriesContext({ tenantId: scope.tenantId, id }))) as Sealed

  const expand = (series: Series): Promise<Expansion> => {
    const now = clock.now().getTime()
    return deps.occurrencesIn(series, { from: now, until: now + aheadMs, max: occurrencesMax })
  }

  /**
   * Reads what is known, and computes in a worker, outside of a transaction. The result carries it out within one: it refuses UNAVAILABLE
   * where another mail was faster, and as the creation of a meeting does. Rejects with CalendarUnreadable.
   */
  async function prepare(scope: TenantScope, inviter: Inviter, invitation: Invitation) {
    const key = { ...inviter, uidHash: uidHash(invitation.series.uid) }
    const stored = await findInvitation(scope, key)
    const { series, outcome } = mergeSeries(stored && open(scope, stored).series, invitation)
    if (JSON.stringify(series).length > seriesLengthMax) throw new CalendarUnreadable('TOO_LARGE')
    const expansion = await expand(series)
    const next: Next = { id: stored?.id ?? newId(clock.now()), before: stored?.revision ?? null, series, expansion }
    return async (tx: TenantScope): Promise<InvitationOutcome> => {
      const title = meetingTitle(titleOf(series, invitation))
      if (outcome !== 'changed') return { title, outcome, created: 0, changed: 0, cancelled: 0, startAt: null }
      const counts = await follow(tx, inviter, next)
      return { title, outcome, ...counts, startAt: expansion.occurrences[0]?.startAt ?? null }
    }
  }

  type Next = { id: string; before: number | null; series: Series; expansion: Expansion }

  async function follow(tx: TenantScope, inviter: Inviter, { id, before, series, expansion }: Next) {
    const now = clock.now()
    const { occurrences, hasMore } = expansion
    const known: Sealed = { series, sender: inviter.sender }
    const sealed = secrets.seal(JSON.stringify(known), seriesContext({ tenantId: tx.tenantId, id }))
    const ends = occurrences.map(({ endAt }) => Date.parse(endAt))
    const isSaved = await saveInvitation(tx, {
      ...{ ...inviter, id, before, seriesSealed: sealed, uidHash: uidHash(series.uid) },
      lookAt: hasMore ? new Date(now.getTime() + dayMs) : null,
      // A late mail with a lower sequence must still be known as such.
      endsAt: new Date(Math.max(now.getTime() + aheadMs, ...ends)),
    })
    if (!isSaved) throw new Refusal('UNAVAILABLE', { detail: 'Another mail has just changed the invitation.' })
    const plan = planMeetings(await listMeetings(tx, id), occurrences, now)
    const user = { id: inviter.userId }
    for (const known of plan.cancel) {
      await meetings.cancel(tx, user, known.meetingId, null)
      await saveMeeting(tx, id, { ...known, isGone: true })
    }
    // All old ones go before the new are written: one may take the place of another.
    for (const { known, occurrence } of plan.follow)
      if (known.occurrence !== occurrenceKey(occurrence)) await forgetMeeting(tx, id, known.occurrence)
    for (const { known, occurrence } of plan.follow) {
      await meetings.follow(tx, user, known.meetingId, planned(series, occurrence))
      await note(tx, { id, inviter, meetingId: known.meetingId, occurrence })
    }
    for (const occurrence of plan.create) {
      const meetingId = await meetings.plan(tx, user, { ...planned(series, occurrence), orgId: inviter.orgId })
      await note(tx, { id, inviter, meetingId, occurrence })
    }
    return { created: plan.create.length, changed: plan.follow.length, cancelled: plan.cancel.length }
  }

  type Noted = { id: string; inviter: Inviter; meetingId: string; occurrence: Occurrence }

  async function note(tx: TenantScope, { id, inviter, meetingId, occurrence }: Noted): Promise<void> {
    const known: KnownMeeting = {
      ...{ occurrence: occurrenceKey(occurrence), meetingId, fingerprint: fingerprintOf(occurrence), isGone: false },
      endsAt: new Date(occurrence.endAt),
    }
    await saveMeeting(tx, id, known)
    const { orgId, userId, sender } = inviter
    await followAttendance(tx, { ...attendanceOf(occurrence.event, sender), orgId, userId, meetingId })
  }

  function planned({ uid }: Series, { event, startAt, endAt, recurrenceId }: Occurrence) {
    return {
      title: meetingTitle(event.title),
      scheduledAt: new Date(startAt),
      scheduledEnd: new Date(endAt),
      joinUrl: joinUrlOf(event, meetingHosts),
      calendarEvent: { uid: meetingTitle(uid), occurrence: recurrenceId },
    }
  }

  /** Plans the occurrences of a series that have come near. */
  async function plan({ scope, data: { invitationId } }: JobRun<{ invitationId: string }>): Promise<void> {
    if (scope.kind !== 'tenant') throw new Error('An invitation belongs to a tenant.')
    const stored = await findInvitationById(scope, invitationId)
    if (stored === null || stored.lookAt === null || stored.lookAt > clock.now()) return
    const { series, sender } = open(scope, stored)
    const next = { id: stored.id, before: stored.revision, series, expansion: await expand(series) }
    try {
      await transaction(scope, (tx) => follow(tx, { ...stored, sender }, next))
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'UNAVAILABLE') throw error
      // A limit is reached, or its user is no longer a member. That may be different tomorrow.
      await postpone(scope, { id: stored.id, lookAt: new Date(clock.now().getTime() + dayMs) })
    }
  }

  /** Can be interrupted at any point and run on several nodes at once. */
  async function housekeep(platform: PlatformScope): Promise<void> {
    const now = clock.now()
    for (const { tenantId, id } of await listDue(platform, { now, limit: dueAtOnce }))
      await jobs.enqueue(scopeToTenant(platform, tenantId), planLater, { data: { invitationId: id }, tenantId })
    while ((await deleteOver(platform, now)) > 0);
  }

  return { prepare, plan, housekeep }
}

/** About ten years of exceptions. */
const seriesLengthMax = 512 * 1024

function titleOf({ master, overrides }: Series, { series }: Invitation): string {
  return series.overrides[0]?.title || (series.master ?? master ?? overrides[0])?.title || ''
}
