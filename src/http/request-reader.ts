import type { FastifyRequest } from 'fastify'
import { isAboutFields, joinRefusals, refuseBroken } from '../kernel/field-rules.ts'
import { isId } from '../kernel/ids.ts'
import { invalidField, notFound, type Refusal, refuseFields } from '../kernel/refusal.ts'
import { StrictObject } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import { ownOrigin } from './access/page-origin.ts'
import { isStorableText } from './body.ts'
import { fittingPart, withBrokenRules } from './broken-rules.ts'
import { distinctHeaders } from './headers.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { encodingFaults } from './query-text.ts'
import { isBodyRequired, type RawBody, type Route } from './route.ts'
import { isForm, uploadReader } from './uploads/upload.ts'
import { parseQuery, schemaCheck } from './validation.ts'

/** The validated parts of a request. */
export type RequestData = {
  params: Record<string, string>
  query: unknown
  body: unknown
  raw: RawBody | null
  signal: AbortSignal | null
  upload: unknown
  origin: string | null
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
  // Without a helper for each part: every promise costs, and this runs for each request.
  return async (request: FastifyRequest, grants: () => Record<string, unknown>): Promise<RequestData> => {
    const { headers } = request
    const params = request.params as Record<string, string>
    for (const [name, value] of Object.entries(params)) refuseParam(name, value)
    const refusals: Refusal[] = []
    let query: unknown
    let body: unknown
    let idempotencyKey: string | null = null
    try {
      if (readQuery !== null) query = await readQuery(request.query as Record<string, unknown>)
    } catch (error) {
      refusals.push(asFieldRefusal(error))
    }
    try {
      if (!isUpload(route, request)) body = await readBody(request.body)
    } catch (error) {
      refusals.push(asFieldRefusal(error))
    }
    try {
      if (route.idempotent && !isUpload(route, request)) idempotencyKey = readIdempotencyKey(headers['idempotency-key'])
    } catch (error) {
      refusals.push(asFieldRefusal(error))
    }
    if (refusals.length > 0) {
      const refusal = joinRefusals(refusals)
      const faults = refusal.options.errors ?? []
      throw await withBrokenRules(route, refusal, () => ({
        ...grants(),
        params,
        headers,
        query: fittingPart('query', { sent: request.query, value: query, faults }),
        body: fittingPart('body', { sent: request.body, value: body, faults }),
      }))
    }
    const raw = route.rawBody === undefined ? null : ((request.body ?? noBody(request)) as RawBody)
    const upload = route.upload && isForm(route, request) ? uploadReader(route.upload, request.raw) : undefined
    const origin = route.usesOrigin ? ownOrigin(request) : null
    return { params, query, body, raw, signal: null, upload, origin, headers, idempotencyKey }
  }
}

/** A form has no JSON: the use case reads it. */
function isUpload({ upload, body }: Route, request: FastifyRequest): boolean {
  return upload !== undefined && body !== undefined && isForm({ body }, request)
}

/** Any other error ends the request at once. */
function asFieldRefusal(error: unknown): Refusal {
  if (isAboutFields(error)) return error
  throw error
}

function queryReader(route: Route): ((query: Record<string, unknown>) => Promise<unknown>) | null {
  const { query: schema } = route
  if (schema === undefined) return null
  const isOpen = allowsUnknownQuery(route)
  const known = schemaProperties(schema)
  const check = schemaCheck(isOpen ? Type.Object({ ...known }) : schema, 'query')
  return async (sent) => {
    const query = parseQuery(schema, sent)
    // An unknown parameter is either ignored or refused anyway.
    const faults = encodingFaults(sent, Object.keys(known))
    if (faults.length > 0) await refuseBroken([() => refuseFields(faults), () => check(query)])
    return check(query)
  }
}

function bodyReader(route: Route): (body: unknown) => Promise<unknown> | undefined {
  const check = route.body === undefined ? null : schemaCheck(route.body, 'body')
  const checkNoBody = takesBody(route) ? null : schemaCheck(StrictObject({}), 'body')
  const isRequired = route.rawBody ? !route.rawBody.isOptional : isBodyRequired(route)
  return (body) => {
    if (body === undefined && isRequired) throw invalidField('/body', { code: 'required', message: 'is required' })
    if (check !== null) return check(body === undefined ? {} : body)
    // The route reads no body, so every member is refused as unknown.
    return body === undefined || body === null ? undefined : checkNoBody?.(body).then(() => undefined)
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
