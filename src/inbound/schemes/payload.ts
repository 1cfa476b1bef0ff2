import { createHash } from 'node:crypto'
import { type Json, parseJson, valueAt } from '../json.ts'
import type { RawDelivery, SchemeName } from '../scheme.ts'

// What providers send is not ours to shape, and some of it is read before its signature was checked: any value may
// stand anywhere. Nothing here recurses or throws, and only members of the payload's own are seen.

export type Payload = { [name: string]: Json }

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Longer names are of no use as keys of a table; those of providers have up to about 200 characters. */
const nameLengthMax = 400
/** What can be told apart when joined with a slash. */
const plainPart = /^[\w.:;@=+,<>-]{1,120}$/
const keyLengthMax = 200

/** A JSON object in UTF-8; null for anything else. */
export function readPayload(bytes: Buffer): Payload | null {
  try {
    return payloadOf(parseJson(utf8.decode(bytes)))
  } catch {
    return null
  }
}

export function readPayloadText(text: string): Payload | null {
  return payloadOf(parseJson(text))
}

function payloadOf(value: Json | undefined): Payload | null {
  return typeof value === 'object' && !Array.isArray(value) ? value : null
}

/** A name of something: text that can be stored and compared, or a number as text; null for anything else. */
export function nameAt(value: Json | undefined, ...path: (string | number)[]): string | null {
  const found = valueAt(value, ...path)
  if (typeof found === 'number') return Number.isSafeInteger(found) ? String(found) : null
  return typeof found === 'string' ? nameOf(found) : null
}

export function nameOf(text: string): string | null {
  const isName = text !== '' && text.length <= nameLengthMax && text.isWellFormed() && !/\p{Cc}/u.test(text)
  return isName ? text : null
}

/** The header's value as a name: of use for what is not signed, such as an id that only tells deliveries apart. */
export function headerName({ headers }: RawDelivery, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? nameOf(value) : null
}

/** A moment as ISO 8601 text, or as a number of `unit`; null for what is none, or lies outside the years 1970 to 9999. */
export function momentOf(value: unknown, unit: 'ms' | 's' = 'ms'): Date | null {
  const isText = typeof value === 'string' && value.length <= 40 && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)
  const ms = isText ? Date.parse(value) : typeof value === 'number' ? value * (unit === 's' ? 1000 : 1) : Number.NaN
  return ms >= 0 && ms < Date.UTC(10_000, 0) ? new Date(ms) : null
}

/** The host of an address, in lower case; null where it is none. */
export function hostOf(value: unknown): string | null {
  return typeof value === 'string' && URL.canParse(value) ? nameOf(new URL(value).host) : null
}

type Keyed = { scheme: SchemeName; body: Buffer; parts: readonly (string | null)[] }

/** One text from the parts of the provider's id, the same for every repeat; from all of the body where a part is missing. */
export function deliveryKeyOf({ scheme, body, parts }: Keyed): string {
  const present = parts.filter((part) => part !== null)
  if (present.length < parts.length)
    return `sha256:${createHash('sha256').update(`${scheme}\n`).update(body).digest('hex')}`
  const joined = present.join('/')
  if (joined.length <= keyLengthMax && present.every((part) => plainPart.test(part))) return joined
  return `sha256:${createHash('sha256').update(JSON.stringify(present)).digest('hex')}`
}
