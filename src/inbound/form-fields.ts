import { parametersOf, readPartHeader } from '../http/uploads/part-header.ts'
import type { RawDelivery } from './scheme.ts'

/** The values of each field, in their order. Files are left out. */
export type FormFields = ReadonlyMap<string, readonly Buffer[]>

/** A mail has about twenty fields and as many files as somebody attached. */
const fieldsMax = 1000
const nameBytesMax = 1024
/** What is longer is left out unless it is asked for: a mail's text, which says nothing of who sent it. */
const valueBytesDefault = 1024 * 1024
const partHeaderBytesMax = 8 * 1024

type Form = Pick<RawDelivery, 'body' | 'contentType' | 'headers'>

/**
 * The fields of a form that is held in memory whole, urlencoded or multipart (RFC 7578); null where it is broken. Of a
 * mail, which may have 25 MiB and is not verified yet, only the fields that are named are decoded.
 * `http/multipart.ts` reads streams, and is asynchronous for that.
 */
export function readForm(
  { body, contentType, headers }: Form,
  { names, valueBytesMax = valueBytesDefault }: { names?: readonly string[]; valueBytesMax?: number } = {},
): FormFields | null {
  const wanted: Wanted = { isWanted: (name) => names?.includes(name) ?? true, valueBytesMax }
  if (contentType === 'application/x-www-form-urlencoded') return readUrlencoded(body, wanted)
  const full = headers['content-type']
  if (contentType !== 'multipart/form-data' || typeof full !== 'string') return null
  const boundary = parametersOf(full)?.parameters.get('boundary') ?? ''
  if (boundary.length < 1 || boundary.length > 70) return null
  return readMultipart(body, Buffer.from(`\r\n--${boundary}`, 'latin1'), wanted)
}

/** The value of a field that is there exactly once. */
export function fieldBytesOf(fields: FormFields, name: string): Buffer | null {
  const [value, second] = fields.get(name) ?? []
  return second === undefined ? (value ?? null) : null
}

/** The text of a field that is there exactly once. */
export function fieldOf(fields: FormFields, name: string): string | null {
  return fieldBytesOf(fields, name)?.toString('utf8') ?? null
}

type Wanted = { isWanted: (name: string) => boolean; valueBytesMax: number }

function readUrlencoded(body: Buffer, { isWanted, valueBytesMax }: Wanted): FormFields | null {
  const fields: [string, Buffer][] = []
  for (let count = 0, start = 0; start <= body.length; count++) {
    if (count >= fieldsMax) return null
    const next = body.indexOf('&', start)
    const pair = body.subarray(start, next === -1 ? body.length : next)
    const equals = pair.indexOf('=')
    const name = pair.subarray(0, equals === -1 ? Math.min(pair.length, nameBytesMax) : equals)
    const isShort = name.length < nameBytesMax && pair.length - name.length <= valueBytesMax
    const [decoded] = isShort && isWanted(decodedName(name)) ? new URLSearchParams(pair.toString('utf8')) : []
    if (decoded) fields.push([decoded[0], Buffer.from(decoded[1])])
    start += pair.length + 1
  }
  return grouped(fields)
}

/** A name may be written in escapes, and is the same name. */
function decodedName(bytes: Buffer): string {
  const [[name] = ['']] = [...new URLSearchParams(`${bytes.toString('utf8')}=`)]
  return name
}

function readMultipart(body: Buffer, delimiter: Buffer, wanted: Wanted): FormFields | null {
  const fields: [string, Buffer][] = []
  let mark = nextMark(body, delimiter, 0)
  for (let parts = 0; mark !== null && !mark.isLast; parts++) {
    const next = nextMark(body, delimiter, mark.end)
    if (next === null || parts >= fieldsMax) return null
    const part = readPart(body.subarray(mark.end, next.start), wanted)
    if (part === null) return null
    if (part.value !== null) fields.push([part.name, part.value])
    mark = next
  }
  return mark === null ? null : grouped(fields)
}

type Mark = { start: number; end: number; isLast: boolean }

/** The next delimiter: a line that begins so, and goes on with its end or with two hyphens (RFC 2046 section 5.1.1). */
function nextMark(body: Buffer, delimiter: Buffer, from: number): Mark | null {
  for (let tries = 0, start = from; tries < fieldsMax; tries++) {
    const isFirst = start === 0 && body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))
    const at = isFirst ? -2 : body.indexOf(delimiter, start)
    if (!isFirst && at === -1) return null
    const end = at + delimiter.length
    const [, dashes, padding] = /^(?:(--)|([ \t]{0,16}\r\n))/.exec(body.toString('latin1', end, end + 18)) ?? []
    const length = dashes?.length ?? padding?.length
    if (length !== undefined) return { start: Math.max(at, 0), end: end + length, isLast: dashes !== undefined }
    start = Math.max(end, 1)
  }
  return null
}

/** A part without the line end that belongs to the delimiter behind it; `value` is null for a file, and for what is not wanted. */
function readPart(part: Buffer, { isWanted, valueBytesMax }: Wanted): { name: string; value: Buffer | null } | null {
  const headerEnd = part.indexOf('\r\n\r\n')
  if (headerEnd === -1 || headerEnd > partHeaderBytesMax) return null
  const headers = new Map<string, string[]>()
  for (const line of part.toString('latin1', 0, headerEnd).split('\r\n')) {
    const [, name = '', value = ''] = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line) ?? []
    if (name === '') return null
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value])
  }
  const header = readPartHeader(Object.fromEntries(headers))
  if (header === null) return null
  const bytes = part.subarray(headerEnd + 4)
  const isField = header.filename === null && bytes.length <= valueBytesMax && isWanted(header.name)
  return { name: header.name, value: isField ? bytes : null }
}

function grouped(pairs: [string, Buffer][]): FormFields {
  const groups = Map.groupBy(pairs, ([name]) => name)
  return new Map([...groups].map(([name, group]) => [name, group.map(([, value]) => value)]))
}
