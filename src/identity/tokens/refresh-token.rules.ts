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
/** 43 base62 characters hold 256 bits, the size of an HMAC-SHA256. */
const secretLength = 43
const format = /^atrr_[0-9A-Za-z]{49}$/

/** The first refresh token of a session. It is shown once; only its hash is stored. */
export function newRefreshToken(random: RandomBytes): string {
  return withBase62Check(prefix + randomBase62(secretLength, random))
}

/** The hash (SHA-256, 32 bytes) under which a refresh token is stored; null if the text cannot be a refresh token. */
export function hashRefreshToken(text: unknown): Buffer | null {
  if (typeof text !== 'string' || !format.test(text) || !hasBase62Check(text)) return null
  return sha256Digest(text)
}

/**
 * The refresh token that replaces this one. It is computed from the token and the server's secret, not drawn at random: a
 * client whose answer was lost can repeat the request and gets the same successor, although only hashes are stored.
 */
export function successorToken(token: string, secret: Buffer): string {
  const digest = createHmac('sha256', secret).update(token).digest('hex')
  return withBase62Check(prefix + toBase62(BigInt(`0x${digest}`), secretLength))
}
