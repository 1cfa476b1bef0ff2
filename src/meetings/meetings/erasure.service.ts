import { eraseStoredAnswers } from '../../http/idempotency.store.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { inTenant, type PlatformScope, type Scope, transaction } from '../../storage/scope.ts'
import { deleteMeeting, lockExpiredMeetings, lockUserMeetings, type MeetingKey } from './meeting.store.ts'
import type { NotifyMeetingChange } from './meeting-changes.ts'

export type ErasureDeps = { clock: Clock; events: EventBus; audit: Audit; notifyChange: NotifyMeetingChange }

/** The meetings of one transaction. Each may have 200,000 entries. */
const batchMeetings = 20

/** Erases meetings that have expired or whose owner was removed. */
export function erasureService({ clock, events, audit, notifyChange }: ErasureDeps) {
  /** Can be interrupted anywhere, and can run on several nodes at the same time. */
  async function eraseExpired(platform: PlatformScope): Promise<void> {
    const now = clock.now()
    for (;;) {
      const erased = await transaction(platform, async (tx) => {
        const meetings = await lockExpiredMeetings(tx, now, batchMeetings)
        await erase(tx, meetings)
        for (const { tenantId, id } of meetings)
          await audit(inTenant(tx, tenantId), { action: 'meeting.expire', target: { type: 'meeting', id } })
        return meetings.length
      })
      if (erased < batchMeetings) return
    }
  }

  async function eraseMeetingsOfUser(
    tx: Scope,
    { tenantId, userId }: { tenantId: string; userId: string },
  ): Promise<void> {
    const scope = inTenant(tx, tenantId)
    const meetings = await lockUserMeetings(scope, userId)
    if (meetings.length === 0) return
    await erase(scope, meetings)
    const changes = { meetings: meetings.length }
    await audit(scope, { action: 'meeting.delete', target: { type: 'user', id: userId }, changes })
  }

  async function erase(tx: Scope, meetings: MeetingKey[]): Promise<void> {
    for (const { tenantId, id } of meetings) {
      const scope = inTenant(tx, tenantId)
      await deleteMeeting(scope, id)
      notifyChange(scope, { id })
    }
    await eraseStoredAnswers(
      tx,
      meetings.map(({ id }) => id),
    )
    for (const [tenantId, own] of Map.groupBy(meetings, (meeting) => meeting.tenantId))
      await events.emit(tx, 'meetings.deleted', { tenantId, meetingIds: own.map(({ id }) => id) })
  }

  return { eraseExpired, eraseMeetingsOfUser }
}
