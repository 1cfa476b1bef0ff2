import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { takeTermEnds, termStages } from './term.store.ts'

/** So early that somebody can still buy another. */
const noticeMs = 7 * 24 * 3600 * 1000

/** In one transaction. */
const batchMax = 200

type TermEventDeps = { platform: PlatformScope; clock: Clock; events: EventBus }

/** Tells of licenses whose term ends within a week, and of those whose term has ended: each once a term, by whichever node. */
export async function emitTermEvents(telling: TermEventDeps): Promise<void> {
  const now = telling.clock.now()
  await emitStage(telling, { told: termStages.nothing, until: new Date(now.getTime() + noticeMs), now })
  await emitStage(telling, { told: termStages.ending, until: now, now })
}

async function emitStage(
  { platform, events }: TermEventDeps,
  which: { told: number; until: Date; now: Date },
): Promise<void> {
  for (;;) {
    const taken = await transaction(platform, async (tx) => {
      const ends = await takeTermEnds(tx, { ...which, limit: batchMax })
      for (const { isOver, ...end } of ends) await events.emit(tx, isOver ? 'license.expired' : 'license.expiring', end)
      return ends.length
    })
    if (taken < batchMax) return
  }
}
