import { createHmac } from 'node:crypto'
import {
  hasBase62Check,
  type RandomBytes,
  randomBase62,
  sha256Digest,
  toBase62,
  withBase62Check,
} from '../../kernel/checksum.ts'

const prefix = 'atrr_'
/** 43 base62 characters hold 256 bits, which is also what HMAC-SHA256 gives. */
const secretLength = 43
const form = /^atrr_[0-9A-Za-z]{49}$/

/** The first refresh token of a session, to be shown once and kept nowhere. */
export function newRefreshToken(random: RandomBytes): string {
  return withBase62Check(prefix + randomBase62(secretLength, random))
}

/** The stored hash (SHA-256, 32 bytes) of what a caller sent as a refresh token; null for what none can be, without a look-up. */
export function hashRefreshToken(text: unknown): Buffer | null {
  if (typeof text !== 'string' || !form.test(text) || !hasBase62Check(text)) return null
  return sha256Digest(text)
}

/**
 * The token that follows this one. It is computed, not drawn, so that a client whose answer was lost can ask again within
 * the grace and get the very same successor, although only hashes are stored. Without the server's secret it cannot be computed.
 */
export function successorToken(token: string, secret: Buffer): string {
  const digest = createHmac('sha256', secret).update(token).digest('hex')
  return withBase62Check(prefix + toBase62(BigInt(`0x${digest}`), secretLength))
}
