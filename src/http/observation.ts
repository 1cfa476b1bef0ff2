import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../kernel/clock.ts'
import { type Refusal, refusals } from '../kernel/refusal.ts'
import type { Access } from './access/access.ts'
import type { Admitted } from './access/callers.ts'
import { clientAddress } from './client-address.ts'
import { type RouteName, refusalMetrics, requestMetrics } from './request-metrics.ts'
import type { ServerDeps } from './server-deps.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** `answeredMs`: when it was answered, where its connection is closed later than that. */
    observed?: { name: RouteName & { longPoll?: true }; startedMs: number; answeredMs?: number; isLogged: boolean }
  }
}

/** One label for all unknown paths and methods, because callers could invent any number of them. */
const unknownPath = 'unknown'
const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** The client closed the connection before the answer. nginx uses the same number. */
const clientAbortStatus = 499

/** Measures every request; logs failed and slow ones and a sample. */
export function requestObserver({ metrics, log, clock, loop, requestLog, onAnswered }: ServerDeps) {
  const measureRoute = requestMetrics(metrics)
  const refusalCounts = refusalMetrics(metrics)
  const isFirstThisSecond = oncePer(1_000, clock)
  const isFirstThisMinute = oncePer(60_000, clock)
  let finished = 0

  const logRequest = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const { slowMs, sampleOneOf } = requestLog
    const isSampled = sampleOneOf > 0 && ++finished % sampleOneOf === 0
    // A long poll is slow on purpose.
    const isSlow = elapsedMs(request) >= slowMs && !request.observed?.name.longPoll
    if (request.observed?.isLogged || !(isSampled || isSlow)) return
    const fields = logFields(request, status, reply.getHeader('content-length'))
    if (isSlow) log.warn(fields, 'slow request')
    else log.info(fields, 'request')
  }

  /** The hook of a route: measures its request until the last byte of the answer. */
  const onArrival = (name: RouteName & { access?: Access; longPoll?: true }) => {
    const { begin, end } = measureRoute(name)
    const product = name.access && 'product' in name.access ? name.access.product : null
    return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      begin()
      loop.enter(name)
      request.observed = { name, startedMs: performance.now(), isLogged: false }
      // The framework's own hook is not called when the client disconnects.
      reply.raw.once('close', () => {
        const hasAnswer = reply.raw.writableEnded || reply.statusCode === 101
        const status = hasAnswer ? reply.statusCode : clientAbortStatus
        end(status, elapsedMs(request) / 1000)
        logRequest(request, reply, status)
        if (onAnswered && request.admitted && 'tenant' in request.admitted)
          onAnswered({ ...callerIds(request.admitted), product, status })
      })
      done()
    }
  }

  const unknownArrivals = new Map(knownMethods.map((method) => [method, onArrival({ method, path: unknownPath })]))
  const otherMethodArrival = onArrival({ method: 'OTHER', path: unknownPath })

  return {
    arrival: onArrival,
    onUnknownArrival: (request: FastifyRequest, reply: FastifyReply): void =>
      (unknownArrivals.get(request.method) ?? otherMethodArrival)(request, reply, () => undefined),
    /** Says at most once a minute that an address has too many connections: it may be a proxy that nobody named. */
    connectionRefused: (ip: string): void => {
      if (isFirstThisMinute()) log.warn({ ip }, 'connections of an address are refused: it has too many')
    },
    /** Counts a refusal. Logs our own faults with their error: an outage once a second, others always. */
    refused: (refusal: Refusal, error: unknown, request: FastifyRequest): void => {
      refusalCounts[refusal.code].add()
      const [status] = refusals[refusal.code]
      if (status < 500) return
      if (request.observed) request.observed.isLogged = true
      const fields = { ...logFields(request, status), err: error }
      if (refusal.code === 'INTERNAL') log.error(fields, 'a request failed')
      else if (isFirstThisSecond()) log.warn(fields, 'requests are refused as unavailable')
    },
  }
}

function elapsedMs({ observed }: FastifyRequest): number {
  return observed === undefined ? 0 : (observed.answeredMs ?? performance.now()) - observed.startedMs
}

/** A log line. It contains nothing that a caller sent, except a request id in a checked format. */
function logFields(request: FastifyRequest, status: number, bytes?: unknown): Record<string, unknown> {
  const { name } = request.observed ?? {}
  return {
    requestId: request.id,
    method: name?.method,
    route: name?.path,
    status,
    durationMs: Math.round(elapsedMs(request) * 10) / 10,
    ...callerFields(request.admitted),
    ip: clientAddress(request),
    ...(bytes === undefined ? {} : { bytes: Number(bytes) }),
  }
}

function callerIds(admitted: Extract<Admitted, { tenant: unknown }>) {
  return { tenantId: admitted.tenant.tenantId, userId: admitted.kind === 'endUser' ? admitted.user.id : null }
}

/** Identifies the caller by id, never by key. */
function callerFields(admitted: Admitted | undefined): Record<string, unknown> {
  if (admitted === undefined) return {}
  const { kind } = admitted
  switch (kind) {
    case 'open':
      return { caller: kind }
    case 'admin':
      return { caller: kind, callerId: admitted.admin.id, ...sessionField(admitted.session) }
    case 'browser':
      return { caller: kind, ...sessionField(admitted.session) }
    case 'tenantKey':
      return { caller: kind, callerId: admitted.apiKey?.id ?? null, tenantId: admitted.tenant.tenantId }
    case 'endUser':
      return { caller: kind, callerId: admitted.user.id, tenantId: admitted.tenant.tenantId }
    case 'node':
      return { caller: kind, callerId: admitted.node.serverId }
    case 'runner':
      return { caller: kind, callerId: admitted.runner.runnerId }
  }
}

function sessionField(session: { id: string } | null): Record<string, unknown> {
  return session === null ? {} : { browserSessionId: session.id }
}

/** True at most once in the period, so that an outage with thousands of refusals logs one line a second. */
function oncePer(periodMs: number, clock: Clock): () => boolean {
  let toldMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = clock.now().getTime()
    // A clock that was set back must not prolong the pause.
    if (nowMs >= toldMs && nowMs - toldMs < periodMs) return false
    toldMs = nowMs
    return true
  }
}
