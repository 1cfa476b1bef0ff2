import { type RefusalCode, refusals } from '../../kernel/refusal.ts'
import { type Access, accessRefusals } from '../access/access.ts'
import { plainNotFound, problemMediaType } from '../problem.ts'
import { answerDescription, jsonSchema, pathParamNames, type Route, rawMediaTypes, sendsFile } from '../route.ts'
import { type Json, mediaType } from './schemas.ts'

export const responseHeaders = {
  RetryAfter: { description: 'Seconds to wait before the next request.', schema: { type: 'integer' }, example: 2 },
  RequestId: {
    description:
      'Identifies the request in our log. A value that you send is kept if it has 8 to 64 characters of `A-Za-z0-9_-`.',
    schema: { type: 'string' },
    example: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57',
  },
  RateLimit: {
    description: 'Requests left in the window, and seconds until it ends (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"default";r=993;t=412',
  },
  ApiKeyExpiry: {
    description: 'When the API key expires. Sent only in its last seven days.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-11-21T09:30:00.000Z',
  },
  RateLimitPolicy: {
    description: 'The limit and its window in seconds.',
    schema: { type: 'string' },
    example: '"default";q=1000;w=900',
  },
}

export function successResponses(route: Route, components: Map<string, Json>): Json {
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(route.limit === undefined ? rateHeaderRefs : {}),
    ...(acceptsApiKey(route.access) ? { 'X-API-Key-Expires-At': { $ref: '#/components/headers/ApiKeyExpiry' } } : {}),
  }
  const answers = Object.entries(route.answers).map(([status, answer]) => {
    const description = answerDescription(answer) ?? defaultDescriptions[status] ?? 'The response.'
    if (answer === null) return [status, { description, headers }]
    const json = jsonSchema(answer)
    const content = {
      ...(json === null ? {} : { 'application/json': mediaType(json, components) }),
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

const defaultDescriptions: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The work continues in the background.',
  204: 'Done. The response has no body.',
  301: 'Moved permanently. `Location` holds its address.',
  302: '`Location` holds its address.',
}

/** All refusal codes of a route: of its access rule, of the HTTP layer for its features, and its own. */
export function routeRefusals(route: Route): RefusalCode[] {
  const asked = (route.query as { properties?: object } | undefined)?.properties ?? {}
  const isPaged = Object.hasOwn(asked, 'page') || Object.hasOwn(asked, 'limit')
  const codes: RefusalCode[] = [
    ...accessRefusals(route.access),
    ...(pathParamNames(route.path).length > 0 ? (['NOT_FOUND', 'VALIDATION_ERROR'] as const) : []),
    ...(isPaged ? (['INVALID_PAGINATION'] as const) : []),
    ...(route.query !== undefined || route.method !== 'GET' ? (['VALIDATION_ERROR'] as const) : []),
    ...(route.method === 'GET' ? [] : (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(route.method === 'GET' || (route.upload && route.body === undefined)
      ? []
      : (['MALFORMED_JSON', 'BODY_TOO_MANY_MEMBERS'] as const)),
    ...(route.upload ? (['VALIDATION_ERROR', 'REQUEST_TIMEOUT'] as const) : []),
    ...(route.idempotent ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...(route.conditional || sendsFile(route) ? (['PRECONDITION_FAILED'] as const) : []),
    ...(sendsFile(route)
      ? (['RANGE_NOT_SATISFIABLE'] as const)
      : Object.values(route.answers).some((answer) => answer !== null)
        ? (['NOT_ACCEPTABLE'] as const)
        : []),
    // Wrong credentials are counted everywhere.
    ...(route.limit === 'none' && accessRefusals(route.access).length === 0 ? [] : (['RATE_LIMITED'] as const)),
    ...(route.refusals ?? []),
    'INTERNAL',
    'UNAVAILABLE',
  ]
  return [...new Set(codes)]
}

/** The refusals of a route and its aliases. */
export function refusalResponses(routes: Route[]): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of new Set(routes.flatMap(routeRefusals))) {
    const [status] = refusals[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [String(status), refusalResponse(status, codes)]),
  )
}

function refusalResponse(status: number, codes: RefusalCode[]): Json {
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

/** One example per code, which the operations reference. */
export function refusalExamples(codes: Set<RefusalCode>): Json {
  const entries = [...codes].sort().map((code) => {
    const [status, title, meaning] = refusals[code]
    const told = code === 'INTERNAL' ? {} : { detail: code === 'NOT_FOUND' ? plainNotFound : meaning }
    const value = { type: `/docs/errors#${code}`, title, status, ...told, code, requestId: exampleId }
    return [code, { summary: title, description: meaning, value }]
  })
  return Object.fromEntries(entries)
}

const exampleId = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'

function acceptsApiKey({ kind }: Access): boolean {
  return kind === 'tenantKey' || kind === 'endUser'
}
