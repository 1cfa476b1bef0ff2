import { hasBase62Check, type RandomBytes, randomBase62, sha256Digest, withBase62Check } from './checksum.ts'

/** 43 base62 characters hold 256 bits, the size of an HMAC-SHA256: nobody can guess the token, and its hash needs no salt. */
export const secretLength = 43
const checkLength = 6

/** Tokens that start with a prefix: how to create one, and the hash (SHA-256, 32 bytes) under which one is stored. */
export function secretToken(prefix: string) {
  const length = prefix.length + secretLength + checkLength
  return {
    /** The token is shown once; only its hash is stored. */
    create: (random: RandomBytes): { token: string; tokenHash: Buffer } => {
      const token = withBase62Check(prefix + randomBase62(secretLength, random))
      return { token, tokenHash: sha256Digest(token) }
    },
    /** Null if the text cannot be such a token. */
    hash: (text: unknown): Buffer | null =>
      typeof text === 'string' && text.startsWith(prefix) && text.length === length && hasBase62Check(text)
        ? sha256Digest(text)
        : null,
  }
}
