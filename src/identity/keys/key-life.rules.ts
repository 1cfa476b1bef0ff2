import { type Fault, Refusal } from '../../kernel/refusal.ts'
import { type ApiKey, keyStatus } from './key.rules.ts'

/** An `expiresAt` as it was sent. Refuses VALIDATION_ERROR for what is not a moment to come, up to the year 9999. */
export function readExpiry(text: string, now: Date): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw notValid('format', 'must be a moment that exists')
  if (at <= now) throw notValid('exclusiveMinimum', 'must be in the future')
  // An offset can push the end of 9999 into a year that ISO 8601 writes with six digits.
  if (at.getUTCFullYear() > 9999) throw notValid('maximum', 'must be before the year 10000')
  return at
}

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

function notValid(code: string, message: string): Refusal {
  const fault: Fault = { path: '/body/expiresAt', code, message }
  return new Refusal('VALIDATION_ERROR', { detail: `${fault.path} ${message}.`, errors: [fault] })
}
