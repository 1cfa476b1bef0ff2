import type { FastifyRequest } from 'fastify'
import { isAboutFields, joinRefusals } from '../kernel/field-rules.ts'
import { isId } from '../kernel/ids.ts'
import { invalidField, notFound, Refusal } from '../kernel/refusal.ts'
import { StrictObject } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { isStorableText } from './body.ts'
import { fittingPart, type Part, withBrokenRules } from './broken-rules.ts'
import { distinctHeaders } from './headers.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { isBodyRequired, type RawBody, type Route } from './route.ts'
import { uploadReader } from './uploads/upload.ts'
import { parseQuery, schemaCheck } from './validation.ts'

/** The validated parts of a request. */
export type RequestData = {
  params: Record<string, string>
  query: unknown
  body: unknown
  raw: RawBody | null
  signal: AbortSignal | null
  upload: unknown
  headers: object
  /** Null if none was sent, or the route takes none. */
  idempotencyKey: string | null
}

/**
 * Reads and validates a request. A refusal names every wrong field of the query, the body and the headers, and with
 * `grants` also those that break a rule of the route.
 */
export function requestReader(route: Route) {
  const readQuery = queryReader(route)
  const readBody = bodyReader(route)
  return async (request: FastifyRequest, grants: () => Record<string, unknown>): Promise<RequestData> => {
    const { headers } = request
    const params = request.params as Record<string, string>
    for (const [name, value] of Object.entries(params)) refuseParam(name, value)
    const query = await settle(request.query, readQuery)
    const body = await settle(request.body, readBody)
    const key = await settle(headers['idempotency-key'], route.idempotent ? readIdempotencyKey : () => null)
    const refusals = [query, body, key].flatMap(({ refusal }) => (refusal === null ? [] : [refusal]))
    if (refusals.length > 0) {
      const fitting = { query: fittingPart('query', query), body: fittingPart('body', body) }
      throw await withBrokenRules(route, joinRefusals(refusals), () => ({ ...grants(), params, headers, ...fitting }))
    }
    const raw = route.rawBody === undefined ? null : ((request.body ?? noBody(request)) as RawBody)
    const upload = route.upload && uploadReader(route.upload, request.raw)
    const idempotencyKey = key.value as string | null
    return { params, query: query.value, body: body.value, raw, signal: null, upload, headers, idempotencyKey }
  }
}

function queryReader(route: Route): (query: Record<string, unknown>) => Promise<unknown> {
  const { query: schema } = route
  if (schema === undefined) return async () => undefined
  const check = schemaCheck(allowsUnknownQuery(route) ? Type.Object({ ...schemaProperties(schema) }) : schema, 'query')
  return async (query) => check(parseQuery(schema, storableQuery(query)))
}

function bodyReader(route: Route): (body: unknown) => Promise<unknown> {
  const check = route.body === undefined ? null : schemaCheck(route.body, 'body')
  const checkNoBody = takesBody(route) ? null : schemaCheck(StrictObject({}), 'body')
  const isRequired = route.rawBody ? !route.rawBody.isOptional : isBodyRequired(route)
  return async (body) => {
    if (body === undefined && isRequired) throw invalidField('/body', { code: 'required', message: 'is required' })
    // The route reads no body, so every member is refused as unknown.
    if (body !== undefined && body !== null) await checkNoBody?.(body)
    return check === null ? undefined : check(body === undefined ? {} : body)
  }
}

async function settle(sent: unknown, read: (sent: never) => unknown): Promise<Part> {
  try {
    return { sent, value: await read(sent as never), refusal: null }
  } catch (error) {
    if (!isAboutFields(error)) throw error
    return { sent, value: null, refusal: error }
  }
}

function noBody({ raw }: FastifyRequest): RawBody {
  return { contentType: '', bytes: Buffer.alloc(0), headers: distinctHeaders(raw) }
}

function takesBody({ body, rawBody, upload }: Route): boolean {
  return body !== undefined || rawBody !== undefined || upload !== undefined
}

/** Links to public pages may carry tracking parameters. All other routes refuse unknown query parameters. */
function allowsUnknownQuery({ access }: Route): boolean {
  return access.kind === 'open'
}

function schemaProperties(schema: object): Record<string, never> {
  return (schema as { properties?: Record<string, never> }).properties ?? {}
}

/** A malformed id gets the same answer as an unknown id. */
function refuseParam(name: string, value: string): void {
  const isOfId = name === 'id' || name.endsWith('Id')
  if (isOfId ? !isId(value) : !isStorableText(value)) throw notFound()
}

function storableQuery(query: Record<string, unknown>): Record<string, unknown> {
  for (const value of Object.values(query)) {
    if (typeof value === 'string' && !isStorableText(value)) {
      throw new Refusal('VALIDATION_ERROR', { detail: 'A query parameter holds NUL characters or lone surrogates.' })
    }
  }
  return query
}
