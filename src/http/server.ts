import type { IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { build, Schema } from 'fast-json-stringify'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { newId } from '../kernel/ids.ts'
import { invalidField, Refusal } from '../kernel/refusal.ts'
import { isBrowserAccess } from './access/access.ts'
import { corsPolicy } from './access/cross-origin.ts'
import { isDoorPath, isStranger } from './access/door-path.ts'
import { createGate } from './access/gate.ts'
import { allowedMethods } from './allowed-methods.ts'
import { bodyBytesMaxDefault } from './body.ts'
import { bodyBudget } from './body-budget.ts'
import { cachedRoutes } from './cache/cached-route.ts'
import { answerUnread, isUnreadType, onClientError, toRefusal } from './error-refusal.ts'
import { routeHandler } from './handler.ts'
import { headByGet } from './head.ts'
import { distinctHeaders, hasSeveralHosts, isRequestId, securityHeaders } from './headers.ts'
import { requestFingerprints } from './idempotency.ts'
import { readJsonBody } from './json-body.ts'
import { connectionLimits, limitConnections } from './limits/connection-limits.ts'
import { endWithLastRequest } from './limits/connections.ts'
import { announceUsage, refusedUsage } from './limits/usage-policy.ts'
import { requestObserver } from './observation.ts'
import { problemAnswer } from './problem.ts'
import { parseQueryText } from './query-text.ts'
import { isDeclared, jsonSchema, pathParamNames, type RawBody, type Route } from './route.ts'
import type { ServerDeps } from './server-deps.ts'
import { createSocketServer } from './sockets/socket-server.ts'
import { isSocketUpgrade } from './sockets/upgrade.ts'
import { withoutTrailingSlash } from './trailing-slash.ts'
import { refuseContentEncoding, unsupportedMediaType } from './unsupported-media-type.ts'
import { isForm, uploadPreHandler } from './uploads/upload.ts'

// Half-open and slow requests end here, not at a proxy we may not have (Fastify's own defaults are unlimited).
const timeouts = {
  requestTimeout: 30_000,
  connectionTimeout: 60_000,
  keepAliveTimeout: 72_000,
  headersTimeoutMs: 15_000,
  // How often Node looks for requests beyond these timeouts; its own default is 30 s.
  checkMs: 2_000,
}

/** The HTTP server. It serves only routes made by `route()`: any other one stops the start with its name. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { routes } = deps
  const gates = createGate(deps)
  const { gate } = gates
  const sockets = createSocketServer(deps, gates)
  const observer = requestObserver(deps)
  const publicReads = cachedRoutes(deps)
  const fingerprints = requestFingerprints(deps.secrets)
  const crossOrigin = corsPolicy(deps.pageOrigins)
  const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    const forPages = crossOrigin.headersFor(request)
    if (forPages !== null) reply.headers(forPages)
  }
  const anonymousGate = gate({ access: { kind: 'open', reason: 'no such route' } })
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = isUnreadType(error)
      ? unsupportedMediaType(request.routeOptions?.config?.declared, request.headers['content-type'])
      : toRefusal(error)
    observer.refused(refusal, error, request)
    send(refusal, request, reply)
  }
  const limitBody = bodyBudget(deps)
  const slowConnections = new WeakSet<Socket>()
  const head = headByGet()
  const app = Fastify({
    ...serverOptions(deps, slowConnections),
    rewriteUrl: head.rewriteUrl,
    frameworkErrors: (error, request, reply) => {
      head.restore(request)
      // No hooks run for these answers, so headers and rate limits are applied here.
      setCommonHeaders(request, reply)
      observer.onUnknownArrival(request, reply)
      const answer = (reason: unknown) => refuse(reason, request, reply)
      anonymousGate(request, reply).then(() => answer(error), answer)
    },
  })
  refuseUndeclared(app)
  parseBodies(app, deps)
  parseForms(app)
  limitConnections(
    app.server,
    { ...connectionLimits, ...deps.connections },
    {
      ...deps,
      onRefused: observer.connectionRefused,
    },
  )
  const endConnections = endWithLastRequest(app.server)
  sockets.listen(app)
  app.addHook('onListen', async () => deps.loop.start())
  app.addHook('preClose', async () => {
    deps.loop.stop()
    endConnections()
    await sockets.close()
  })
  const [atDoors = [], elsewhere = []] = [true, false].map((isDoor) =>
    routes.filter(({ access }) => isBrowserAccess(access) === isDoor),
  )
  const [allowedAtDoors, allowedElsewhere] = [allowedMethods(atDoors), allowedMethods(elsewhere)]
  const allowed = (url: string) => (isDoorPath(url) ? allowedAtDoors : allowedElsewhere)(url)
  app.addHook('onRequest', async (request, reply) => {
    head.restore(request)
    setCommonHeaders(request, reply)
    const slashless = withoutTrailingSlash(request.url)
    const isRedirected = slashless !== null && allowed(slashless).length > 0
    const isAmbiguous = hasSeveralHosts(request.raw)
    const isUnknown = request.is404 || isStranger(request.url, request.routeOptions.config.declared?.access)
    if (!isUnknown && !isRedirected && !isAmbiguous) return
    observer.onUnknownArrival(request, reply)
    const methods = allowed(isRedirected ? slashless : request.url)
    if (!isAmbiguous && methods.length > 0 && crossOrigin.isPreflight(request))
      return crossOrigin.answerPreflight(request, reply, methods)
    // Before the body is read: requests to unknown paths count towards the rate limit as well.
    await anonymousGate(request, reply)
    if (isAmbiguous) throw invalidField('/headers/host', { code: 'repeated', message: 'must be sent once' })
    if (isRedirected) return reply.code(308).headers({ location: slashless, 'cache-control': 'no-store' }).send()
    throw notFoundOrMethodNotAllowed(methods)
  })
  app.setErrorHandler(refuse)
  for (const declared of routes) {
    app.route({
      ...routeOptions(declared),
      onRequest: [
        observer.arrival(declared),
        sockets.gateOf(declared) ?? gate(declared),
        ...(declared.upload ? [uploadPreHandler({ ...declared, upload: declared.upload }, slowConnections)] : []),
      ],
      ...(declared.method === 'GET' ? {} : { preParsing: limitJson(declared, limitBody(declared)) }),
      handler: sockets.handlerOf(declared) ?? routeHandler(declared, { ...deps, fingerprints }, publicReads),
    })
  }
  return app
}

function routeOptions(declared: Route) {
  return {
    method: declared.method,
    url: declared.path,
    ...(declared.wildcard ? wildcardOptions(declared.path) : {}),
    config: { declared },
    bodyLimit: declared.rawBody?.bytesMax ?? declared.bodyBytesMax ?? bodyBytesMaxDefault,
    schema: { response: jsonAnswerSchemas(declared) },
  }
}

/** A form is not kept in memory: its own limits hold. */
function limitJson(declared: Route, limit: ReturnType<ReturnType<typeof bodyBudget>>): typeof limit {
  if (declared.upload === undefined) return limit
  return (request, reply, payload, done) =>
    isForm(declared, request) ? done(null, payload) : limit(request, reply, payload, done)
}

/** The router names a wildcard `*`; this hook restores the declared name. */
function wildcardOptions(path: string) {
  const name = pathParamNames(path).at(-1) as string
  const nameRest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const { '*': rest, ...named } = request.params as Record<string, string>
    request.params = { ...named, [name]: rest }
    done()
  }
  return { url: path.replace(/:\w+$/, '*'), preHandler: nameRest }
}

