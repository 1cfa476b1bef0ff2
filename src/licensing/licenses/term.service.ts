import type { Clock } from '../../kernel/clock.ts'
import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { takeTermEnds, termStages } from './term.store.ts'

/** Early enough to buy another license. */
const noticeMs = 7 * 24 * 3600 * 1000

/** Licenses per transaction. */
const batchMax = 200

type TermEventDeps = { platform: PlatformScope; clock: Clock; events: EventBus }

/** Emits `license.expiring` a week before a license expires and `license.expired` afterwards, each once per term. Runs on any node. */
export async function emitTermEvents(deps: TermEventDeps): Promise<void> {
  const now = deps.clock.now()
  await emitStage(deps, { told: termStages.nothing, until: new Date(now.getTime() + noticeMs), now })
  await emitStage(deps, { told: termStages.ending, until: now, now })
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
