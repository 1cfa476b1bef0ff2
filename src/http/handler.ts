import type { FastifyReply, FastifyRequest } from 'fastify'
import { isId } from '../kernel/ids.ts'
import { invalidField, notFound, Refusal } from '../kernel/refusal.ts'
import { StrictObject } from '../kernel/schemas.ts'
import { Type } from '../kernel/type.ts'
import type { Handle } from '../storage/handle.ts'
import { type Admitted, rateLimitBucket } from './access/callers.ts'
import { grantScopes, systemScope } from './access/grants.ts'
import type { Answer } from './answer.ts'
import { isStorableText } from './body.ts'
import type { cachedRoutes } from './cache/cached-route.ts'
import { clientAddress, clientBucket } from './client-address.ts'
import { distinctHeaders } from './headers.ts'
import { type RequestFingerprints, readIdempotencyKey, runOnce } from './idempotency.ts'
import { answerMediaTypes, refuseUnacceptable } from './negotiation.ts'
import { ownerOnlyFilter } from './owner-only.ts'
import { isBodyRequired, type RawBody, type Route, sendsFile } from './route.ts'
import type { ServerDeps } from './server-deps.ts'
import { sendFile } from './stored-file.ts'
import { uploadReader } from './uploads/upload.ts'
import { parseQuery, schemaCheck } from './validation.ts'

type Parts = Pick<ServerDeps, 'handle' | 'secrets' | 'clock'> & { fingerprints: RequestFingerprints }
/** The validated parts of a request. */
type RequestData = {
  params: Record<string, string>
  query: unknown
  body: unknown
  raw: RawBody | null
  signal: AbortSignal | null
  upload: unknown
  headers: object
}
type CachedRoutes = ReturnType<typeof cachedRoutes>

/** Everything after the body is read: validation, idempotency, the handler, and the answer. */
export function routeHandler(route: Route, parts: Parts, serveCached: CachedRoutes) {
  const read = requestReader(route)
  const isFile = sendsFile(route)
  // A file has its own media type; its URL identifies the file.
  const producedTypes = isFile ? [] : answerMediaTypes(route)
  if (route.cache) return cachedHandler(route, parts, { read, produced: producedTypes, serveCached })
  const hideSecrets = ownerOnlyFilter(route)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseUnacceptable(request.headers.accept, producedTypes)
    const admitted = request.admitted as Admitted // set by the gate, without which no handler runs
    const sent = route.longPoll ? { ...(await read(request)), signal: disconnectSignal(reply) } : await read(request)
    const origin = { ip: clientAddress(request), requestId: request.id }
    const prepared = await route.prepare?.({ ...grantScopes(admitted, parts.handle, origin), ...sent })
    const work = (handle: Handle) => route.handle({ ...grantScopes(admitted, handle, origin), ...sent, prepared })
    const key = route.idempotent ? readIdempotencyKey(request.headers['idempotency-key']) : null
    const answer =
      key === null
        ? await work(parts.handle)
        : await runIdempotent({ route, request, admitted, key, sent }, parts, work)
    if (answer.onServed && request.method !== 'HEAD')
      answer.onServed({ ip: origin.ip, url: request.url, headers: request.headers })
    if (isFile) return sendFile(answer, request, reply)
    return send(hideSecrets ? hideSecrets(answer, admitted) : answer, reply)
  }
}

/** Aborts if the client disconnects before the answer. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const absence = new AbortController()
  if (raw.closed) absence.abort()
  else raw.once('close', () => absence.abort())
  return absence.signal
}

/** Validates only when the answer is not cached: a cached answer had the same parameters. */
function cachedHandler(
  route: Route,
  { handle }: Parts,
  {
    read,
    produced,
    serveCached,
  }: { read: ReturnType<typeof requestReader>; produced: string[]; serveCached: CachedRoutes },
) {
  const serve = serveCached(route, produced, async (request) => {
    const origin = { ip: clientAddress(request), requestId: request.id }
    return route.handle({ ...grantScopes(request.admitted as Admitted, handle, origin), ...(await read(request)) })
  })
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseUnacceptable(request.headers.accept, produced)
    return serve(request, reply)
  }
}

function runIdempotent(
  asked: {
    route: Route
    request: FastifyRequest
    admitted: Admitted
    key: string
    sent: RequestData
  },
  { handle, secrets, clock, fingerprints }: Parts,
  work: (handle: Handle) => Promise<Answer>,
): Promise<Answer> {
  const { route, request, admitted, key, sent } = asked
  // The address is not part of the caller's identity here: a phone may change networks between attempts.
  const caller =
    admitted.kind === 'tenantKey' && admitted.apiKey
      ? `key:${admitted.apiKey.id}`
      : rateLimitBucket(admitted, clientBucket(request))
  const scope = `${caller} ${route.method} ${request.url.split('?')[0]}`
  const fingerprint = sent.raw === null ? fingerprints.body(sent.body) : fingerprints.bytes(sent.raw)
  return runOnce(systemScope(handle), { key, scope, fingerprint, now: clock.now() }, secrets, work)
}

function requestReader(route: Route) {
  const checkQuery =
    route.query === undefined
      ? null
      : schemaCheck(
          allowsUnknownQuery(route) ? Type.Object({ ...schemaProperties(route.query) }) : route.query,
          'query',
        )
  const checkBody = route.body === undefined ? null : schemaCheck(route.body, 'body')
  const checkNoBody = takesBody(route) ? null : schemaCheck(StrictObject({}), 'body')
  return async (request: FastifyRequest): Promise<RequestData> => {
    const params = request.params as Record<string, string>
    for (const [name, value] of Object.entries(params)) refuseParam(name, value)
    const query =
      checkQuery === null
        ? undefined
        : await checkQuery(parseQuery(route.query ?? {}, storableQuery(request.query as Record<string, unknown>)))
    const raw = route.rawBody === undefined ? null : ((request.body ?? noBody(request)) as RawBody)
    const isRequired = route.rawBody ? !route.rawBody.isOptional : isBodyRequired(route)
    if (request.body === undefined && isRequired)
      throw invalidField('/body', { code: 'required', message: 'is required' })
    const body = checkBody === null ? undefined : await checkBody(request.body === undefined ? {} : request.body)
    // The route reads no body, so every member is refused as unknown.
    if (request.body !== undefined && request.body !== null) await checkNoBody?.(request.body)
    const upload = route.upload && uploadReader(route.upload, request.raw)
    return { params, query, body, raw, signal: null, upload, headers: request.headers }
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

function send({ status, headers, body }: Answer, reply: FastifyReply) {
  reply.code(status).header('cache-control', 'no-store')
  if (headers) reply.headers(headers)
  return body === null ? reply.send() : reply.send(body)
}
