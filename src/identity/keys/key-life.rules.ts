import { Refusal } from '../../kernel/refusal.ts'
import { type ApiKey, keyStatus } from './key.rules.ts'

/** When a rotated key ends: after the overlap, and never later than it would have. */
export function endOfOverlap(key: Pick<ApiKey, 'expiresAt'>, overlapSeconds: number, now: Date): Date {
  const end = new Date(now.getTime() + overlapSeconds * 1000)
  return key.expiresAt !== null && key.expiresAt < end ? key.expiresAt : end
}

/** Refuses KEY_NOT_ACTIVE. */
export function refuseInactive(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): void {
  const status = keyStatus(key, now)
  if (status !== 'ACTIVE') throw new Refusal('KEY_NOT_ACTIVE', { detail: `The key is ${status}.` })
}
