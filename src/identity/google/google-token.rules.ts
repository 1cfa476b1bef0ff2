/** What a verified ID token says about a person. `subject` is Google's name for the account, and never changes. */
export type GoogleIdentity = { subject: string; email: string; name: string | null }

/** Why an ID token does not hold, in words for a developer: none of them is a secret. */
export type TokenFault =
  | 'it is not a signed token of the expected form'
  | 'no key of Google has signed it'
  | 'it was not issued by Google'
  | 'it was issued for another application'
  | 'it has expired'
  | 'it was issued too long ago, or in the future'
  | 'its nonce is another one'
  | 'its e-mail address is not verified'

export type ClaimsResult = ({ ok: true } & GoogleIdentity) | { ok: false; fault: TokenFault }

/** https://developers.google.com/identity/openid-connect/openid-connect#validatinganidtoken: both spellings are in use. */
const issuers = ['accounts.google.com', 'https://accounts.google.com']
/** A token is made for the sign-in that shows it: an older one has lain about. Google's own live an hour. */
const ageSecondsMax = 3600
/** Room for the difference of two clocks. */
const futureSeconds = 60
const subjectForm = /^[\x21-\x7e]{1,255}$/
const nameLengthMax = 200

export type Expected = { clientIds: string[]; nonce: string | null; now: Date }

/** Judges the claims of a token whose signature is right (OpenID Connect Core section 3.1.3.7). */
export function verifyClaims(claims: Record<string, unknown>, { clientIds, nonce, now }: Expected): ClaimsResult {
  const seconds = now.getTime() / 1000
  const { iss, aud, sub, exp, iat, email } = claims
  const no = (fault: TokenFault): ClaimsResult => ({ ok: false, fault })
  if (typeof iss !== 'string' || !issuers.includes(iss)) return no('it was not issued by Google')
  if (typeof aud !== 'string' || !clientIds.includes(aud)) return no('it was issued for another application')
  if (!isTime(exp) || exp <= seconds) return no('it has expired')
  if (!isTime(iat) || iat > seconds + futureSeconds || iat < seconds - ageSecondsMax)
    return no('it was issued too long ago, or in the future')
  if (nonce !== null && claims['nonce'] !== nonce) return no('its nonce is another one')
  if (typeof email !== 'string' || claims['email_verified'] !== true) return no('its e-mail address is not verified')
  if (typeof sub !== 'string' || !subjectForm.test(sub)) return no('it is not a signed token of the expected form')
  return { ok: true, subject: sub, email, name: storableName(claims['name']) }
}

/** The id of the key that a token says it was signed with; null for anything but RS256 (RFC 8725 section 3.1). */
export function parseKeyId(token: string): string | null {
  const header = parseJsonObject(token.slice(0, token.indexOf('.')))
  if (header === null || header['alg'] !== 'RS256' || 'crit' in header) return null
  const { kid } = header
  return typeof kid === 'string' && kid.length > 0 && kid.length <= 256 ? kid : null
}

function parseJsonObject(base64url: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** A name is decoration: one that cannot be stored is left out and stops nobody. */
function storableName(value: unknown): string | null {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return null
  const name = value.trim()
  return name !== '' && name.length <= nameLengthMax ? name : null
}
