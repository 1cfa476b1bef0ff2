import { createHash } from 'node:crypto'
import type { RawDelivery } from '../incoming-delivery.ts'
import { type Json, valueAt } from '../json.ts'
import type { SchemeName } from '../scheme.ts'

// Providers define these payloads, and some are read before their signature is checked: any value may stand anywhere.
// Nothing here recurses or throws, and inherited members are not seen.

/** Longer identifiers are of no use as keys of a table. Those of providers have up to about 200 characters. */
const identifierLengthMax = 400
/** Parts of this form stay distinct when they are joined with a slash. */
const plainPart = /^[\w.:;@=+,<>-]{1,120}$/
const keyLengthMax = 200

/** An identifier in the payload: text that can be stored and compared, or an integer as text; null for anything else. */
export function identifierAt(value: Json | undefined, ...path: (string | number)[]): string | null {
  const found = valueAt(value, ...path)
  if (typeof found === 'number') return Number.isSafeInteger(found) ? String(found) : null
  return typeof found === 'string' ? toIdentifier(found) : null
}

export function toIdentifier(text: string): string | null {
  const isIdentifier = text !== '' && text.length <= identifierLengthMax && text.isWellFormed() && !/\p{Cc}/u.test(text)
  return isIdentifier ? text : null
}

/** An identifier in a header. Headers are often not signed: use it only to tell deliveries apart. */
export function identifierInHeader({ headers }: RawDelivery, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? toIdentifier(value) : null
}

/** A time as ISO 8601 text, or as a number of `unit`; null for anything else and outside the years 1970 to 9999. */
export function parseTime(value: unknown, unit: 'ms' | 's' = 'ms'): Date | null {
  const isText = typeof value === 'string' && value.length <= 40 && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)
  const ms = isText ? Date.parse(value) : typeof value === 'number' ? value * (unit === 's' ? 1000 : 1) : Number.NaN
  return ms >= 0 && ms < Date.UTC(10_000, 0) ? new Date(ms) : null
}

/** The host of a URL, in lower case; null for anything else. */
export function urlHost(value: unknown): string | null {
  return typeof value === 'string' && URL.canParse(value) ? toIdentifier(new URL(value).host) : null
}

type DeliveryKeyParts = { scheme: SchemeName; body: Buffer; parts: readonly (string | null)[] }

/** One key from the parts of the provider's id, identical in every repeat. Where a part is missing it is the hash of the body. */
export function buildDeliveryKey({ scheme, body, parts }: DeliveryKeyParts): string {
  const present = parts.filter((part) => part !== null)
  if (present.length < parts.length)
    return `sha256:${createHash('sha256').update(`${scheme}\n`).update(body).digest('hex')}`
  const joined = present.join('/')
  if (joined.length <= keyLengthMax && present.every((part) => plainPart.test(part))) return joined
  return `sha256:${createHash('sha256').update(JSON.stringify(present)).digest('hex')}`
}
