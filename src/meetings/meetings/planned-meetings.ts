import { Refusal } from '../../kernel/refusal.ts'
import type { TenantScope } from '../../storage/scope.ts'
import type { CancelCause } from './meeting.rules.ts'
import type { Meetings } from './meeting.service.ts'
import { getMeeting } from './meeting-access.ts'
import type { CalendarEvent } from './meeting-place.rules.ts'

type Planned = {
  title: string
  scheduledAt: Date
  scheduledEnd: Date
  joinUrl: string | null
  calendarEvent: CalendarEvent
}
type User = { id: string }

export type PlannedMeetings = ReturnType<typeof plannedMeetings>

/** Meetings that follow the events of a calendar until somebody begins them. */
export function plannedMeetings(meetings: Pick<Meetings, 'create' | 'update' | 'changeStatus'>) {
  /** @returns its id. Refuses as the creation of a meeting by its user does. */
  async function plan(tx: TenantScope, user: User, { orgId, ...planned }: Planned & { orgId: string | null }) {
    const { meeting } = await meetings.create(tx, user, { ...body(planned), ...(orgId === null ? {} : { orgId }) })
    return meeting.id
  }

  /** Does nothing where the meeting is gone, or no longer scheduled. */
  async function follow(tx: TenantScope, user: User, id: string, planned: Planned): Promise<void> {
    if (await isScheduled(tx, user, id)) await meetings.update(tx, { user, id }, body(planned))
  }

  /** Does nothing where the meeting is gone, or no longer scheduled. */
  async function cancel(tx: TenantScope, user: User, id: string, cause: CancelCause | null): Promise<void> {
    if (await isScheduled(tx, user, id)) await meetings.changeStatus(tx, { user, id }, 'cancel', cause)
  }

  return { plan, follow, cancel }
}

async function isScheduled(tx: TenantScope, user: User, id: string): Promise<boolean> {
  try {
    return (await getMeeting(tx, user, id)).status === 'scheduled'
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return false
    throw error
  }
}

function body({ scheduledAt, scheduledEnd, ...planned }: Planned) {
  return { ...planned, scheduledAt: scheduledAt.toISOString(), scheduledEnd: scheduledEnd.toISOString() }
}
