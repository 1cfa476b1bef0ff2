import { createHmac, timingSafeEqual } from 'node:crypto'
import { sha256Digest } from '../../kernel/checksum.ts'
import type { RawDelivery } from '../incoming-delivery.ts'
import type { FailureCause, SchemeSettings, Verification } from '../scheme.ts'

export type Failure = Extract<Verification, { isVerified: false }>

export const verified: Verification = { isVerified: true }

export function failure(cause: FailureCause, detail: string): Failure {
  return { isVerified: false, cause, detail }
}

/** Compares digests, so that the time tells neither where two texts differ nor how long they are. */
export function constantTimeEqual(one: string, other: string): boolean {
  return timingSafeEqual(sha256Digest(one), sha256Digest(other))
}

/** Tries every secret, so that the time does not tell which one matches. An empty secret never matches. */
export function matchesAnySecret(secrets: readonly string[], matches: (secret: string) => boolean): boolean {
  return secrets.map((secret) => secret !== '' && matches(secret)).includes(true)
}

export function hmacHex(secret: string, parts: readonly (string | Buffer)[]): string {
  const hmac = createHmac('sha256', secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

type HeaderFormat = {
  name: string
  /** Matches the whole value; the first group is the result. Strict, so that one signature has only one spelling. */
  pattern: RegExp
  missing?: FailureCause
}

/** The value of a header, or why it cannot be used. If a header came twice, two readers could trust different values. */
export function readHeader(
  { headers }: RawDelivery,
  { name, pattern, missing = 'SIGNATURE_MISSING' }: HeaderFormat,
): string | Failure {
  const value = headers[name]
  if (value === undefined) return failure(missing, `the header ${name} is missing`)
  if (typeof value !== 'string') return failure('SIGNATURE_MALFORMED', `the header ${name} came more than once`)
  return pattern.exec(value)?.[1] ?? failure('SIGNATURE_MALFORMED', `the header ${name} has the wrong format`)
}

type HmacRule = { header: string; pattern: RegExp; signed: readonly (string | Buffer)[] }

/** Checks an HMAC-SHA256 over `signed`, sent as lower-case hex in a header. */
export function verifyHmac(
  raw: RawDelivery,
  secrets: readonly string[],
  { header, pattern, signed }: HmacRule,
): Verification {
  const sent = readHeader(raw, { name: header, pattern })
  if (typeof sent !== 'string') return sent
  return matchesAnySecret(secrets, (secret) => constantTimeEqual(hmacHex(secret, signed), sent))
    ? verified
    : signatureMismatch(raw)
}

/** The length helps to find a proxy that changes bodies: it differs from what the provider sent. */
export function signatureMismatch({ body }: RawDelivery): Failure {
  return failure('SIGNATURE_MISMATCH', `computed over ${body.length.toLocaleString('en')} bytes`)
}

/** Null where the time differs from ours by no more than these seconds, in either direction. */
export function checkAge(at: Date, { now, seconds }: { now: Date; seconds: number }): Failure | null {
  const skewSeconds = Math.round((now.getTime() - at.getTime()) / 1000)
  const isNear = Math.abs(now.getTime() - at.getTime()) <= seconds * 1000
  if (isNear) return null
  return failure('TIMESTAMP_STALE', `clock skew ${skewSeconds} s; ${seconds} s are allowed`)
}

/** Decodes base64 in its canonical spelling; null for any other text. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return text !== '' && bytes.toString('base64') === text ? bytes : null
}

export function textSetting(settings: SchemeSettings, name: string): string | null {
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined
  return typeof value === 'string' && value !== '' ? value : null
}
