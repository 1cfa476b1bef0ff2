import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../kernel/refusal.ts'
import { isStorableText } from '../body.ts'
import { clientAddress, clientBucket } from '../client-address.ts'
import { rateLimitHeaders, rateLimitRefusal, type Verdict } from '../limits/rate-limit.ts'
import type { ResourceLimit, Route } from '../route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { admit, type HeaderAccess } from './admit.ts'
import { callerLimit, failureLimit } from './caller-limit.ts'
import { type Admitted, type Credentials, ExpiredToken } from './callers.ts'
import { admitPage } from './door.ts'

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
 * All checks before the body is read, in a fixed order: credential, tenant active, product on the key, caller's limit.
 * Only verified callers have a bucket of their own. A wrong credential counts towards its address, so that invented
 * credentials create no buckets; the address's bucket never refuses a good one, because many people share an address.
 * Fails closed: while the database is unreachable only the administrator of the environment is admitted, and callers who
 * were admitted within the last second.
 */
export function createGate(deps: Pick<ServerDeps, 'authenticator' | 'clock' | 'rateCounter' | 'rateLimits' | 'door'>) {
  const { authenticator, clock, rateCounter, rateLimits, door } = deps
  const callers = callerLimit(deps)
  const failures = failureLimit(deps)

  type Attempt = {
    address: string
    now: Date
    /** Of an HTTP request. */
    origin?: () => { ip: string; requestId: string }
    onFull?: (verdict: Verdict) => void
  }
  /** Refuses a wrong credential as such, or its address once it has sent too many. `onVerdict` gets the address's bucket. */
  const admitOrCount = async (
    access: HeaderAccess,
    credentials: Credentials,
    { address, now, origin, onFull }: Attempt,
  ): Promise<Admitted> => {
    const refuseFull = (verdict: Verdict) => {
      if (verdict.isAllowed) return
      onFull?.(verdict)
      throw failures.refusal(verdict, now)
    }
    const admitted = await admit(access, credentials, authenticator).catch(async (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'ADMIN_KEY_INVALID' && origin !== undefined) await authenticator.noteWrongAdminKey(origin())
      if (isWrongCredential(error))
        refuseFull(await (isMachine(access) ? failures.takeNode : failures.take)(address, now))
      throw error
    })
    // A full bucket refuses a guessable key, right or wrong. Otherwise it would not bound the guesses.
    if ('admin' in admitted && admitted.admin?.isGuessable) refuseFull(await failures.peek(address, now))
    return admitted
  }

  type Arrival = { request: FastifyRequest; reply: FastifyReply; address: string; now: Date }
  const admitOrCharge = async (
    access: Route['access'],
    { request, reply, address, now }: Arrival,
  ): Promise<Admitted> => {
    const origin = () => ({ ip: clientAddress(request), requestId: request.id })
    const onFull = (verdict: Verdict) => reply.headers(rateLimitHeaders(verdict, now))
    try {
      if (access.kind === 'browser' || access.kind === 'browserAdmin')
        return await admitPage(access, request, { ...door, authenticator, now })
      return await admitOrCount(access, readCredentials(request), { address, now, origin, onFull })
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'RATE_LIMITED') throw error
      // Node tokens have been counted, and people at the same address must not pay for a node that lost its token.
      if (error.code === 'NODE_TOKEN_INVALID' || error.code === 'RUNNER_TOKEN_INVALID') throw error
      await chargeRefused(error, { reply, address, now })
      throw error
    }
  }

  /** Counts a refused request: towards the user of an expired token, otherwise towards the address. */
  const chargeRefused = async (error: Refusal, { reply, address, now }: Omit<Arrival, 'request'>): Promise<void> => {
    const user = error instanceof ExpiredToken ? error.userId : null
    const bucket = user === null ? `address:${address}` : `expired:${user}`
    const verdict = await rateCounter.take(bucket, rateLimits.requestsMax, now)
    reply.headers(rateLimitHeaders(verdict, now))
    if (!verdict.isAllowed) throw rateLimitRefusal(verdict, { counted: user === null ? 'ADDRESS' : 'USER', now })
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
  const admitFrame = (access: HeaderAccess, credentials: Credentials, address: string): Promise<Admitted> =>
    admitOrCount(access, credentials, { address, now: clock.now() })

  /** Counts a WebSocket frame like a request of its caller. Refuses RATE_LIMITED. */
  const chargeFrame = async (admitted: Admitted, address: string): Promise<void> => {
    const now = clock.now()
    const verdict = await callers.take(admitted, address, now)
    if (!verdict.isAllowed) throw callers.refusal(verdict, admitted, now)
  }

  const gate = (route: Pick<Route, 'access' | 'limit'>) => async (request: FastifyRequest, reply: FastifyReply) => {
    const address = clientBucket(request)
    const now = clock.now()
    const admitted = await admitOrCharge(route.access, { request, reply, address, now })
    request.admitted = admitted
    announceKeyExpiry(admitted, reply, now)
    if (route.limit === 'none') return // authenticated, but not counted
    if (route.limit) return refuseIfFull(route.limit, request)
    const verdict = await callers.take(admitted, address, now)
    reply.headers(rateLimitHeaders(verdict, now))
    if (!verdict.isAllowed) throw callers.refusal(verdict, admitted, now)
  }
  return { gate, admitFrame, chargeFrame }
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
    code === 'NODE_TOKEN_INVALID' ||
    code === 'RUNNER_TOKEN_INVALID'
  )
}

/** A program that works for the platform, and may share its address with people. */
function isMachine({ kind }: HeaderAccess): boolean {
  return kind === 'node' || kind === 'runner'
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
