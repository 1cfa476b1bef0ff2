type Schema = Record<string, unknown>

/** An operation of the OpenAPI document, with its references resolved. */
export type ApiOperation = {
  method: string
  /** With its parameters in braces. */
  path: string
  pathParams: string[]
  queryParams: { name: string; schema: Schema }[]
  /** By media type; empty if it takes no body. */
  bodies: { type: string; schema: Schema; example: unknown }[]
  isIdempotent: boolean
  isNode: boolean
}

type Document = { paths: Record<string, Record<string, Schema>> } & Schema

const methods = ['get', 'post', 'put', 'patch', 'delete']

export function apiOperations(document: Document): ApiOperation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => readOperation(document, { method: method.toUpperCase(), path }, operation)),
  )
}

function readOperation(
  document: Document,
  { method, path }: Pick<ApiOperation, 'method' | 'path'>,
  operation: Schema,
): ApiOperation {
  const params = ((operation['parameters'] ?? []) as unknown[]).map((each) => resolve(document, each))
  const content = (resolve(document, operation['requestBody'] ?? {})['content'] ?? {}) as Record<string, Schema>
  return {
    method,
    path,
    pathParams: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    queryParams: params
      .filter((param) => param['in'] === 'query')
      .map((param) => ({ name: param['name'] as string, schema: resolve(document, param['schema']) })),
    bodies: Object.entries(content).map(([type, { schema = {}, example }]) => ({
      type,
      schema: resolveDeep(document, schema),
      example,
    })),
    isIdempotent: params.some(({ name }) => name === 'Idempotency-Key'),
    isNode: JSON.stringify(operation['security'] ?? []).includes('nodeToken'),
  }
}

function resolve(document: Document, value: unknown): Schema {
  const { $ref } = value as { $ref?: string }
  if ($ref === undefined) return value as Schema
  const steps = $ref.split('/').slice(1)
  return resolve(
    document,
    steps.reduce((part, step) => part[step] as Schema, document as Schema),
  )
}

/** A schema that contains itself is empty there. */
function resolveDeep(document: Document, value: unknown, within: readonly unknown[] = []): Schema {
  if (Array.isArray(value)) return value.map((each) => resolveDeep(document, each, within)) as unknown as Schema
  if (typeof value !== 'object' || value === null) return value as Schema
  const resolved = resolve(document, value)
  if (within.includes(resolved)) return {}
  const parts = Object.entries(resolved).map(([name, part]) => [
    name,
    resolveDeep(document, part, [...within, resolved]),
  ])
  return Object.fromEntries(parts)
}
