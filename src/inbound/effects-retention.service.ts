import { deleteMessagesBefore } from '../email/inbox/mail-message.store.ts'
import type { Clock } from '../kernel/clock.ts'
import { deleteDraftsBefore } from '../meetings/answers/drafted-answer.store.ts'
import { type PlatformScope, transaction } from '../storage/scope.ts'

const keptMs = 90 * 24 * 60 * 60 * 1000
/** A mail may have 25 MiB: a transaction stays short with so many. */
const portionRows = 100

/** Removes mails and drafted answers after 90 days. May be cut short anywhere, and run on several nodes at once. */
export async function clearOldEffects(platform: PlatformScope, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
  for (const removePortion of [deleteMessagesBefore, deleteDraftsBefore]) {
    let removed: number
    do {
      removed = await transaction(platform, (tx) => removePortion(tx, before, portionRows))
    } while (removed === portionRows)
  }
}
