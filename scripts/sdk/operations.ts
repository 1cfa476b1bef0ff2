import { type Client, methodName, otherCaller } from './method-names.ts'
import type { Schema } from './schema-types.ts'

// Reads from an OpenAPI document what the SDK needs to know of each operation.

type Content = Record<string, { schema?: Schema }>

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }

export type DocumentOperation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

export type OpenApiDocument = {
  paths: Record<string, Record<string, DocumentOperation>>
  components: { schemas: Record<string, Schema> }
}

export type Operation = {
  id: string
  client: Client
  group: string
  method: string
  summary: string
  verb: string
  path: string
  parameters: Parameter[]
  /** Of a request with a body: its types. */
  body: Content | null
  /** Of the successful answers: their types. Empty: the answer has no body. */
  answers: Content[]
  acceptsToken: boolean
  isIdempotent: boolean
  /** The member of the answer with the entries, where it is one page of a list. */
  list: string | null
}

export function readOperations(document: OpenApiDocument): Operation[] {
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, operation]) => operation.operationId && otherCaller(operation.operationId) === undefined)
      .map(([verb, operation]) => readOperation({ path, verb, operation, document })),
  )
  refuseTakenNames(operations)
  return operations
}

type Place = { path: string; verb: string; operation: DocumentOperation; document: OpenApiDocument }

function readOperation({ path, verb, operation, document }: Place): Operation {
  const { operationId, tags, security, parameters = [], requestBody, responses, summary } = operation
  const { group, name } = methodName(operationId, tags[0] ?? '')
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) => content)
  return {
    id: operationId,
    client: security.length === 1 && security[0]?.['adminKey'] ? 'admin' : 'app',
    group,
    method: name,
    summary,
    verb: verb.toUpperCase(),
    path,
    parameters,
    body: requestBody?.content ?? null,
    answers,
    acceptsToken: security.some((scheme) => scheme['accessToken']),
    // The service answers a repeated refresh with the same tokens for 30 seconds.
    isIdempotent: operationId === 'refresh' || parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
    list: listMember(answers[0]?.['application/json']?.schema, document),
  }
}

/** An answer with `pagination` has one other member: the list. */
function listMember(schema: Schema | undefined, document: OpenApiDocument): string | null {
  const name = schema?.$ref?.split('/').at(-1)
  const properties = (name ? document.components.schemas[name] : schema)?.properties ?? {}
  return 'pagination' in properties ? (Object.keys(properties).find((member) => member !== 'pagination') ?? null) : null
}

function refuseTakenNames(operations: Operation[]): void {
  const named = Map.groupBy(operations, ({ client, group, method }) => `${client} ${group}.${method}`)
  const taken = [...named].filter(([, all]) => all.length > 1)
  if (taken.length === 0) return
  const lines = taken.map(([name, all]) => `${name}: ${all.map(({ id }) => id).join(', ')}`)
  throw new Error(`Methods of the SDK with one name; see scripts/sdk/method-names.ts:\n${lines.join('\n')}`)
}
