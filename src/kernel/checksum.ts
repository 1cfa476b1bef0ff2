import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The source of random bytes: `node:crypto` randomBytes in production, a known sequence in tests. */
export type RandomBytes = (bytes: number) => Buffer

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Crockford's base32 (crockford.com/base32.html): no I, L, O, which look like 1 and 0, and no U. */
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 62^6 is the first power of 62 above 2^32. */
const base62CheckLength = 6
const base32CheckLength = 5
/** Five base32 characters of five bits each. */
const base32CheckBits = 25

/** `length` base62 characters, each equally likely. */
export function randomBase62(length: number, random: RandomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      // 248 is the last multiple of 62 in a byte: taking the bytes above it would favour the first eight characters.
      if (byte < 248) text += base62.charAt(byte % 62)
    }
  }
  return text
}

/** `length` Crockford base32 characters, each equally likely. */
export function randomBase32(length: number, random: RandomBytes): string {
  return Array.from(random(length), (byte) => base32.charAt(byte % 32)).join('')
}

/** A number as exactly `length` base62 characters, most significant first. It must fit. */
export function toBase62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = base62.charAt(Number(rest % 62n)) + text
  return text
}

/** Appends the CRC-32 of the text in base62: any single wrong character is found without the database. */
export function withBase62Check(text: string): string {
  return text + toBase62(BigInt(crc32(text)), base62CheckLength)
}

export function hasBase62Check(text: string): boolean {
  return withBase62Check(text.slice(0, -base62CheckLength)) === text
}

/** SHA-256 (32 bytes) of a text. Stored in place of a secret that is too long to be guessed, and so needs no salt. */
export function sha256Digest(text: string): Buffer {
  // The way through hex takes a quarter of the time (Node 24), and each request hashes a key or two.
  return Buffer.from(hash('sha256', text), 'hex')
}

/** The lower 25 bits of the CRC-32 as five base32 characters. They differ for any two texts that are one typing error apart. */
export function base32Check(text: string): string {
  const bits = crc32(text) % 2 ** base32CheckBits
  let check = ''
  for (let at = base32CheckLength - 1; at >= 0; at--) check += base32.charAt((bits >>> (5 * at)) % 32)
  return check
}

/** One key for parts of any length: `kind:` and 64 hexadecimal digits. */
export function hashedKey(kind: string, ...parts: string[]): string {
  return `${kind}:${hash('sha256', JSON.stringify(parts), 'hex')}`
}
