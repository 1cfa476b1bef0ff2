import type { TSchema, Type as TypeBox } from 'typebox'

type Options = Record<string, unknown>

/** Marks an optional member for `object`. Not enumerable, so that it is not part of the JSON Schema. */
const optional = '~optional'

const typed =
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
 * The builders of TypeBox that we use, with TypeBox's types. They make JSON Schema for validation, serialisation, the
 * document and TypeScript types. They are written here because the package loads 700 modules, a fifth of a start. Its
 * compiler is loaded with the first value to validate (`http/validation.ts`).
 */
export const Type = {
  String: typed('string'),
  Integer: typed('integer'),
  Number: typed('number'),
  Boolean: typed('boolean'),
  Array: (items: TSchema, options: Options = {}) => ({ type: 'array', items, ...options }),
  Object: object,
  Optional: asOptional,
  Partial: partial,
  Unsafe: (schema: TSchema) => schema,
} as unknown as Pick<
  typeof TypeBox,
  'String' | 'Integer' | 'Number' | 'Boolean' | 'Array' | 'Object' | 'Optional' | 'Partial' | 'Unsafe'
>
