import serializerOf, { type Schema } from 'fast-json-stringify'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { newId } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import { allowedMethods } from './allowed-methods.ts'
import { bodyBytesMaxDefault, readJson } from './body.ts'
import { endWithLastRequest } from './connections.ts'
import { onClientError, refusalOfError } from './faults.ts'
import { gateOf } from './gate.ts'
import { handlerOf } from './handler.ts'
import { isRequestId, securityHeaders } from './headers.ts'
import type { ServerParts } from './parts.ts'
import { problemOf } from './problem.ts'
import { isDeclared, isRaw, type Route } from './route.ts'

// Half-open and slow requests end here, not at a proxy we may not have (Fastify's own defaults are unlimited).
const timeouts = {
  requestTimeout: 30_000,
  connectionTimeout: 60_000,
  keepAliveTimeout: 72_000,
  headersTimeoutMs: 15_000,
  handlerTimeout: 30_000,
}

/** The HTTP server over declared routes alone: one added any other way stops the start with its name. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { clock, log, routes, trustedProxies } = parts
  const app = Fastify({
    logger: false,
    trustProxy: trustedProxies.length === 0 ? false : trustedProxies,
    requestIdHeader: false,
    genReqId: (request) =>
      isRequestId(request.headers['x-request-id']) ? (request.headers['x-request-id'] as string) : newId(clock.now()),
    bodyLimit: bodyBytesMaxDefault,
    requestTimeout: timeouts.requestTimeout,
    connectionTimeout: timeouts.connectionTimeout,
    keepAliveTimeout: timeouts.keepAliveTimeout,
    handlerTimeout: timeouts.handlerTimeout,
    http: { headersTimeout: timeouts.headersTimeoutMs },
    forceCloseConnections: 'idle',
    clientErrorHandler: onClientError,
    frameworkErrors: (error, request, reply) => {
      // These answers pass no hook, so their headers are set here.
      refuse(refusalOfError(error), request, reply.headers(securityHeaders).header('x-request-id', request.id))
    },
    routerOptions: { maxParamLength: 500 },
  })
  app.setSerializerCompiler(({ schema }) => serializerAtFirstUse(schema as Schema))
  refuseUndeclared(app)
  const endConnections = endWithLastRequest(app.server)
  app.addHook('preClose', async () => endConnections())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, readJson(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
  })
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOfError(error)
    if (refusal.code === 'INTERNAL')
      log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'a request failed')
    refuse(refusal, request, reply)
  })
  const gate = gateOf(parts)
  for (const declared of routes) {
    app.route({
      method: declared.method,
      url: declared.path,
      config: { declared },
      ...(declared.bodyBytesMax === undefined ? {} : { bodyLimit: declared.bodyBytesMax }),
      schema: { response: jsonAnswersOf(declared) },
      onRequest: gate(declared),
      handler: handlerOf(declared, parts),
    })
  }
  const allowed = allowedMethods(routes)
  const anonymousGate = gate({ access: { kind: 'open', reason: 'no such route' } })
  app.setNotFoundHandler({ preHandler: anonymousGate }, async (request) => {
    const methods = allowed(request.url)
    if (methods.length === 0) throw new Refusal('NOT_FOUND')
    throw new Refusal('METHOD_NOT_ALLOWED', { headers: { allow: methods.join(', ') } })
  })
  return app
}

function refuseUndeclared(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    const { declared } = (config ?? {}) as { declared?: unknown }
    if (!isDeclared(declared)) throw new Error(`${method} ${url} was not declared with route(): it has no access rule.`)
  })
}

function refuse(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = problemOf(refusal, request.id)
  reply.code(status).headers(headers).serializer(JSON.stringify).send(body)
}

/** Compiled at its first use: a start compiles none. */
function serializerAtFirstUse(schema: Schema): (value: unknown) => string {
  let serialize: ((value: unknown) => string) | null = null
  return (value) => {
    serialize ??= serializerOf(schema)
    return serialize(value)
  }
}

/** Serialisers for the JSON answers: what an answer's schema does not list never leaves. */
function jsonAnswersOf({ answers }: Route): Record<number, object> {
  const schemas = Object.entries(answers).filter(([, schema]) => schema !== null && !isRaw(schema))
  return Object.fromEntries(schemas) as Record<number, object>
}
