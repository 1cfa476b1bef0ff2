import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * A token finds a mail of ours again: 80 random bits, and 50 bits of an HMAC of them, so that a guessed one is known as wrong
 * without a look into the database. 26 letters of base32 (RFC 4648) in lower case, because local parts lose their case.
 */
export type TokenUse =
  /** In Reply-To and Message-ID. */
  | 'reply'
  /** In the envelope sender of an automatic mail. What comes there is never answered. */
  | 'bounce'
  /** In the subject of the mail of a round trip. */
  | 'verify'

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const macLength = 10

const tokenPattern = /^[a-z2-7]{26}$/

/** Whether a text has the form of a token, in any letter case. */
export function looksLikeToken(text: string): boolean {
  return tokenPattern.test(text.toLowerCase())
}

export type Tokens = ReturnType<typeof tokensWith>

export function tokensWith(key: Buffer) {
  const mac = (use: TokenUse, random: Buffer): string =>
    toBase32(createHmac('sha256', key).update(`${use}:`).update(random).digest()).slice(0, macLength)
  return {
    /** @param random 10 bytes */
    write: (use: TokenUse, random: Buffer): string => toBase32(random) + mac(use, random),
    /** The random bytes of a token of this use; null for any other text. */
    read: (use: TokenUse, text: string): Buffer | null => {
      const token = text.toLowerCase()
      if (!tokenPattern.test(token)) return null
      const random = fromBase32(token.slice(0, -macLength))
      return timingSafeEqual(Buffer.from(mac(use, random)), Buffer.from(token.slice(-macLength))) ? random : null
    },
  }
}

/** The bits that do not fill a letter are left out. */
function toBase32(bytes: Buffer): string {
  let [text, bits, count] = ['', 0, 0]
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff
    for (count += 8; count >= 5; count -= 5) text += alphabet.charAt((bits >>> (count - 5)) & 31)
  }
  return text
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let [bits, count] = [0, 0]
  for (const letter of text) {
    bits = ((bits << 5) | alphabet.indexOf(letter)) & 0xfff
    count += 5
    if (count < 8) continue
    count -= 8
    bytes.push((bits >>> count) & 255)
  }
  return Buffer.from(bytes)
}
