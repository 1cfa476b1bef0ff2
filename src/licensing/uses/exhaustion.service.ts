import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { deleteExhaustions } from './use.store.ts'

/** Licenses per transaction. */
const batchMax = 200

/** Emits `license.exhausted` once each time the last use of a license was taken. Runs on any node. */
export async function emitExhausted(platform: PlatformScope, events: EventBus): Promise<void> {
  for (;;) {
    const emitted = await transaction(platform, async (tx) => {
      const exhausted = await deleteExhaustions(tx, batchMax)
      for (const license of exhausted) await events.emit(tx, 'license.exhausted', license)
      return exhausted.length
    })
    if (emitted < batchMax) return
  }
}
