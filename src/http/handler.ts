import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Handle } from '../storage/handle.ts'
import { type Admitted, rateLimitBucket } from './access/callers.ts'
import { grantScopes, systemScope } from './access/grants.ts'
import type { Answer } from './answer.ts'
import { withBrokenRules } from './broken-rules.ts'
import type { cachedRoutes } from './cache/cached-route.ts'
import { clientAddress, clientBucket } from './client-address.ts'
import { type RequestFingerprints, runOnce } from './idempotency.ts'
import { announceUsage } from './limits/usage-policy.ts'
import { answerMediaTypes, refuseUnacceptable } from './negotiation.ts'
import { ownerOnlyFilter } from './owner-only.ts'
import { type RequestData, requestReader } from './request-reader.ts'
import { type Route, sendsFile } from './route.ts'
import type { ServerDeps } from './server-deps.ts'
import { sendFile } from './stored-file.ts'

type Parts = Pick<ServerDeps, 'handle' | 'secrets' | 'clock' | 'loop'> & { fingerprints: RequestFingerprints }
type Input = Record<string, unknown>
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
    parts.loop.enter(route)
    refuseUnacceptable(request.headers.accept, producedTypes)
    const admitted = request.admitted as Admitted // set by the gate, without which no handler runs
    const origin = { ip: clientAddress(request), requestId: request.id }
    const grants = (handle: Handle) => grantScopes(admitted, handle, origin)
    const data = await read(request, () => grants(parts.handle))
    const sent = route.longPoll ? { ...data, signal: disconnectSignal(reply) } : data
    const prepared = route.prepare && (await runStep(route, route.prepare, { ...grants(parts.handle), ...sent }))
    const work = (handle: Handle) => runStep(route, route.handle, { ...grants(handle), ...sent, prepared })
    const answer =
      data.idempotencyKey === null
        ? await work(parts.handle)
        : await runIdempotent({ route, request, admitted, key: data.idempotencyKey, sent }, parts, {
            work,
            authorizeRepeat: async (handle, subjectId) =>
              route.authorizeRepeat?.({ ...grants(handle), ...sent, subjectId }),
          })
    if (answer.onServed && request.method !== 'HEAD')
      answer.onServed({ ip: origin.ip, url: request.url, headers: request.headers })
    if (isFile) return sendFile(answer, request, reply)
    return send(hideSecrets ? hideSecrets(answer, admitted) : answer, reply)
  }
}

/** Runs a part of the use case. If it refuses a field, the refusal names every other wrong field, too. */
async function runStep<T>(route: Route, step: (input: Input) => Promise<T>, input: Input): Promise<T> {
  try {
    return await step(input)
  } catch (error) {
    throw await withBrokenRules(route, error, () => input)
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
    const grants = grantScopes(request.admitted as Admitted, handle, origin)
    return runStep(route, route.handle, { ...grants, ...(await read(request, () => grants)) })
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
  steps: {
    work: (handle: Handle) => Promise<Answer>
    authorizeRepeat: (handle: Handle, subjectId: string | null) => Promise<unknown>
  },
): Promise<Answer> {
  const { route, request, admitted, key, sent } = asked
  // The address is not part of the caller's identity here: a phone may change networks between attempts.
  const caller =
    admitted.kind === 'tenantKey' && admitted.apiKey
      ? `key:${admitted.apiKey.id}`
      : rateLimitBucket(admitted, clientBucket(request))
  const scope = `${caller} ${route.method} ${request.url.split('?')[0]}`
  const fingerprint = sent.raw === null ? fingerprints.body(sent.body) : fingerprints.bytes(sent.raw)
  const tenantId = namedTenant(admitted, sent)
  const once = { key, scope, tenantId, fingerprint, now: clock.now() }
  return runOnce({ platform: systemScope(handle), request: once, secrets, ...steps })
}

/** The caller's tenant, or the one that an administrator names in the path. */
function namedTenant(admitted: Admitted, { params }: RequestData): string | null {
  return 'tenant' in admitted ? admitted.tenant.tenantId : (params['tenantId'] ?? null)
}

function send({ status, headers, body, usage }: Answer, reply: FastifyReply) {
  reply.code(status).header('cache-control', 'no-store')
  if (usage) announceUsage(reply, usage)
  if (headers) reply.headers(headers)
  return body === null ? reply.send() : reply.send(body)
}
