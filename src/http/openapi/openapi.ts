import type { TSchema } from 'typebox'
import { type RefusalCode, refusals } from '../../kernel/refusal.ts'
import { type Access, accessRefusals } from '../access/access.ts'
import { Problem, problemMediaType } from '../problem.ts'
import {
  answerDescription,
  isBodyRequired,
  jsonSchema,
  pathParamNames,
  type Route,
  rawMediaTypes,
  sendsFile,
} from '../route.ts'
import type { UploadForm } from '../uploads/upload.ts'

type Json = { [member: string]: unknown }

export type DocumentInfo = {
  version: string
  title: string
  description: string
  tags: { name: string; description: string }[]
}

/** The OpenAPI 3.1 document of what runs: made from the very declarations that the server is made from. */
export function openApiDocument(routes: Route[], { version, title, description, tags }: DocumentInfo): Json {
  const components = new Map<string, Json>()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, components) }
  }
  schemaOf(Problem, components)
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This installation.' }],
    tags,
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes,
      headers: answerHeaders,
      examples: refusalExamples(new Set(routes.flatMap(routeRefusals))),
    },
  }
}

const securitySchemes = {
  adminKey: { type: 'apiKey', in: 'header', name: 'X-Admin-Key', description: 'The key of an administrator.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of a tenant, limited to products.' },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` of the login answer.',
  },
  nodeToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `nodeToken` of the enrollment answer; to enroll, the `enrollmentToken` of the server.',
  },
}

const answerHeaders = {
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 2 },
  RequestId: {
    description: 'Names the request in our log; an inbound one of 8 to 64 characters of `A-Za-z0-9_-` is kept.',
    schema: { type: 'string' },
    example: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57',
  },
  RateLimit: {
    description: 'Left in the window and seconds until it ends (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"default";r=993;t=412',
  },
  ApiKeyExpiry: {
    description: 'When the API key ends; sent in its last seven days alone.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-11-21T09:30:00.000Z',
  },
  RateLimitPolicy: {
    description: 'The limit and its window in seconds.',
    schema: { type: 'string' },
    example: '"default";q=1000;w=900',
  },
}

function securityOf(access: Access): Json[] {
  switch (access.kind) {
    case 'open':
      return []
    case 'admin':
      return [{ adminKey: [] }]
    case 'tenantKey':
      return access.isOptional ? [{ apiKey: [] }, {}] : [{ apiKey: [] }]
    case 'endUser':
      return access.isKeyRequired
        ? [{ apiKey: [], accessToken: [] }]
        : [{ accessToken: [] }, { apiKey: [], accessToken: [] }]
    case 'node':
      return [{ nodeToken: [] }]
  }
}

function takesKey({ kind }: Access): boolean {
  return kind === 'tenantKey' || kind === 'endUser'
}

function operationOf(route: Route, components: Map<string, Json>): Json {
  const parameters = parametersOf(route, components)
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    security: securityOf(route.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: isBodyRequired(route),
            content: { 'application/json': mediaOf(route.body, components) },
          },
        }),
    ...(route.upload === undefined ? {} : { requestBody: formOf(route.upload, components) }),
    ...(route.rawBody === undefined
      ? {}
      : {
          requestBody: {
            required: !route.rawBody.isOptional,
            content: mapped(route.rawBody.examples, (example) => ({ schema: { type: typeof example }, example })),
          },
        }),
    responses: { ...goodAnswersOf(route, components), ...refusalAnswersOf(route) },
  }
}

/** The documented field of files, and the text fields. */
function formOf({ fileFields: [file], fields }: UploadForm, components: Map<string, Json>): Json {
  const { properties } = schemaOf(fields, components) as { properties: Json }
  const schema = {
    type: 'object',
    required: [file],
    properties: { [file]: { type: 'string', contentMediaType: 'application/octet-stream' }, ...properties },
  }
  const example = { [file]: '(the bytes of the file)', ...(exampleValue(fields) as Json) }
  return { required: true, content: { 'multipart/form-data': { schema, example } } }
}

function parametersOf(route: Route, components: Map<string, Json>): Json[] {
  const parameters: Json[] = pathParamNames(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(route.params?.[name] ?? idParameter, components),
    ...described(route.params?.[name] ?? idParameter),
  }))
  const { properties = {}, required = [] } = (route.query ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  for (const [name, schema] of Object.entries(properties)) {
    parameters.push({
      name,
      in: 'query',
      required: required.includes(name),
      schema: schemaOf(schema, components),
      ...described(schema),
    })
  }
  if (route.idempotent) parameters.push(idempotencyParameter)
  if (route.conditional) parameters.push(ifMatchParameter)
  return parameters
}

const idParameter = { type: 'string', format: 'uuid', examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] } as TSchema

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of your own that names this request: repeated within 24 hours it gives the first answer again and does nothing twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'order-8f14e45f',
}

const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of what you read: the change is refused with 412 when somebody was faster.',
  schema: { type: 'string', maxLength: 1000 },
  example: '"0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57-3"',
}

function described(schema: TSchema): Json {
  const { description } = schema as { description?: string }
  return description === undefined ? {} : { description }
}

function goodAnswersOf(route: Route, components: Map<string, Json>): Json {
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(route.limit === undefined ? rateHeaderRefs : {}),
    ...(takesKey(route.access) ? { 'X-API-Key-Expires-At': { $ref: '#/components/headers/ApiKeyExpiry' } } : {}),
  }
  const answers = Object.entries(route.answers).map(([status, answer]) => {
    const description = answerDescription(answer) ?? titles[status] ?? 'The answer.'
    if (answer === null) return [status, { description, headers }]
    const json = jsonSchema(answer)
    const content = {
      ...(json === null ? {} : { 'application/json': mediaOf(json, components) }),
      ...Object.fromEntries(rawMediaTypes(answer).map((type) => [type, { schema: { type: 'string' } }])),
    }
    return [status, { description, headers, content }]
  })
  const notModified =
    route.cache || sendsFile(route)
      ? [['304', { description: 'Not changed since the ETag in `If-None-Match`.', headers }]]
      : []
  return Object.fromEntries([...answers, ...notModified])
}

const rateHeaderRefs = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
}

const titles: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the work goes on.',
  204: 'Done; no body.',
  301: 'It has another address for good: `Location` names it.',
  302: 'It lies where `Location` says.',
}

/** Every code a route can refuse with: of its access rule, of the floor by what it takes, and its own. */
export function routeRefusals(route: Route): RefusalCode[] {
  const asked = (route.query as { properties?: object } | undefined)?.properties ?? {}
  const isPaged = Object.hasOwn(asked, 'page') || Object.hasOwn(asked, 'limit')
  const codes: RefusalCode[] = [
    ...accessRefusals(route.access),
    ...(pathParamNames(route.path).length > 0 ? (['NOT_FOUND', 'VALIDATION_ERROR'] as const) : []),
    ...(isPaged ? (['INVALID_PAGINATION'] as const) : []),
    ...(route.query !== undefined || route.method !== 'GET' ? (['VALIDATION_ERROR'] as const) : []),
    ...(route.method === 'GET' ? [] : (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(route.method === 'GET' || route.upload ? [] : (['MALFORMED_JSON'] as const)),
    ...(route.upload ? (['VALIDATION_ERROR', 'REQUEST_TIMEOUT'] as const) : []),
    ...(route.idempotent ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...(route.conditional || sendsFile(route) ? (['PRECONDITION_FAILED'] as const) : []),
    ...(sendsFile(route)
      ? (['RANGE_NOT_SATISFIABLE'] as const)
      : Object.values(route.answers).some((answer) => answer !== null)
        ? (['NOT_ACCEPTABLE'] as const)
        : []),
    ...(route.limit === 'none' ? [] : (['RATE_LIMITED'] as const)),
    ...(route.refusals ?? []),
    'INTERNAL',
    'UNAVAILABLE',
  ]
  return [...new Set(codes)]
}

function refusalAnswersOf(route: Route): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of routeRefusals(route)) {
    const [status] = refusals[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [String(status), refusalAnswer(status, codes)]),
  )
}

function refusalAnswer(status: number, codes: RefusalCode[]): Json {
  const schema = { $ref: '#/components/schemas/Problem' }
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: { [problemMediaType.split(';')[0] as string]: { schema, examples } },
  }
}

/** One example a code: the operations point here. */
function refusalExamples(codes: Set<RefusalCode>): Json {
  const entries = [...codes].sort().map((code) => {
    const [status, title, meaning] = refusals[code]
    const told = code === 'INTERNAL' ? {} : { detail: meaning }
    const value = { type: `/docs/errors#${code}`, title, status, ...told, code, requestId: exampleId }
    return [code, { summary: title, description: meaning, value }]
  })
  return Object.fromEntries(entries)
}

