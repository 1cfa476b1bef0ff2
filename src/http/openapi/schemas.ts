import type { TSchema } from 'typebox'
import { portablePattern } from './portable-pattern.ts'

export type Json = { [member: string]: unknown }

/** Without an example if a value in it has a member `example`: linters would take that value for a schema. */
export function mediaType(schema: TSchema, components: Map<string, Json>): Json {
  const example = exampleValue(schema)
  return { schema: schemaRef(schema, components), ...(hasExample(example) ? {} : { example }) }
}

function hasExample(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, 'example') || Object.values(value).some(hasExample)
}

/** A copy of a schema with every titled schema replaced by a reference into `components`. */
export function schemaRef(schema: unknown, components: Map<string, Json>): Json {
  const { title } = schema as { title?: string }
  if (title === undefined) return copySchema(schema as Json, components)
  if (!components.has(title)) {
    components.set(title, {}) // before the copy, for a schema that holds itself
    components.set(title, copySchema(schema as Json, components))
  }
  return { $ref: `#/components/schemas/${title}` }
}

function copySchema(schema: Json, components: Map<string, Json>): Json {
  const copy: Json = { ...schema }
  if (typeof copy['pattern'] === 'string') copy['pattern'] = portablePattern(copy['pattern'])
  if (copy['properties'])
    copy['properties'] = mapMembers(copy['properties'] as Json, (member) => schemaRef(member, components))
  if (copy['items']) copy['items'] = schemaRef(copy['items'], components)
  for (const word of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(copy[word])) copy[word] = (copy[word] as unknown[]).map((member) => schemaRef(member, components))
  }
  return copy
}

export function mapMembers(members: Json, change: (member: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]))
}

/** An example value of a schema, built from the `examples` of its leaves. */
export function exampleValue(schema: unknown): unknown {
  const {
    examples,
    properties,
    items,
    type,
    anyOf,
    enum: words,
    default: standard,
  } = schema as Json & { examples?: unknown[]; enum?: unknown[]; anyOf?: unknown[] }
  if (examples?.[0] !== undefined) return examples[0]
  if (properties) return mapMembers(properties as Json, exampleValue)
  if (items) return [exampleValue(items)]
  if (standard !== undefined) return standard
  if (anyOf?.[0] !== undefined) return exampleValue(anyOf[0])
  if (words?.[0] !== undefined) return words[0]
  const first = Array.isArray(type) ? type[0] : type
  if (Array.isArray(type) && type.includes('null')) return null
  return first === 'integer' || first === 'number' ? 1 : first === 'boolean' ? false : first === 'string' ? 'text' : {}
}
