import { sha256Digest } from '../../kernel/checksum.ts'

/** RFC 5321 section 4.5.3.1.3 allows a path of 256 octets, two of which are its angle brackets. */
const lengthMax = 254
/** RFC 5321 section 4.5.3.1.1. */
const localLengthMax = 64
/** Normalising may shorten a text, but no real address comes near this; it bounds the work on a hostile one. */
const textLengthMax = 1024

/** One dot-separated part before the @: letters of any script (RFC 6531) and the atext signs of RFC 5322 section 3.2.3. */
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+$/u
/** A domain label of 1 to 63 characters (RFC 1035 section 2.3.4), with no hyphen at an end. */
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/**
 * An e-mail address in the one form in which it is stored and compared: NFKC, trimmed, lower case; null if it is none.
 * It is judged after normalising: before, a look-alike of @ or of a dot would pass as a letter and then change its meaning.
 */
export function normalizeEmail(text: string): string | null {
  if (text.length > textLengthMax) return null
  // Twice, because lower case may bring letters that combine with the accents behind them.
  const email = text.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
  const [local, domain, ...more] = email.split('@')
  if (!local || !domain || more.length > 0 || email.length > lengthMax) return null
  return isLocal(local) && isDomain(domain) ? email : null
}

/** By what failed logins of an address, in its stored form, are counted and forgotten. */
export function hashEmail(email: string): Buffer {
  return sha256Digest(email)
}

function isLocal(local: string): boolean {
  return local.length <= localLengthMax && local.split('.').every((part) => localPart.test(part))
}

function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  const isAddress = /^\d+$/.test(labels.at(-1) ?? '')
  return labels.length >= 2 && !isAddress && labels.every((label) => domainLabel.test(label))
}
