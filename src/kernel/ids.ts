import { randomFillSync } from 'node:crypto'

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

// Randomness is asked for in bulk: one call for 16 bytes costs 2 us, and each request needs an id.
const reserve = Buffer.alloc(16 * 256)
let used = reserve.length

/** Sixteen bytes that nobody was given before. */
function sixteenBytes(): Buffer {
  if (used === reserve.length) {
    randomFillSync(reserve)
    used = 0
  }
  used += 16
  return reserve.subarray(used - 16, used)
}

/** A UUIDv7 (RFC 9562 section 5.7), lower case: sorts by the millisecond it was made in. */
export function newId(now: Date): string {
  const bytes = sixteenBytes()
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Whether a text could be one of our ids; what could not is answered like an id that never existed. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}

/** Not above any id of this moment or later, and above those of any earlier one: a stretch of time as one of ids. */
export function lowestId(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