const exampleId = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'

function mediaOf(schema: TSchema, components: Map<string, Json>): Json {
  return { schema: schemaOf(schema, components), example: exampleValue(schema) }
}

/** A copy of a schema in which every titled schema is a reference into `components`. */
function schemaOf(schema: unknown, components: Map<string, Json>): Json {
  const { title } = schema as { title?: string }
  if (title === undefined) return copyOf(schema as Json, components)
  if (!components.has(title)) {
    components.set(title, {}) // before the copy, for a schema that holds itself
    components.set(title, copyOf(schema as Json, components))
  }
  return { $ref: `#/components/schemas/${title}` }
}

function copyOf(schema: Json, components: Map<string, Json>): Json {
  const copy: Json = { ...schema }
  if (copy['properties'])
    copy['properties'] = mapped(copy['properties'] as Json, (member) => schemaOf(member, components))
  if (copy['items']) copy['items'] = schemaOf(copy['items'], components)
  for (const word of ['anyOf', 'oneOf', 'allOf']) {
    if (Array.isArray(copy[word])) copy[word] = (copy[word] as unknown[]).map((member) => schemaOf(member, components))
  }
  return copy
}

function mapped(members: Json, change: (member: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]))
}

/** An example value of a schema, put together from the `examples` of its leaves. */
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
  if (properties) return mapped(properties as Json, exampleValue)
  if (items) return [exampleValue(items)]
  if (standard !== undefined) return standard
  if (anyOf?.[0] !== undefined) return exampleValue(anyOf[0])
  if (words?.[0] !== undefined) return words[0]
  const first = Array.isArray(type) ? type[0] : type
  if (Array.isArray(type) && type.includes('null')) return null
  return first === 'integer' || first === 'number' ? 1 : first === 'boolean' ? false : first === 'string' ? 'text' : {}
}
