import { type FormFields, readForm } from '../form-fields.ts'
import { type Json, parseJson } from '../json.ts'
import { type Received, Unprocessable } from '../processing.ts'

export function readJson(text: string): Json {
  const json = parseJson(text)
  if (json === undefined) throw new Unprocessable('What was sent is no JSON, or nests too deep.')
  return json
}

/** The fields of a form, the mail in it included. */
export function formOf({ body, contentType }: Pick<Received, 'body' | 'contentType'>): FormFields {
  const bare = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  const form = { body, contentType: bare, headers: { 'content-type': contentType } }
  const fields = readForm(form, { valueBytesMax: body.length })
  if (fields === null) throw new Unprocessable('The delivery is no form.')
  return fields
}

/** At most so many elements of a list; none where it is no list. */
export function listAt(value: Json | undefined, max: number): Json[] {
  return Array.isArray(value) ? value.slice(0, max) : []
}

// Invisible, and a way to make text look like another: what turns the direction of writing around.
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text of several lines without control characters, cut to a length in UTF-16 units. */
export function cleanText(text: string, lengthMax: number): string {
  const cleaned = text
    .slice(0, lengthMax * 2)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out; PostgreSQL refuses the first of them
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .replace(turning, '')
    .trim()
  return cut(cleaned, lengthMax)
}

/** Text of one line. */
export function cleanLine(text: string, lengthMax: number): string {
  return cut(cleanText(text, lengthMax).replace(/\s+/g, ' '), lengthMax)
}

/** Not between the halves of a character. */
function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax
    ? text
    : text
        .slice(0, lengthMax)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trim()
}

/** Null where there is no text or nothing of it is left. */
export function lineOf(value: Json | undefined, lengthMax: number): string | null {
  return typeof value === 'string' ? cleanLine(value, lengthMax) || null : null
}

/** A provider's id, a text or a whole number. One that is too long is none: cut, two could become one. */
export function externalIdOf(value: Json | undefined): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || text.length > 200) return null
  return cleanLine(text, 200) || null
}

/** An address of the web as it may be linked. */
export function urlOf(value: Json | undefined): string | null {
  if (typeof value !== 'string' || value.length > 2000) return null
  const url = URL.parse(value)
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return null
  return url.href.length > 2000 ? null : url.href
}

/** RFC 3339, or as Jira writes it (`+0000`, without a colon), or milliseconds since 1970. Up to the year 9999. */
export function momentOf(value: Json | undefined): Date | null {
  const isText = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:?\d\d)$/.test(value)
  if (!isText && typeof value !== 'number') return null
  const at = new Date(isText ? value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : value)
  const year = at.getUTCFullYear()
  return Number.isNaN(year) || year < 1970 || year > 9999 ? null : at
}

/** A day of the calendar as ISO 8601 writes it. */
export function dayOf(value: Json | undefined): string | null {
  const day = typeof value === 'string' ? value.slice(0, 10) : ''
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(day)) return null
  const at = new Date(`${day}T00:00:00Z`)
  // The 30th of February would become a day in March.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : null
}
