import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CountedCaller, Refusal } from '../../kernel/refusal.ts'
import { isStorableText } from '../body.ts'
import { clientBucket } from '../client-address.ts'
import { rateLimitHeaders, rateLimitRefusal } from '../limits/rate-limit.ts'
import type { ResourceLimit, Route } from '../route.ts'
import type { ServerDeps } from '../server-deps.ts'
import type { Access } from './access.ts'
import { admit } from './admit.ts'
import { type Admitted, type Credentials, countedCaller, rateLimitBucket } from './callers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    admitted?: Admitted
  }
  interface FastifyContextConfig {
    declared?: Route
  }
}

const credentialLengthMax = 4096

/**
 * All checks before the body is read, in a fixed order: address limit, credential, tenant active, product on the key,
 * caller's limit. Only verified callers have a bucket of their own. A refused credential counts towards its address, so
 * that invented credentials create no buckets. Fails closed: while the database is unreachable only the administrator of
 * the environment is admitted, and callers who were admitted within the last second.
 */
export function createGate({
  authenticator,
  clock,
  rateCounter,
  rateLimits,
}: Pick<ServerDeps, 'authenticator' | 'clock' | 'rateCounter' | 'rateLimits'>) {
  const { requestsMax, authFailuresMax, windowSeconds } = rateLimits

  type Charge = { bucket: string; limit: number; counted: CountedCaller; now: Date }
  const charge = async (reply: FastifyReply, { bucket, limit, counted, now }: Charge): Promise<void> => {
    const verdict = await rateCounter.take(bucket, limit, now)
    reply.headers(rateLimitHeaders(verdict, now))
    if (!verdict.isAllowed) throw rateLimitRefusal(verdict, { counted, now })
  }

  type Arrival = { request: FastifyRequest; reply: FastifyReply; address: string; now: Date }
  const admitOrCharge = async (access: Access, { request, reply, address, now }: Arrival): Promise<Admitted> => {
    const failures = `failures:${address}`
    if (access.kind !== 'open') {
      const verdict = await rateCounter.peek(failures, authFailuresMax, now)
      if (!verdict.isAllowed) {
        reply.headers(rateLimitHeaders(verdict, now))
        throw rateLimitRefusal(verdict, { counted: 'ADDRESS', what: 'wrong credentials', now })
      }
    }
    try {
      return await admit(access, readCredentials(request), authenticator)
    } catch (error) {
      if (error instanceof Refusal) {
        if (isWrongCredential(error)) await rateCounter.take(failures, authFailuresMax, clock.now())
        await charge(reply, { bucket: `address:${address}`, limit: requestsMax, counted: 'ADDRESS', now })
      }
      throw error
    }
  }

  const refuseIfFull = async (
    { bucketOf, requestsMax, counted, what }: ResourceLimit,
    { params, query }: FastifyRequest,
  ): Promise<void> => {
    const bucket = bucketOf({ params: params as Record<string, string>, query: query as Record<string, unknown> })
    if (bucket === null) return
    const now = clock.now()
    const verdict = await rateCounter.peek(bucket, requestsMax, now)
    if (!verdict.isAllowed) throw rateLimitRefusal(verdict, { counted, what, now })
  }

  /** For a token in a WebSocket frame: there is no reply to set rate limit headers on. */
  const admitFrame = async (access: Access, credentials: Credentials, address: string): Promise<Admitted> => {
    const failures = `failures:${address}`
    const now = clock.now()
    const verdict = await rateCounter.peek(failures, authFailuresMax, now)
    if (!verdict.isAllowed) throw rateLimitRefusal(verdict, { counted: 'ADDRESS', what: 'wrong credentials', now })
    try {
      return await admit(access, credentials, authenticator)
    } catch (error) {
      if (error instanceof Refusal && isWrongCredential(error)) await rateCounter.take(failures, authFailuresMax, now)
      throw error
    }
  }

  const gate = (route: Pick<Route, 'access' | 'limit'>) => async (request: FastifyRequest, reply: FastifyReply) => {
    const address = clientBucket(request)
    const now = clock.now()
    const admitted = await admitOrCharge(route.access, { request, reply, address, now })
    request.admitted = admitted
    announceKeyExpiry(admitted, reply, now)
    if (route.limit === 'none') return // authenticated, but not counted
    if (route.limit) return refuseIfFull(route.limit, request)
    await charge(reply, {
      bucket: rateLimitBucket(admitted, address),
      limit: callerLimit(admitted) ?? requestsMax,
      counted: countedCaller(admitted),
      now,
    })
  }

  /** Null: the general limit. */
  const callerLimit = (admitted: Admitted): number | null => {
    if (admitted.kind === 'node') return authenticator.nodeRequestsPerSecond * windowSeconds
    return 'tenant' in admitted ? admitted.tenant.requestsPerWindow : null
  }
  return { gate, admitFrame }
}

/** Early enough for a weekly job to see it before the key expires. */
const warningMs = 7 * 24 * 3600 * 1000

/** Announces a key that expires soon on every answer, refusals included. */
function announceKeyExpiry(admitted: Admitted, reply: FastifyReply, now: Date): void {
  const expiresAt = 'apiKey' in admitted ? admitted.apiKey?.expiresAt : null
  if (!expiresAt || expiresAt.getTime() - now.getTime() > warningMs) return
  reply.header('x-api-key-expires-at', expiresAt.toISOString())
}

/** A wrong credential counts as a guess; a missing one or an expired token does not. */
function isWrongCredential({ code }: Refusal): boolean {
  return (
    code === 'API_KEY_INVALID' ||
    code === 'ADMIN_KEY_INVALID' ||
    code === 'TOKEN_INVALID' ||
    code === 'NODE_TOKEN_INVALID'
  )
}

export function readCredentials(request: FastifyRequest): Credentials {
  const { authorization } = request.headers
  return {
    adminKey: headerText(request.headers['x-admin-key']),
    apiKey: headerText(request.headers['x-api-key']),
    bearer: authorization === undefined ? null : bearerToken(authorization),
  }
}

/** A header as text. An unusable one (repeated or too long) counts as a wrong credential, not as a missing one. */
function headerText(value: string | string[] | undefined): string | null {
  if (value === undefined || value === '') return null
  return typeof value === 'string' && value.length <= credentialLengthMax && isStorableText(value) ? value : '?'
}

function bearerToken(authorization: string): string | null {
  if (authorization.length > credentialLengthMax + 7) return '?'
  const match = /^Bearer +(\S+)$/i.exec(authorization.trim())
  if (match) return match[1] as string
  return authorization.trim() === '' ? null : '?'
}
