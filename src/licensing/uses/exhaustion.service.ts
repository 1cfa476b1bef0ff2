import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { deleteExhaustions } from './use.store.ts'

/** In one transaction. */
const batchMax = 200

/** Tells of licenses whose last use was taken: each time once, by whichever node. */
export async function emitExhausted(platform: PlatformScope, events: EventBus): Promise<void> {
  for (;;) {
    const told = await transaction(platform, async (tx) => {
      const exhausted = await deleteExhaustions(tx, batchMax)
      for (const license of exhausted) await events.emit(tx, 'license.exhausted', license)
      return exhausted.length
    })
    if (told < batchMax) return
  }
}
