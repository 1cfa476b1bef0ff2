import { hash } from 'node:crypto'

const keyBytes = 32
/** More of a text makes no difference. */
const textLengthMax = 640

/** Makes of who somebody is what is kept: 32 hexadecimal digits. */
export type VisitorHash = (text: string) => string

/**
 * The first half of SHA-256 over key and text. As good as HMAC because half of it is left out, from which alone anybody
 * could go on (Bellare, Bernstein, Tessaro: Hash-Function Based PRFs: AMAC, 2016), at less than half its cost; every visit
 * needs one.
 */
export function visitorHashOf(key: Buffer): VisitorHash {
  if (key.length !== keyBytes) throw new Error('A key has 32 bytes.')
  const digits = key.toString('hex')
  return (text) => hash('sha256', digits + text.slice(0, textLengthMax)).slice(0, 32)
}
