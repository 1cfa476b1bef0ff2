import { hash } from 'node:crypto'

const keyBytes = 32
/** Texts are cut to this length. */
const textLengthMax = 640

/** Hashes a visitor's identity to 32 hexadecimal digits. */
export type VisitorHash = (text: string) => string

/**
 * The first half of SHA-256 over key and text. Truncation makes it as strong as HMAC, because extending the hash needs the
 * other half (Bellare, Bernstein, Tessaro: Hash-Function Based PRFs: AMAC, 2016), at less than half the cost. Every visit
 * needs one.
 */
export function createVisitorHash(key: Buffer): VisitorHash {
  if (key.length !== keyBytes) throw new Error('A key has 32 bytes.')
  const digits = key.toString('hex')
  return (text) => hash('sha256', digits + text.slice(0, textLengthMax)).slice(0, 32)
}
