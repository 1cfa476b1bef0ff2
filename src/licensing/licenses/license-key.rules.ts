import { base32Check, type RandomBytes, randomBase32, sha256Digest } from '../../kernel/checksum.ts'

/** 20 base32 characters hold 100 bits. The last group of five characters is a checksum. */
const randomLength = 20
/** Enough for a key with spaces between all characters. Longer texts are rejected unread. */
const textLengthMax = 128
const format = /^ATR[0-9A-HJKMNP-TV-Z]{25}$/
const printedFormat = /^ATR(?:-[0-9A-HJKMNP-TV-Z]{5}){5}$/

/** A new key in its normalized form: `ATR-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX`. */
export function newLicenseKey(random: RandomBytes): string {
  const body = randomBase32(randomLength, random)
  return normalize(body + base32Check(body))
}

/**
 * Parses a key as a person may type it: in any case, with or without spaces and hyphens, O for 0, I and L for 1.
 * Returns the normalized key and its SHA-256 (32 bytes), or null if the text cannot be a key.
 */
export function parseLicenseKey(text: unknown): { normal: string; hash: Buffer } | null {
  if (typeof text !== 'string' || text.length > textLengthMax) return null
  // The printed format, which nearly every program sends.
  if (printedFormat.test(text)) return checked(text.slice('ATR-'.length).replaceAll('-', ''), text)
  // \p{Pd}, because word processors turn a hyphen into a dash.
  const typed = text.replace(/[\s\p{Pd}]/gu, '')
  // Only ASCII: some letters of other scripts have an ASCII upper case.
  if (!/^[0-9A-Za-z]*$/.test(typed)) return null
  const read = typed.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  if (!format.test(read)) return null

  const characters = read.slice('ATR'.length)
  return checked(characters, normalize(characters))
}

function checked(characters: string, normal: string): { normal: string; hash: Buffer } | null {
  if (base32Check(characters.slice(0, randomLength)) !== characters.slice(randomLength)) return null
  return { normal, hash: sha256Digest(normal) }
}

function normalize(characters: string): string {
  return `ATR-${characters.match(/.{5}/g)?.join('-')}`
}
