import { Refusal } from '../../kernel/refusal.ts'
import { type KeyLifecycle, keyStatus } from './key.rules.ts'

/** When a rotated key expires: after the overlap, but never later than it already would. */
export function overlapEnd(key: Pick<KeyLifecycle, 'expiresAt'>, overlapSeconds: number, now: Date): Date {
  const end = new Date(now.getTime() + overlapSeconds * 1000)
  return key.expiresAt !== null && key.expiresAt < end ? key.expiresAt : end
}

/** Longer than apps usually wait between two polls. The overlap of a rotation covers apps that call less often. */
const quietMs = 15 * 60 * 1000

/** Refuses STATE_CONFLICT, with the time of the last use, for a key that is still in use. */
export function refuseInUse({ lastUsedAt }: Pick<KeyLifecycle, 'lastUsedAt'>, now: Date): void {
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= quietMs) return
  const detail = `The old key was last used at ${lastUsedAt.toISOString()}, less than 15 minutes ago. Send force: true to end it anyway.`
  throw new Refusal('STATE_CONFLICT', { detail })
}

/** Refuses KEY_NOT_ACTIVE. */
export function refuseInactive(key: Pick<KeyLifecycle, 'revokedAt' | 'expiresAt'>, now: Date): void {
  const status = keyStatus(key, now)
  if (status !== 'ACTIVE') throw new Refusal('KEY_NOT_ACTIVE', { detail: `The key is ${status}.` })
}

/** Refuses KEY_NOT_ACTIVE, and STATE_CONFLICT for a key that was rotated before. */
export function refuseRotation(
  key: Pick<KeyLifecycle, 'revokedAt' | 'expiresAt'>,
  { successorId, now }: { successorId: string | null; now: Date },
): void {
  refuseInactive(key, now)
  if (successorId === null) return
  throw new Refusal('STATE_CONFLICT', {
    detail: `The key was already rotated. Rotate its successor ${successorId} instead.`,
  })
}
