import { createHmac, type KeyObject, sign as signWith } from 'node:crypto'
import { type Algorithm, createVerifier } from 'fast-jwt'
import type { RawDelivery } from '../incoming-delivery.ts'
import { type JsonObject, parseJsonObject, valueAt } from '../json.ts'
import { identifierAt } from './identifiers.ts'
import { type Failure, failure, readHeader } from './signature.ts'

/** A token (RFC 7519) as it came. Trust nothing in it before its signature is checked. */
export type Token = {
  algorithm: string
  keyId: string | null
  claims: JsonObject
  text: string
}

/** Tokens of Bot Framework have 1.5 KB. */
const tokenLengthMax = 8192
const bearer = new RegExp(
  `^Bearer ([\\w-]{1,${tokenLengthMax}}\\.[\\w-]{1,${tokenLengthMax}}\\.[\\w-]{1,${tokenLengthMax}})$`,
)

/** The token of `Authorization: Bearer`, or why there is none. */
export function readToken(raw: RawDelivery): Token | Failure {
  const text = readHeader(raw, { name: 'authorization', pattern: bearer })
  if (typeof text !== 'string') return text
  const malformed = failure('SIGNATURE_MALFORMED', 'the bearer token has the wrong format')
  if (text.length > tokenLengthMax) return malformed
  const [head = '', body = '', signature = ''] = text.split('.')
  const header = parseJsonObject(Buffer.from(head, 'base64url'))
  const claims = parseJsonObject(Buffer.from(body, 'base64url'))
  // The last character can be written in several ways for the same bytes. `crit` names extensions that we do not have.
  const isCanonical = Buffer.from(signature, 'base64url').toString('base64url') === signature
  if (header === null || claims === null || !isCanonical || Object.hasOwn(header, 'crit')) return malformed
  const algorithm = valueAt(header, 'alg')
  if (typeof algorithm !== 'string') return malformed
  return { algorithm, keyId: identifierAt(header, 'kid'), claims, text }
}

/** Whether the token is signed with this secret (HS256). False for any other algorithm. */
export function isSignedWithSecret(token: Token, secret: string): boolean {
  return isSigned(token, secret, ['HS256'])
}

/** Whether the token is signed with this key (PEM). False for HS256: there a public key could pass as a secret. */
export function isSignedWithKey(token: Token, pem: string): boolean {
  return isSigned(token, pem, ['RS256', 'RS384', 'RS512'])
}

function isSigned({ text }: Token, key: string, algorithms: Algorithm[]): boolean {
  try {
    // `checkTokenTimes` checks the times by our clock and reports a cause of its own.
    createVerifier({ key, algorithms, ignoreExpiration: true, ignoreNotBefore: true })(text)
    return true
  } catch {
    return false
  }
}

/** Null where the token is valid now. It must have an expiry. */
export function checkTokenTimes(
  claims: JsonObject,
  { now, skewSeconds }: { now: Date; skewSeconds: number },
): Failure | null {
  const seconds = now.getTime() / 1000
  const { exp, nbf = 0, iat = 0 } = claims
  if (typeof exp !== 'number') return failure('TIMESTAMP_MISSING', 'the token has no exp')
  if (typeof nbf !== 'number' || typeof iat !== 'number')
    return failure('SIGNATURE_MALFORMED', 'nbf or iat of the token is not a number')
  const lateSeconds = Math.round(seconds - exp)
  if (!(exp > seconds - skewSeconds)) return failure('TOKEN_EXPIRED', `the token expired ${lateSeconds} s ago`)
  const earlySeconds = Math.round(Math.max(nbf, iat) - seconds)
  if (Math.max(nbf, iat) > seconds + skewSeconds)
    return failure('TIMESTAMP_STALE', `the token becomes valid in ${earlySeconds} s`)
  return null
}

type Signing = { claims: object; header?: object; key: string | KeyObject }

/** For samples: signs with HS256 for a text and with RS256 for a private key. */
export function signToken({ claims, header = {}, key }: Signing): string {
  const isHmac = typeof key === 'string'
  const parts = [{ alg: isHmac ? 'HS256' : 'RS256', typ: 'JWT', ...header }, claims]
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = isHmac
    ? createHmac('sha256', key).update(signed).digest()
    : signWith('RSA-SHA256', Buffer.from(signed), key)
  return `${signed}.${signature.toString('base64url')}`
}
