import type { Clock } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/refusal.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import type { Endings } from './ending.service.ts'
import { lockOpenSessions } from './session.store.ts'
import { findNamedSession, type NamedSession } from './session-administration.store.ts'

/** Ends the session of anybody, as `ADMIN`. Refuses NOT_FOUND also for one that has ended. */
export function sessionEnder({ clock, endings }: { clock: Clock; endings: Endings }) {
  return (platform: PlatformScope, id: string): Promise<NamedSession> =>
    transaction(platform, async (tx) => {
      const [open] = await lockOpenSessions(tx, { sessionId: id })
      if (open === undefined) throw notFound()
      await endings.end(tx, [open], { reason: 'ADMIN', now: clock.now() })
      const ended = await findNamedSession(tx, open)
      if (ended === null) throw notFound()
      return ended
    })
}

export type EndSession = ReturnType<typeof sessionEnder>
