import { hasBase62Check, type RandomBytes, randomBase62, sha256Digest, withBase62Check } from '../../kernel/checksum.ts'

export type TokenPurpose = 'VERIFY_EMAIL' | 'RESET_PASSWORD'

const prefixes: Record<TokenPurpose, string> = { VERIFY_EMAIL: 'atrv_', RESET_PASSWORD: 'atrp_' }
/** 43 base62 characters hold 256 bits: the token cannot be guessed, and its hash needs no salt. */
const secretLength = 43
const format = /^atr[vp]_[0-9A-Za-z]{49}$/

const hourMs = 3600 * 1000
/** A reset token gives access to the account, so it is short-lived. The other one only verifies an address. */
const lifetimeMs: Record<TokenPurpose, number> = { VERIFY_EMAIL: 24 * hourMs, RESET_PASSWORD: hourMs }

/** A token for a mail. Only its hash is stored. */
export function newAccountToken(purpose: TokenPurpose, random: RandomBytes): string {
  return withBase62Check(prefixes[purpose] + randomBase62(secretLength, random))
}

/** The hash (SHA-256) under which a token is stored; null if the text cannot be a token of this purpose. */
export function hashAccountToken(purpose: TokenPurpose, text: string): Buffer | null {
  const token = text.trim() // people copy it from a mail
  if (!format.test(token) || !token.startsWith(prefixes[purpose]) || !hasBase62Check(token)) return null
  return sha256Digest(token)
}

export function tokenExpiry(purpose: TokenPurpose, now: Date): Date {
  return new Date(now.getTime() + lifetimeMs[purpose])
}
