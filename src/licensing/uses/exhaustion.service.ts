import type { EventBus } from '../../storage/events.ts'
import { type PlatformScope, transaction } from '../../storage/scope.ts'
import { takeExhausted } from './use.store.ts'

/** In one transaction. */
const portion = 200

/** Tells of licenses whose last use was taken: each time once, by whichever node. */
export async function tellExhausted(platform: PlatformScope, events: EventBus): Promise<void> {
  for (;;) {
    const told = await transaction(platform, async (tx) => {
      const exhausted = await takeExhausted(tx, portion)
      for (const license of exhausted) await events.emit(tx, 'license.exhausted', license)
      return exhausted.length
    })
    if (told < portion) return
  }
}