/** @param slow connections whose request may exceed the general timeout. */
function serverOptions({ clock, routes, trustedProxies }: ServerDeps, slow: WeakSet<Socket>) {
  return {
    logger: false,
    exposeHeadRoutes: false,
    trustProxy: trustedProxies.length === 0 ? false : trustedProxies,
    requestIdHeader: false,
    genReqId: ({ headers }: { headers: IncomingHttpHeaders }) => {
      const sent = headers['x-request-id']
      return isRequestId(sent) ? sent : newId(clock.now())
    },
    bodyLimit: bodyBytesMaxDefault,
    requestTimeout: timeouts.requestTimeout,
    connectionTimeout: timeouts.connectionTimeout,
    keepAliveTimeout: timeouts.keepAliveTimeout,
    http: {
      headersTimeout: timeouts.headersTimeoutMs,
      connectionsCheckingInterval: timeouts.checkMs,
      shouldUpgradeCallback: isSocketUpgrade(routes),
    },
    forceCloseConnections: 'idle',
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && slow.has(socket)) return
      onClientError(error, socket, newId(clock.now()))
    },
    routerOptions: { maxParamLength: 500, querystringParser: parseQueryText },
    schemaController: { compilersFactory: { buildSerializer, buildValidator } },
  } as const
}

