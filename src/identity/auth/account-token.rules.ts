import type { RandomBytes } from '../../kernel/checksum.ts'
import { secretToken } from '../../kernel/secret-token.ts'

export type TokenPurpose = 'VERIFY_EMAIL' | 'RESET_PASSWORD'

const tokens = { VERIFY_EMAIL: secretToken('atrv_'), RESET_PASSWORD: secretToken('atrp_') }

const hourMs = 3600 * 1000
/** A reset token gives access to the account, so it is short-lived. The other one only verifies an address. */
const lifetimeMs: Record<TokenPurpose, number> = { VERIFY_EMAIL: 24 * hourMs, RESET_PASSWORD: hourMs }

/** A token for a mail. Only its hash is stored. */
export function newAccountToken(purpose: TokenPurpose, random: RandomBytes): string {
  return tokens[purpose].create(random).token
}

/** The hash (SHA-256) under which a token is stored; null if the text cannot be a token of this purpose. */
export function hashAccountToken(purpose: TokenPurpose, text: string): Buffer | null {
  return tokens[purpose].hash(text.trim()) // people copy it from a mail
}

export function tokenExpiry(purpose: TokenPurpose, now: Date): Date {
  return new Date(now.getTime() + lifetimeMs[purpose])
}
