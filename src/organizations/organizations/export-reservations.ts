import { Refusal } from '../../kernel/refusal.ts'

/**
 * One export at a time of an organization and of a user, until it is downloaded: each takes a turn from all others and room
 * on the disk. Counted by each node, as both are the node's. Refuses RATE_LIMITED.
 */
export function exportReservations() {
  const reserved = new Set<string>()

  return (ids: string[]): (() => void) => {
    if (ids.some((id) => reserved.has(id)))
      throw new Refusal('RATE_LIMITED', {
        detail: 'An export of this organization, or another one of yours, is still being written or downloaded.',
        retryAfterSeconds: 5,
      })
    for (const id of ids) reserved.add(id)
    let isReleased = false
    return () => {
      // A file both ends and closes; the next export may have begun between.
      if (isReleased) return
      isReleased = true
      for (const id of ids) reserved.delete(id)
    }
  }
}
