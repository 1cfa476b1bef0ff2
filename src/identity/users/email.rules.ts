import { sha256Digest } from '../../kernel/checksum.ts'
import { invalidField } from '../../kernel/refusal.ts'

/** RFC 5321 section 4.5.3.1.3 allows a path of 256 octets, including two angle brackets. */
const lengthMax = 254
/** RFC 5321 section 4.5.3.1.1. */
const localLengthMax = 64
/** Before normalization, which may shorten a text. Bounds the work on a hostile input; no real address is this long. */
const textLengthMax = 1024

/** One dot-separated part before the @: letters of any script (RFC 6531) and the atext characters of RFC 5322 section 3.2.3. */
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+$/u
/** A domain label of 1 to 63 characters (RFC 1035 section 2.3.4) that neither starts nor ends with a hyphen. */
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/**
 * An e-mail address in the form in which it is stored and compared: NFKC, trimmed, lower case; null if it is not valid.
 * It is checked after normalization, which can turn look-alike characters into an @ or a dot.
 */
export function normalizeEmail(text: string): string | null {
  if (text.length > textLengthMax) return null
  // Normalized twice, because lower-casing can produce letters that combine with a following accent.
  const email = text.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
  const [local, domain, ...more] = email.split('@')
  if (!local || !domain || more.length > 0 || email.length > lengthMax) return null
  return isLocal(local) && isDomain(domain) ? email : null
}

/** The address in its stored form. Refuses VALIDATION_ERROR at `path` if it is not valid. */
export function parseEmail(text: string, path = '/body/email'): string {
  const email = normalizeEmail(text)
  if (email === null) throw invalidField(path, { code: 'format', message: 'must be an e-mail address' })
  return email
}

/** The key under which failed logins of an address (in its stored form) are counted. */
export function hashEmail(email: string): Buffer {
  return sha256Digest(email)
}

function isLocal(local: string): boolean {
  return local.length <= localLengthMax && local.split('.').every((part) => localPart.test(part))
}

function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  const isIpAddress = /^\d+$/.test(labels.at(-1) ?? '')
  return labels.length >= 2 && !isIpAddress && labels.every((label) => domainLabel.test(label))
}
