import { createHmac, timingSafeEqual } from 'node:crypto'
import { sha256Digest } from '../../kernel/checksum.ts'
import type { FailureCause, RawDelivery, SchemeSettings, Verification } from '../scheme.ts'

export type Failure = Extract<Verification, { isVerified: false }>

export const verified: Verification = { isVerified: true }

export function refused(cause: FailureCause, detail: string): Failure {
  return { isVerified: false, cause, detail }
}

/** Takes as long wherever two texts differ, and whatever their lengths: their digests are compared. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(sha256Digest(one), sha256Digest(other))
}

/** Whether one of the secrets holds. Each is tried, so that the time does not say which; an empty one never holds. */
export function holdsForAny(secrets: readonly string[], holds: (secret: string) => boolean): boolean {
  return secrets.map((secret) => secret !== '' && holds(secret)).includes(true)
}

export function hmacHex(secret: string, parts: readonly (string | Buffer)[]): string {
  const hmac = createHmac('sha256', secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

type Wanted = {
  name: string
  /** Of the whole value; the first group is what is given back. Strict, so that one proof has one spelling. */
  form: RegExp
  missing?: FailureCause
}

/** What a header says, or why nothing can be proven by it. Where it came twice, two readers could believe two values. */
export function readHeader(
  { headers }: RawDelivery,
  { name, form, missing = 'SIGNATURE_MISSING' }: Wanted,
): string | Failure {
  const value = headers[name]
  if (value === undefined) return refused(missing, `there is no header ${name}`)
  if (typeof value !== 'string') return refused('SIGNATURE_MALFORMED', `the header ${name} came more than once`)
  return form.exec(value)?.[1] ?? refused('SIGNATURE_MALFORMED', `the header ${name} has another form`)
}

type HmacRule = { header: string; form: RegExp; signed: readonly (string | Buffer)[] }

/** HMAC-SHA256 as lower-case hex in a header, over `signed`. */
export function judgeHmac(
  raw: RawDelivery,
  secrets: readonly string[],
  { header, form, signed }: HmacRule,
): Verification {
  const sent = readHeader(raw, { name: header, form })
  if (typeof sent !== 'string') return sent
  return holdsForAny(secrets, (secret) => isSameText(hmacHex(secret, signed), sent)) ? verified : mismatch(raw)
}

/** A body that was changed on its way, by a proxy for example, has another length than the provider says that it sent. */
export function mismatch({ body }: RawDelivery): Failure {
  return refused('SIGNATURE_MISMATCH', `computed over ${body.length.toLocaleString('en')} bytes`)
}

/** Null where the time is within so many seconds of ours, on either side. */
export function judgeAge(at: Date, { now, seconds }: { now: Date; seconds: number }): Failure | null {
  const skewSeconds = Math.round((now.getTime() - at.getTime()) / 1000)
  const isNear = Math.abs(now.getTime() - at.getTime()) <= seconds * 1000
  if (isNear) return null
  return refused('TIMESTAMP_STALE', `clock skew ${skewSeconds} s, ${seconds} s are allowed`)
}

/** Bytes of base64 in its one canonical spelling; null for any other text. */
export function bytesOfBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return text !== '' && bytes.toString('base64') === text ? bytes : null
}

export function settingOf(settings: SchemeSettings, name: string): string | null {
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined
  return typeof value === 'string' && value !== '' ? value : null
}