/** Parsers for JSON and for the media types that some routes read themselves. */
function parseBodies(app: FastifyInstance, { routes, loop }: ServerDeps): void {
  app.removeAllContentTypeParsers()
  const types = new Set(['application/json', ...routes.flatMap(({ rawBody }) => Object.keys(rawBody?.examples ?? {}))])
  types.delete(formType)
  for (const type of types) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
      const { rawBody, bodyMembersMax } = request.routeOptions.config.declared ?? {}
      // The last bytes came in the name of the connection.
      if (request.observed) loop.enter(request.observed.name)
      const isTaken = rawBody === undefined ? type === 'application/json' : Object.hasOwn(rawBody.examples, type)
      if (!isTaken) throw unsupportedMediaType(request.routeOptions.config.declared, type)
      refuseContentEncoding(request.headers['content-encoding'])
      return rawBody === undefined ? readJsonBody(bytes, bodyMembersMax) : toRawBody(type, bytes, request)
    })
  }
}

function toRawBody(contentType: string, bytes: Buffer, { raw }: FastifyRequest): RawBody {
  return { contentType, bytes, headers: distinctHeaders(raw) }
}

const formType = 'multipart/form-data'

/** Upload routes read the form themselves, as a stream. Routes with `rawBody` get it as one buffer. */
function parseForms(app: FastifyInstance): void {
  app.addContentTypeParser(formType, async (request: FastifyRequest, payload: Readable) => {
    const { upload, rawBody } = request.routeOptions.config.declared ?? {}
    if (upload) return undefined // also where JSON is accepted, too
    if (!rawBody || !Object.hasOwn(rawBody.examples, formType))
      throw unsupportedMediaType(request.routeOptions.config.declared, formType)
    refuseContentEncoding(request.headers['content-encoding'])
    return toRawBody(formType, await readWhole(payload, request, rawBody.bytesMax), request)
  })
}

/** Reads a body into memory. Refuses at once if Content-Length is too large, and otherwise as soon as the limit is passed. */
async function readWhole(payload: Readable, { headers }: FastifyRequest, bytesMax: number): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw new Refusal('BODY_TOO_LARGE')
  const chunks: Buffer[] = []
  let size = 0
  // Stays open when the body is too long, because the answer must still be sent on it.
  for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bytesMax) throw new Refusal('BODY_TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** 405 if the path exists with other methods, otherwise 404. */
function notFoundOrMethodNotAllowed(methods: string[]): Refusal {
  const allow = methods.join(', ')
  if (allow === '')
    return new Refusal('NOT_FOUND', { detail: 'There is no route with this path. All routes are listed in /docs.' })
  return new Refusal('METHOD_NOT_ALLOWED', { detail: `This path accepts ${allow}.`, headers: { allow } })
}

function refuseUndeclared(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    const { declared } = (config ?? {}) as { declared?: unknown }
    if (!isDeclared(declared)) throw new Error(`${method} ${url} was not declared with route(): it has no access rule.`)
  })
}

function send(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): void {
  announceUsage(reply, refusedUsage(refusal))
  const { status, headers, body } = problemAnswer(refusal, {
    requestId: request.id,
    route: request.routeOptions?.config?.declared,
  })
  // The sender is still sending what is not read.
  if (headers['connection'] === 'close' && request.raw.complete === false)
    answerUnread(request, reply, { status, headers, body })
  else reply.code(status).headers(headers).serializer(JSON.stringify).send(body)
}

// Given both, Fastify does not load its own, which takes a twentieth of a start.
const buildSerializer = () => (route: { schema?: unknown }) => serializerAtFirstUse(route.schema as Schema)
const buildValidator = () => () => {
  throw new Error('Requests are validated by http/validation.ts.')
}

const require = createRequire(import.meta.url)

/** Loads the library and compiles the serializer at their first use, to keep the start fast. */
function serializerAtFirstUse(schema: Schema): (value: unknown) => string {
  let serialize: ((value: unknown) => string) | null = null
  return (value) => {
    serialize ??= (require('fast-json-stringify') as typeof build)(schema) as (value: unknown) => string
    return serialize(value)
  }
}

/** The schemas of the JSON answers. Members that a schema does not list are never sent. */
function jsonAnswerSchemas({ answers }: Route): Record<number, object> {
  const schemas = Object.entries(answers).flatMap(([status, answer]) => {
    const schema = jsonSchema(answer)
    return schema === null ? [] : [[status, schema] as const]
  })
  return Object.fromEntries(schemas)
}
