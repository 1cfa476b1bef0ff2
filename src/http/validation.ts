import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { closestMatch } from '../kernel/closest-match.ts'
import { firstFaults } from '../kernel/field-rules.ts'
import { pointerToken } from '../kernel/json-pointer.ts'
import { once } from '../kernel/once.ts'
import { explainedFaultsMax, type FieldError, invalidFields, type Refusal } from '../kernel/refusal.ts'
import { isTimestamp } from '../kernel/timestamps.ts'
import { valueToExplain } from './explained-value.ts'

export type InputSource = 'body' | 'query' | 'params' | 'frame'

type SchemaError = {
  keyword: string
  schemaPath: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** There can be several about one place. */
const complaintsMax = 4 * explainedFaultsMax

/** Returns the value, or refuses with the first faults by JSON pointer. */
export type Check = (value: unknown) => Promise<unknown>

/** A validator for a schema. It is compiled at its first use, to keep the start fast. */
export function schemaCheck(schema: TSchema, source: InputSource): Check {
  const compiled = once(() => compiledCheck(schema, source))
  return async (value) => (await compiled())(value)
}

/** The same, compiled now, for who must know what a value alone costs. */
export async function compiledCheck(schema: TSchema, source: InputSource): Promise<(value: unknown) => unknown> {
  const compiled = await compile(schema)
  return (value) => {
    if (compiled.Check(value)) return value
    const complaints = compiled.Errors(valueToExplain(schema, value)) as unknown as SchemaError[]
    throw validationRefusal(schema, source, complaints)
  }
}

async function compile(schema: TSchema): Promise<Validator> {
  const [{ Compile }, { Settings }, { default: Format }] = await Promise.all([
    import('typebox/compile'),
    import('typebox/system'),
    import('typebox/format'),
  ])
  Settings.Set({ maxErrors: complaintsMax })
  // RFC 3339 has leap seconds, and years that an offset pushes past 9999.
  Format.Set('date-time', (text) => Format.IsDateTime(text) && isTimestamp(text))
  return Compile(schema)
}

function validationRefusal(schema: TSchema, place: InputSource, complaints: SchemaError[]): Refusal {
  const found = complaints.values().flatMap((complaint) => toFaults(schema, place, complaint))
  const faults = firstFaults(found, explainedFaultsMax)
  const isPaging = place === 'query' && faults.every(({ path }) => path === '/query/page' || path === '/query/limit')
  return invalidFields(faults, isPaging ? 'INVALID_PAGINATION' : 'VALIDATION_ERROR')
}

function toFaults(
  schema: TSchema,
  place: InputSource,
  { keyword, schemaPath, instancePath, params, message }: SchemaError,
): FieldError[] {
  const path = `/${place}${instancePath}`
  switch (keyword) {
    case 'additionalProperties': // after a complaint about each of the names
      return []
    case 'boolean':
      return [
        schemaPath.endsWith('/additionalProperties') ? unknownField(schema, place, instancePath) : notAllowed(path),
      ]
    case 'required':
      return (params['requiredProperties'] as string[]).map((name) => ({
        path: `${path}/${pointerToken(name)}`,
        code: 'required',
        message: 'is required',
      }))
    case 'enum':
      return [
        {
          path,
          code: keyword,
          message: `must be one of ${(params['allowedValues'] as unknown[]).map((word) => JSON.stringify(word)).join(', ')}`,
        },
      ]
    case 'type':
      return [{ path, code: keyword, message: `must be ${[params['type']].flat().join(' or ')}` }]
    case 'pattern':
    case 'format':
      return [{ path, code: keyword, message: formatMessage(schemaAt(schema, instancePath), keyword) ?? message }]
    case 'minLength':
    case 'minItems':
      return [{ path, code: keyword, message: params['limit'] === 1 ? 'must not be empty' : message }]
    default:
      return [{ path, code: keyword, message }]
  }
}

function notAllowed(path: string): FieldError {
  return { path, code: 'boolean', message: 'is not allowed here' }
}

/** `instancePath`: of the member that the schema does not list. */
function unknownField(schema: TSchema, place: InputSource, instancePath: string): FieldError {
  const nameAt = instancePath.lastIndexOf('/') + 1
  const parent = instancePath.slice(0, nameAt - 1)
  const token = instancePath.slice(nameAt)
  const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
  return {
    path: `/${place}${parent}/${pointerToken(name)}`,
    code: 'unknown',
    message: unknownMessage(place, name, memberNames(schema, parent)),
  }
}

type DescribedSchema = { pattern?: string; format?: string; description?: string; examples?: unknown[] }

/** Explains a format by example and description, because a regular expression helps few people. */
function formatMessage(
  { pattern, format, description, examples = [] }: DescribedSchema,
  keyword: 'pattern' | 'format',
): string | null {
  const [example] = examples
  // A pattern for member names is reported at their object.
  if (example === undefined || (keyword === 'pattern' ? pattern : format) === undefined) return null
  const shown = JSON.stringify(example)
  if (keyword === 'format') return `must be a valid ${format}, such as ${shown}`
  return `must be written like ${shown}${description === undefined ? '' : `. ${description}`}`
}

function unknownMessage(place: InputSource, name: string, known: string[]): string {
  const near = closestMatch(name, known)
  const isTypo = near !== null && isClose(name, near)
  const meant = isTypo ? `; did you mean "${near.word}"?` : ''
  if (place !== 'query') return `is not a known field${meant}`
  // A route has few parameters, and nobody sees them in what it answers.
  return `is not a known parameter${meant || '.'} ${known.length === 0 ? 'There are none here' : `Known are ${known.join(', ')}`}`
}

/** At most a quarter of the letters may differ, so that `deviceType` is not taken for `deviceName`; or a prefix, like `user` of `userId`. */
function isClose(name: string, { word, distance }: { word: string; distance: number }): boolean {
  const isCut = name.length > 2 && distance <= 3 && word.toLowerCase().startsWith(name.toLowerCase())
  return isCut || distance <= Math.max(1, Math.floor(word.length / 4))
}

/** The member names of the object schema at a path; empty if it is not a plain object there. */
function memberNames(schema: TSchema, instancePath: string): string[] {
  return Object.keys((schemaAt(schema, instancePath) as { properties?: object }).properties ?? {})
}

/** The schema at a path; empty if it is not reachable by members and items. */
function schemaAt(schema: TSchema, instancePath: string): object {
  let current: unknown = schema
  for (const step of instancePath.split('/').slice(1)) {
    const { properties, items } = (current ?? {}) as { properties?: Record<string, unknown>; items?: unknown }
    current = properties && Object.hasOwn(properties, step) ? properties[step] : items
  }
  return (current ?? {}) as object
}

/** Converts query texts to numbers, booleans and lists of one where the schema wants them. Other values stay text and are validated as such. */
export function parseQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: string; default?: unknown }> }).properties ?? {}
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query)) values[name] = parseQueryValue(properties[name]?.type, value)
  for (const [name, property] of Object.entries(properties)) {
    if (values[name] === undefined && property.default !== undefined) values[name] = property.default
  }
  return values
}

function parseQueryValue(type: string | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(value)) return Number(value)
  // A parameter that is sent more than once is a list already.
  if (type === 'array') return [value]
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}
