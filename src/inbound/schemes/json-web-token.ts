import { createHmac, type KeyObject, sign as signWith } from 'node:crypto'
import { type Algorithm, createVerifier } from 'fast-jwt'
import { valueAt } from '../json.ts'
import type { RawDelivery } from '../scheme.ts'
import { nameAt, type Payload, readPayload } from './payload.ts'
import { type Failure, readHeader, refused } from './proof.ts'

/** A token (RFC 7519) as it came; nothing in it is believed before its signature was checked. */
export type Token = {
  algorithm: string
  keyId: string | null
  claims: Payload
  text: string
}

/** Those of Bot Framework have 1.5 KB. */
const tokenLengthMax = 8192
const bearer = new RegExp(
  `^Bearer ([\\w-]{1,${tokenLengthMax}}\\.[\\w-]{1,${tokenLengthMax}}\\.[\\w-]{1,${tokenLengthMax}})$`,
)

/** The token of `Authorization: Bearer`, or why there is none. */
export function readToken(raw: RawDelivery): Token | Failure {
  const text = readHeader(raw, { name: 'authorization', form: bearer })
  if (typeof text !== 'string') return text
  const malformed = refused('SIGNATURE_MALFORMED', 'the bearer token has another form')
  if (text.length > tokenLengthMax) return malformed
  const [head = '', body = '', mark = ''] = text.split('.')
  const header = readPayload(Buffer.from(head, 'base64url'))
  const claims = readPayload(Buffer.from(body, 'base64url'))
  // The last character has spellings that mean the same bytes; and what `crit` names would have to be obeyed.
  const isCanonical = Buffer.from(mark, 'base64url').toString('base64url') === mark
  if (header === null || claims === null || !isCanonical || Object.hasOwn(header, 'crit')) return malformed
  const algorithm = valueAt(header, 'alg')
  if (typeof algorithm !== 'string') return malformed
  return { algorithm, keyId: nameAt(header, 'kid'), claims, text }
}

/** Whether the secret has signed it (HS256). False for a token of any other algorithm. */
export function isTokenOf(token: Token, secret: string): boolean {
  return isSigned(token, secret, ['HS256'])
}

/** Whether the key (PEM) has signed it. False for a token of any other algorithm: a public key is no secret for HS256. */
export function isSignedBy(token: Token, pem: string): boolean {
  return isSigned(token, pem, ['RS256', 'RS384', 'RS512'])
}

function isSigned({ text }: Token, key: string, algorithms: Algorithm[]): boolean {
  try {
    // Times are judged below, by our clock and with a cause of their own.
    createVerifier({ key, algorithms, ignoreExpiration: true, ignoreNotBefore: true })(text)
    return true
  } catch {
    return false
  }
}

/** Null where the token holds now. It has to say when it ends. */
export function judgeTimes(claims: Payload, { now, skewSeconds }: { now: Date; skewSeconds: number }): Failure | null {
  const seconds = now.getTime() / 1000
  const { exp, nbf = 0, iat = 0 } = claims
  if (typeof exp !== 'number') return refused('TIMESTAMP_MISSING', 'the token says no exp')
  if (typeof nbf !== 'number' || typeof iat !== 'number')
    return refused('SIGNATURE_MALFORMED', 'nbf or iat of the token is no number')
  const lateSeconds = Math.round(seconds - exp)
  if (!(exp > seconds - skewSeconds)) return refused('TOKEN_EXPIRED', `the token ended ${lateSeconds} s ago`)
  const earlySeconds = Math.round(Math.max(nbf, iat) - seconds)
  if (Math.max(nbf, iat) > seconds + skewSeconds)
    return refused('TIMESTAMP_STALE', `the token begins in ${earlySeconds} s`)
  return null
}

type Signing = { claims: object; header?: object; key: string | KeyObject }

/** For samples: HS256 with a text, RS256 with a private key. */
export function signToken({ claims, header = {}, key }: Signing): string {
  const isHmac = typeof key === 'string'
  const parts = [{ alg: isHmac ? 'HS256' : 'RS256', typ: 'JWT', ...header }, claims]
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = isHmac
    ? createHmac('sha256', key).update(signed).digest()
    : signWith('RSA-SHA256', Buffer.from(signed), key)
  return `${signed}.${signature.toString('base64url')}`
}
