import type { TSchema, Type as TypeBox } from 'typebox'

type Options = Record<string, unknown>

/** Read by `object` alone: a member that may be absent. Not enumerable, so that it is no part of the JSON Schema. */
const optional = '~optional'

const of =
  (type: string) =>
  (options: Options = {}) => ({ type, ...options })

function object(properties: Record<string, object>, options: Options = {}) {
  const required = Object.keys(properties).filter((name) => !(optional in (properties[name] as object)))
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options }
}

function asOptional(schema: object) {
  return Object.defineProperty({ ...schema }, optional, { value: true })
}

function partial({ properties }: { properties: Record<string, object> }, options: Options = {}) {
  const members = Object.entries(properties).map(([name, member]) => [name, asOptional(member)])
  return object(Object.fromEntries(members), options)
}

/**
 * TypeBox's builders under TypeBox's types, as far as we use them: JSON Schema to validate, to serialise, to document
 * and to take TypeScript types from. Made here because its package loads 700 modules, a fifth of a start; its compiler
 * is loaded when the first value comes (`http/validation.ts`).
 */
export const Type = {
  String: of('string'),
  Integer: of('integer'),
  Number: of('number'),
  Boolean: of('boolean'),
  Array: (items: TSchema, options: Options = {}) => ({ type: 'array', items, ...options }),
  Object: object,
  Optional: asOptional,
  Partial: partial,
  Unsafe: (schema: TSchema) => schema,
} as unknown as Pick<
  typeof TypeBox,
  'String' | 'Integer' | 'Number' | 'Boolean' | 'Array' | 'Object' | 'Optional' | 'Partial' | 'Unsafe'
>
