import { createHmac } from 'node:crypto'
import { type RandomBytes, toBase62, withBase62Check } from '../../kernel/checksum.ts'
import { secretLength, secretToken } from '../../kernel/secret-token.ts'

const prefix = 'atrr_'
const refreshToken = secretToken(prefix)

/** The first refresh token of a session. It is shown once; only its hash is stored. */
export function newRefreshToken(random: RandomBytes): string {
  return refreshToken.create(random).token
}

/** The hash (SHA-256, 32 bytes) under which a refresh token is stored; null if the text cannot be a refresh token. */
export function hashRefreshToken(text: unknown): Buffer | null {
  return refreshToken.hash(text)
}

/**
 * The refresh token that replaces this one. It is computed from the token and the server's secret, not drawn at random: a
 * client whose answer was lost can repeat the request and gets the same successor, although only hashes are stored.
 */
export function successorToken(token: string, secret: Buffer): string {
  const digest = createHmac('sha256', secret).update(token).digest('hex')
  return withBase62Check(prefix + toBase62(BigInt(`0x${digest}`), secretLength))
}
