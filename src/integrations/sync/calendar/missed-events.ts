import type { Clock } from '../../../kernel/clock.ts'
import type { PlannedMeetings } from '../../../meetings/index.ts'
import { type PlatformScope, scopeToTenant, transaction } from '../../../storage/scope.ts'
import { listOverEvents, lockEvent, type OverEvent, saveEvent } from './calendar.store.ts'

const dayMs = 86_400_000
const batch = 200

/** Cancels meetings of calendars that nobody held until a day after their end, whether or not their calendar can still be read. */
export function missedEvents({ clock, meetings }: { clock: Clock; meetings: Pick<PlannedMeetings, 'cancel'> }) {
  const miss = (platform: PlatformScope, { tenantId, userId, ...key }: OverEvent): Promise<void> =>
    transaction(scopeToTenant(platform, tenantId), async (tx) => {
      const event = await lockEvent(tx, key)
      if (event === null || event.meetingId === null || event.isGone) return
      if (event.endsAt === null || event.endsAt > key.endsAt) return
      if (userId !== null) await meetings.cancel(tx, { id: userId }, event.meetingId, 'MISSED')
      await saveEvent(tx, { ...key, ...event, meetingId: event.meetingId, isGone: true })
    })

  return async (platform: PlatformScope): Promise<void> => {
    const before = new Date(clock.now().getTime() - dayMs)
    for (let left = batch; left === batch; ) {
      const over = await listOverEvents(platform, { before, limit: batch })
      for (const event of over) await miss(platform, event)
      left = over.length
    }
  }
}
