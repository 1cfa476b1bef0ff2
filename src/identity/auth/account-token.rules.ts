import { hasBase62Check, type RandomBytes, randomBase62, sha256Digest, withBase62Check } from '../../kernel/checksum.ts'

export type TokenPurpose = 'VERIFY_EMAIL' | 'RESET_PASSWORD'

const prefixes: Record<TokenPurpose, string> = { VERIFY_EMAIL: 'atrv_', RESET_PASSWORD: 'atrp_' }
/** 43 base62 characters hold 256 bits: nobody guesses one, and its hash needs no salt. */
const secretLength = 43
const form = /^atr[vp]_[0-9A-Za-z]{49}$/

const hourMs = 3600 * 1000
/** A reset token opens an account, so it is short-lived; the other one proves only an address. */
const lifeMs: Record<TokenPurpose, number> = { VERIFY_EMAIL: 24 * hourMs, RESET_PASSWORD: hourMs }

/** A token to be mailed and kept nowhere in clear. */
export function newAccountToken(purpose: TokenPurpose, random: RandomBytes): string {
  return withBase62Check(prefixes[purpose] + randomBase62(secretLength, random))
}

/** The stored hash (SHA-256) of what was sent as a token; null for what none of the purpose can be, without a look-up. */
export function hashAccountToken(purpose: TokenPurpose, text: string): Buffer | null {
  const sent = text.trim() // copied out of a mail
  if (!form.test(sent) || !sent.startsWith(prefixes[purpose]) || !hasBase62Check(sent)) return null
  return sha256Digest(sent)
}

export function tokenExpiry(purpose: TokenPurpose, now: Date): Date {
  return new Date(now.getTime() + lifeMs[purpose])
}
