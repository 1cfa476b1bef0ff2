import type { Clock } from '../../../kernel/clock.ts'
import { type MeetingHosts, readMeetingLink } from '../../../kernel/meeting-links.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { PlannedMeetings } from '../../../meetings/index.ts'
import type { Attendance, CalendarChange, CalendarEntry, Window } from '../../../providers/calendars/calendar-event.ts'
import { type CalendarPages, calendarPages, mainCalendar } from '../../../providers/calendars/calendar-pages.ts'
import { type AskPage, readCalendar } from '../../../providers/calendars/calendar-reading.ts'
import { ReadFailure } from '../../../providers/read-failure.ts'
import { type TenantScope, transaction } from '../../../storage/scope.ts'
import type { Integration } from '../../integrations/integration.rules.ts'
import type { CallApi } from '../../tokens/provider-calls.ts'
import { fingerprintOf, nextStep, type Step, unnamed, windowAt } from './calendar.rules.ts'
import { deleteEvent, findCalendar, listLiveKeys, lockEvent, saveCalendar, saveEvent } from './calendar.store.ts'

/** A meeting that a calendar plans, and that its owner may want a bot for. */
export type PlannedAttendance = Attendance & { orgId: string | null; userId: string; meetingId: string }

export type CalendarDeps = {
  clock: Clock
  callApi: CallApi
  meetings: PlannedMeetings
  /** Told each time that a calendar names a meeting. */
  followAttendance(tx: TenantScope, planned: PlannedAttendance): Promise<void>
  meetingHosts: MeetingHosts
}

type Reading = { scope: TenantScope; integration: Integration; calendarId: string; now: Date; signal: AbortSignal }

/** What entered the window since is not named by a token: the whole window is read again once a day. */
const wholeEveryMs = 24 * 3600_000

/** Reads calendars, and makes meetings of their events. */
export function calendarSync({ clock, callApi, meetings, followAttendance, meetingHosts }: CalendarDeps) {
  /** Throws GrantFailure, ProviderUnreachable and ReadFailure where a calendar cannot be read. */
  async function sync(scope: TenantScope, integration: Integration, signal: AbortSignal): Promise<void> {
    const { calendarIds = [] } = integration.features.find(({ name }) => name === 'calendar')?.settings ?? {}
    for (const calendarId of calendarIds.length === 0 ? [mainCalendar] : calendarIds)
      await syncCalendar({ scope, integration, calendarId, now: clock.now(), signal })
  }

  async function syncCalendar(reading: Reading): Promise<void> {
    const { scope, integration, calendarId, now, signal } = reading
    const calendar = { integrationId: integration.id, calendarId }
    const window = windowAt(now)
    const known = await findCalendar(scope, calendar)
    const isFresh = known !== null && now.getTime() - known.readWholeAt.getTime() < wholeEveryMs
    const ask: AskPage = (toRequest) => {
      requireTime(signal)
      return callApi(scope, integration.id, toRequest)
    }
    const pages = pagesOf(integration)
    const { changes, token, isWhole } = await readCalendar(ask, pages, {
      calendarId,
      window,
      token: isFresh ? known.syncToken : null,
    })
    const gone = isWhole ? unnamed(await listLiveKeys(scope, calendar), changes) : []
    const refusals = await applyAll(reading, [...changes, ...gone], window)
    // Without the token the same is read again: what was refused may be allowed then.
    if (refusals[0] !== undefined) throw new ReadFailure(refusals[0].code)
    const readWholeAt = isWhole || known === null ? now : known.readWholeAt
    await saveCalendar(scope, { ...calendar, syncToken: token, readWholeAt, now })
  }

  /** One event that a limit refuses does not keep the others from being followed. */
  async function applyAll(reading: Reading, changes: CalendarChange[], window: Window): Promise<Refusal[]> {
    const refusals: Refusal[] = []
    for (const change of changes) {
      requireTime(reading.signal)
      try {
        await apply(reading, change, window)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refusals.push(error)
      }
    }
    return refusals
  }

  const apply = ({ scope, integration, calendarId }: Reading, change: CalendarChange, window: Window): Promise<void> =>
    transaction(scope, async (tx) => {
      const event = { integrationId: integration.id, calendarId, key: change.key }
      const locked = await lockEvent(tx, event)
      // The integration has just been disconnected.
      if (locked === null) return
      const { meetingId } = locked
      const known = meetingId === null ? null : { ...locked, meetingId }
      const step = nextStep(change, known, window)
      if (step.kind === 'none' && known === null) return deleteEvent(tx, event)
      if (step.kind === 'none') return known?.isGone ? undefined : tell(tx, integration, { change, meetingId })
      const next = await perform(tx, integration, { step, meetingId })
      if (next === null) return deleteEvent(tx, event)
      const isGone = step.kind === 'cancel'
      const fingerprint = isGone ? (known?.fingerprint ?? '') : fingerprintOf(step.entry)
      const endsAt = step.kind === 'cancel' ? null : step.entry.endAt
      await saveEvent(tx, { ...event, meetingId: next, fingerprint, isGone, endsAt })
      await tell(tx, integration, { change, meetingId: next })
    })

  /** An answer to an invitation does not change the meeting, but may concern its bot. */
  async function tell(
    tx: TenantScope,
    integration: Integration,
    { change: { entry }, meetingId }: { change: CalendarChange; meetingId: string | null },
  ): Promise<void> {
    const userId = ownerOf(integration)
    if (entry === null || meetingId === null || userId === null) return
    await followAttendance(tx, { ...entry.attendance, orgId: integration.orgId, userId, meetingId })
  }

  /** The meeting of the event after the step; null: nobody can own one. */
  async function perform(
    tx: TenantScope,
    integration: Integration,
    { step, meetingId }: { step: Exclude<Step, { kind: 'none' }>; meetingId: string | null },
  ): Promise<string | null> {
    const userId = ownerOf(integration)
    if (userId === null) return meetingId
    const user = { id: userId }
    if (step.kind === 'create') return meetings.plan(tx, user, { ...planned(step.entry), orgId: integration.orgId })
    // What people began, ended or deleted is theirs: the meeting stays as it is.
    if (meetingId === null) return null
    if (step.kind === 'cancel') await meetings.cancel(tx, user, meetingId, step.cause)
    else await meetings.follow(tx, user, meetingId, planned(step.entry))
    return meetingId
  }

  function planned({ title, startAt, endAt, event, links }: CalendarEntry) {
    const read = links.flatMap((link) => readMeetingLink(link, meetingHosts) ?? [])
    // A page that we know to be a meeting goes before any other address.
    const joinUrl = (read.find(({ platform }) => platform !== null) ?? read[0])?.url ?? null
    return { title, scheduledAt: startAt, scheduledEnd: endAt, joinUrl, calendarEvent: event }
  }

  return { sync }
}

/** Null: nobody can own its meetings. */
const ownerOf = ({ userId, connectedBy }: Integration): string | null => userId ?? connectedBy

function requireTime(signal: AbortSignal): void {
  if (signal.aborted) throw new ReadFailure('TIMED_OUT')
}

function pagesOf({ provider }: Integration): CalendarPages {
  if (provider === 'google' || provider === 'microsoft') return calendarPages[provider]
  throw new Error(`${provider} has no calendars`)
}
