import { randomBytes } from 'node:crypto'

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

// Random bytes are generated and converted in bulk: one call for each id costs 2 us, and each request needs an id.
const digitsEach = 20
let pool = ''
let used = 0
let lastMs = -1
let lastDigits = ''

/** A UUIDv7 (RFC 9562 section 5.7) in lower case. Ids sort by the millisecond of their creation. */
export function newId(now: Date): string {
  const ms = now.getTime()
  if (ms !== lastMs) [lastMs, lastDigits] = [ms, timeDigits(ms)]
  if (used === pool.length) [pool, used] = [randomBytes(128 * digitsEach).toString('hex'), 0]
  const at = used
  used += digitsEach
  const variant = '89ab'.charAt(Number.parseInt(pool.charAt(at), 16) & 3)
  return `${lastDigits}-7${pool.slice(at + 1, at + 4)}-${variant}${pool.slice(at + 4, at + 7)}-${pool.slice(at + 8, at + digitsEach)}`
}

/** An id of this time whose other digits come from a hash: the same on every node. */
export function derivedId(at: Date, hash: Buffer): string {
  const digits = hash.toString('hex')
  const variant = '89ab'.charAt(Number.parseInt(digits.charAt(0), 16) & 3)
  return `${timeDigits(at.getTime())}-7${digits.slice(1, 4)}-${variant}${digits.slice(4, 7)}-${digits.slice(8, 20)}`
}

/** The first two parts of an id. */
function timeDigits(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** Whether a text has the form of our ids. Any other text is treated like an unknown id. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}

/** The time of an id's creation, in milliseconds. */
export function idTimeMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** The lowest possible id of this time: turns a time range into a range of ids. */
export function lowestId(at: Date): string {
  return `${timeDigits(at.getTime())}-0000-0000-000000000000`
}
