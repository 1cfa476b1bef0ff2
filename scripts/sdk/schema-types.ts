// JSON Schema as TypeScript types, for what `openapi/api.json` contains. An unknown keyword only makes a type wider.

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
  contentMediaType?: string
}

/** `indent` is the indentation of the line on which the type begins. */
export function typeText(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if ('const' in schema) return literal(schema.const)
  if (schema.anyOf) return schema.anyOf.map((each) => typeText(each, indent)).join(' | ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeText({ ...schema, type }, indent)).join(' | ')
  }
  if (schema.contentMediaType) return 'Blob'
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return `Array<${schema.items ? typeText(schema.items, indent) : 'unknown'}>`
    case 'object':
      return objectText(schema, indent)
    default:
      return schema.properties ? objectText(schema, indent) : 'unknown'
  }
}

function objectText(schema: Schema, indent: string): string {
  const required = new Set(schema.required)
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) =>
    memberText({ name, schema: member, isRequired: required.has(name), indent: `${indent}  ` }),
  )
  if (typeof schema.additionalProperties === 'object') {
    return `Record<string, ${typeText(schema.additionalProperties, indent)}>`
  }
  if (members.length === 0) return 'Record<string, unknown>'
  return `{\n${members.join('\n')}\n${indent}}`
}

export type Member = { name: string; schema: Schema; isRequired: boolean; indent: string }

export function memberText({ name, schema, isRequired, indent }: Member): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name)
  return `${comment(schema.description, indent)}${indent}${key}${isRequired ? '' : '?'}: ${typeText(schema, indent)}`
}

export function comment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n` : ''
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
}
