import { base32Check, type RandomBytes, randomBase32, sha256Digest } from '../../kernel/checksum.ts'

/** 20 base32 characters hold 100 bits; the last group of five is the check. */
const randomLength = 20
/** Room for a key with a space around each of its characters; longer texts are not looked at. */
const textLengthMax = 128
const form = /^ATR[0-9A-HJKMNP-TV-Z]{25}$/
const printedForm = /^ATR(?:-[0-9A-HJKMNP-TV-Z]{5}){5}$/

/** A new key in its normal form: `ATR-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX`. */
export function newLicenseKey(random: RandomBytes): string {
  const body = randomBase32(randomLength, random)
  return normalForm(body + base32Check(body))
}

/**
 * A key as a person may have typed it: any case, with or without spaces and hyphens, O for 0, I and L for 1.
 * Returns the normal form and its SHA-256 (32 bytes), or null for what no key can be, without a look-up.
 */
export function parseLicenseKey(text: unknown): { normal: string; hash: Buffer } | null {
  if (typeof text !== 'string' || text.length > textLengthMax) return null
  // As it was printed, which nearly every program sends.
  if (printedForm.test(text)) return checked(text.slice('ATR-'.length).replaceAll('-', ''), text)
  // \p{Pd} because word processors turn a hyphen into a dash.
  const typed = text.replace(/[\s\p{Pd}]/gu, '')
  // Only ASCII is folded: other scripts have letters whose upper case is an ASCII one.
  if (!/^[0-9A-Za-z]*$/.test(typed)) return null
  const read = typed.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  if (!form.test(read)) return null

  const characters = read.slice('ATR'.length)
  return checked(characters, normalForm(characters))
}

function checked(characters: string, normal: string): { normal: string; hash: Buffer } | null {
  if (base32Check(characters.slice(0, randomLength)) !== characters.slice(randomLength)) return null
  return { normal, hash: sha256Digest(normal) }
}

function normalForm(characters: string): string {
  return `ATR-${characters.match(/.{5}/g)?.join('-')}`
}
