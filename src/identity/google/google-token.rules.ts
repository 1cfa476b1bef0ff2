/** What a verified ID token says about a person. `subject` is Google's id of the account, which never changes. */
export type GoogleIdentity = { subject: string; email: string; name: string | null }

/** Why an ID token is invalid, in words for a developer. They reveal no secret. */
export type TokenFault =
  | 'it is not a signed token of the expected form'
  | 'it is not signed with a key of Google'
  | 'it was not issued by Google'
  | 'it was issued for another application'
  | 'it has expired'
  | 'it was issued too long ago, or in the future'
  | 'it has another nonce'
  | 'its e-mail address is not verified'

export type ClaimsResult = ({ ok: true } & GoogleIdentity) | { ok: false; fault: TokenFault }

/** Both spellings are in use: https://developers.google.com/identity/openid-connect/openid-connect#validatinganidtoken */
const issuers = ['accounts.google.com', 'https://accounts.google.com']
/** A token is issued for one sign-in, so an old one is suspicious. Google's tokens expire after an hour. */
const ageSecondsMax = 3600
/** Tolerance for clocks that differ. */
const futureSeconds = 60
const subjectFormat = /^[\x21-\x7e]{1,255}$/
const nameLengthMax = 200

export type Expected = { clientIds: string[]; nonce: string | null; now: Date }

/** Checks the claims of a token with a valid signature (OpenID Connect Core section 3.1.3.7). */
export function verifyClaims(claims: Record<string, unknown>, { clientIds, nonce, now }: Expected): ClaimsResult {
  const seconds = now.getTime() / 1000
  const { iss, aud, sub, exp, iat, email } = claims
  const invalid = (fault: TokenFault): ClaimsResult => ({ ok: false, fault })
  if (typeof iss !== 'string' || !issuers.includes(iss)) return invalid('it was not issued by Google')
  if (typeof aud !== 'string' || !clientIds.includes(aud)) return invalid('it was issued for another application')
  if (!isTime(exp) || exp <= seconds) return invalid('it has expired')
  if (!isTime(iat) || iat > seconds + futureSeconds || iat < seconds - ageSecondsMax)
    return invalid('it was issued too long ago, or in the future')
  if (nonce !== null && claims['nonce'] !== nonce) return invalid('it has another nonce')
  if (typeof email !== 'string' || claims['email_verified'] !== true)
    return invalid('its e-mail address is not verified')
  if (typeof sub !== 'string' || !subjectFormat.test(sub))
    return invalid('it is not a signed token of the expected form')
  return { ok: true, subject: sub, email, name: storableName(claims['name']) }
}

/** The key id in the header of a token; null for any algorithm but RS256 (RFC 8725 section 3.1). */
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

/** The name is optional: one that cannot be stored is dropped, and the sign-in continues. */
function storableName(value: unknown): string | null {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return null
  const name = value.trim()
  return name !== '' && name.length <= nameLengthMax ? name : null
}
