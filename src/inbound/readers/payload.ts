import { type FormFields, readBufferedForm } from '../../http/uploads/buffered-form.ts'
import { cleanLine } from '../../kernel/clean-text.ts'
import { type Json, parseJson } from '../json.ts'
import { type ReceivedDelivery, Unprocessable } from '../processing.ts'

export function readJson(text: string): Json {
  const json = parseJson(text)
  if (json === undefined) throw new Unprocessable('The content is not JSON, or it is nested too deeply.')
  return json
}

/** The fields of a form, including a field that holds the whole mail. */
export async function readFormFields({
  body,
  contentType,
}: Pick<ReceivedDelivery, 'body' | 'contentType'>): Promise<FormFields> {
  const fields = await readBufferedForm({ body, contentType }, { valueBytesMax: body.length })
  if (fields === null) throw new Unprocessable('The delivery is not a form.')
  return fields
}

/** At most `max` elements of a list; none where the value is not a list. */
export function listAt(value: Json | undefined, max: number): Json[] {
  return Array.isArray(value) ? value.slice(0, max) : []
}

/** A text value as one line; null where there is no text or nothing of it remains. */
export function oneLine(value: Json | undefined, lengthMax: number): string | null {
  return typeof value === 'string' ? cleanLine(value, lengthMax) || null : null
}

/** A provider's id, which is text or an integer. One that is too long counts as absent: two cut ids could become equal. */
export function toExternalId(value: Json | undefined): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || text.length > 200) return null
  return cleanLine(text, 200) || null
}

/** A web address that is safe to link. */
export function webUrl(value: Json | undefined): string | null {
  if (typeof value !== 'string' || value.length > 2000) return null
  const url = URL.parse(value)
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return null
  return url.href.length > 2000 ? null : url.href
}

/** A time in RFC 3339, in Jira's format (`+0000`, without a colon), or in milliseconds since 1970. Up to the year 9999. */
export function parseTime(value: Json | undefined): Date | null {
  const isText = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:?\d\d)$/.test(value)
  if (!isText && typeof value !== 'number') return null
  const at = new Date(isText ? value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : value)
  const year = at.getUTCFullYear()
  return Number.isNaN(year) || year < 1970 || year > 9999 ? null : at
}

/** A calendar day in ISO 8601. */
export function parseDay(value: Json | undefined): string | null {
  const day = typeof value === 'string' ? value.slice(0, 10) : ''
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(day)) return null
  const at = new Date(`${day}T00:00:00Z`)
  // 30 February would become a day in March.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : null
}
