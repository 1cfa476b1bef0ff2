import { Refusal } from '../../kernel/refusal.ts'
import { type ApiKey, keyStatus } from './key.rules.ts'

/** When a rotated key ends: after the overlap, and never later than it would have. */
export function overlapEnd(key: Pick<ApiKey, 'expiresAt'>, overlapSeconds: number, now: Date): Date {
  const end = new Date(now.getTime() + overlapSeconds * 1000)
  return key.expiresAt !== null && key.expiresAt < end ? key.expiresAt : end
}

/** Longer than apps commonly wait between two polls; the overlap of a rotation is for those that ask more seldom. */
const quietMs = 15 * 60 * 1000

/** Refuses STATE_CONFLICT, with the moment of the last use, for a key that somebody is still using. */
export function refuseInUse({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>, now: Date): void {
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= quietMs) return
  const detail = `The old key was last used at ${lastUsedAt.toISOString()}, less than 15 minutes ago. Send force: true to end it all the same.`
  throw new Refusal('STATE_CONFLICT', { detail })
}

/** Refuses KEY_NOT_ACTIVE. */
export function refuseInactive(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): void {
  const status = keyStatus(key, now)
  if (status !== 'ACTIVE') throw new Refusal('KEY_NOT_ACTIVE', { detail: `The key is ${status}.` })
}
