import { Unprocessable } from '../processing.ts'
import { headerOf, parameterOf, partsBetween, splitPart } from './mime.ts'

export type FormFields = Map<string, Buffer>

const fieldsMax = 200

/** The fields of a form, without its files; the first of a name counts. `contentType` may lack the boundary. */
export function formFieldsOf(body: Buffer, contentType: string): FormFields {
  const kind = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (kind === 'application/x-www-form-urlencoded') return encodedFields(body)
  if (kind === 'multipart/form-data')
    return multipartFields(body, parameterOf(contentType, 'boundary') ?? firstBoundary(body))
  throw new Unprocessable('The delivery is no form.')
}

function encodedFields(body: Buffer): FormFields {
  const fields: FormFields = new Map()
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    if (fields.size >= fieldsMax) break
    if (!fields.has(name)) fields.set(name, Buffer.from(value))
  }
  return fields
}

function multipartFields(body: Buffer, boundary: string): FormFields {
  const fields: FormFields = new Map()
  for (const part of partsBetween(body, boundary, fieldsMax)) {
    const { headers, body: value } = splitPart(part)
    const disposition = headerOf(headers, 'content-disposition')
    const name = parameterOf(disposition, 'name')
    if (name === null || parameterOf(disposition, 'filename') !== null || fields.has(name)) continue
    fields.set(name, value)
  }
  return fields
}

/** Clients begin a form with its boundary: what stands in its first line (RFC 7578 section 4.1). */
function firstBoundary(body: Buffer): string {
  const [line = ''] = body.subarray(0, 100).toString('latin1').split('\r\n')
  if (!/^--\S{1,70}$/.test(line)) throw new Unprocessable('The form has no boundary.')
  return line.slice(2)
}
