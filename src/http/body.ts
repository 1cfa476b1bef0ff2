import { findJsonExcess } from '../kernel/json-limits.ts'
import { pointerToken } from '../kernel/json-pointer.ts'
import { invalidField, Refusal } from '../kernel/refusal.ts'
import { describeJsonFault, firstInvalidByte, lineAndColumn } from './json-fault.ts'

export const bodyBytesMaxDefault = 256 * 1024
/** The largest bodies of most routes have some hundred members. */
export const bodyMembersMaxDefault = 20_000
const depthMax = 32 // deeper than any body of ours; keeps every later recursion shallow

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Parses a JSON body. Refuses with BODY_TOO_MANY_MEMBERS, and with MALFORMED_JSON: invalid UTF-8, too deep nesting,
 * `__proto__` members, and text that PostgreSQL refuses or silently changes (U+0000, lone surrogates). An empty body is
 * `undefined`; the route decides whether a body is required. A large body blocks the process: see `readJsonBody`.
 */
export function readJson(bytes: Uint8Array, membersMax = bodyMembersMaxDefault): unknown {
  if (bytes.length === 0) return undefined
  rejectExcess(bytes, membersMax)
  const text = decodeUtf8(bytes)
  const value = parseJson(text)
  // Such text can only come from an escape or a key; bodies without either need no check.
  if (text.includes('\\u') || text.includes('__proto__') || text.includes('constructor')) rejectUnsafeMembers(value)
  return value
}

/** A text body in UTF-8, without a byte order mark. Refuses with VALIDATION_ERROR text that is invalid or cannot be stored. */
export function readText(bytes: Buffer): string {
  try {
    const text = utf8.decode(bytes)
    if (isStorableText(text)) return text
  } catch {} // refused in the same words
  throw invalidField('/body', { code: 'encoding', message: 'must be UTF-8 without NUL characters' })
}

function malformed(detail: string): Refusal {
  return new Refusal('MALFORMED_JSON', { detail })
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw malformed(`The body is not valid UTF-8, from byte ${firstInvalidByte(bytes)} on. Bytes count from 0.`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const fault = describeJsonFault(text)
    throw malformed(fault === null ? 'The body is not valid JSON.' : `The body is not valid JSON at ${fault}.`)
  }
}

function rejectExcess(bytes: Uint8Array, membersMax: number): void {
  const excess = findJsonExcess(bytes, { depthMax, membersMax })
  if (excess === null) return
  if (excess.limit === 'membersMax')
    throw new Refusal('BODY_TOO_MANY_MEMBERS', {
      detail: `The body has more than ${membersMax.toLocaleString('en')} members and elements in total.`,
    })
  const before = Buffer.from(bytes.buffer, bytes.byteOffset, excess.offset).toString()
  throw malformed(`The body is nested deeper than ${depthMax} levels at ${lineAndColumn(before, before.length)}.`)
}

/** @param pointer of the value (RFC 6901). */
function rejectUnsafeMembers(value: unknown, pointer = '/body'): void {
  if (typeof value === 'string') rejectUnsafeText(value, `The text at ${pointer}`)
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__' || (name === 'constructor' && typeof member === 'object'))
      throw malformed(`The object at ${pointer} has a member called ${name}, which is not allowed.`)
    rejectUnsafeText(name, `A name in the object at ${pointer}`)
    rejectUnsafeMembers(member, `${pointer}/${pointerToken(name)}`)
  }
}

function rejectUnsafeText(text: string, what: string): void {
  if (!isStorableText(text)) throw malformed(`${what} holds a NUL character or a lone surrogate.`)
}

/** PostgreSQL refuses U+0000 and silently turns lone surrogates into U+FFFD, so that two names could collide. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
