import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../answer.ts'
import { clientAddress } from '../client-address.ts'
import { preferredMediaType } from '../negotiation.ts'
import { pathParamNames, type Route } from '../route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { compressedVariants } from './compressed-variant.ts'
import { isWorthCompressing } from './content-coding.ts'
import { matchesIfNoneMatch } from './precondition.ts'
import { type CachedResponse, type Representation, responseCache } from './response-cache.ts'

type Parts = Pick<ServerDeps, 'publicRevision' | 'publicCache' | 'clock'>
type Handle = (request: FastifyRequest) => Promise<Answer>
type CacheMiss = { request: FastifyRequest; reply: FastifyReply; key: string; generation: number }

/**
 * Serves public reads from cached bytes: a repeated request makes no query and serialises, hashes and compresses nothing.
 * The commit of any public change invalidates the cache. Fails open: while the database is unreachable, cached answers are
 * still served.
 */
export function cachedRoutes({ publicRevision, publicCache, clock }: Parts) {
  const changing = responseCache(publicCache.cacheBytesMax)
  // Answers that depend only on the program; there are few.
  const constant = responseCache(Number.POSITIVE_INFINITY)

  return (route: Route, produced: string[], ask: Handle) => {
    const { maxAgeSeconds = 0, isConstant = false, uncachedParams = [] } = route.cache ?? {}
    const answers = isConstant ? constant : changing
    const policy = {
      'cache-control': `public, max-age=${Math.max(maxAgeSeconds, publicCache.maxAgeSeconds)}, must-revalidate`,
      vary: produced.length > 1 ? 'accept, accept-encoding' : 'accept-encoding',
    }
    const cacheKey = cacheKeyReader(route, produced)
    const running = new Map<string, Promise<Answer | CachedResponse>>()

    const runAndStore = async ({ request, reply, key, generation }: CacheMiss) => {
      const answer = await ask(request)
      if (isPrivate(answer)) return answer
      const prepared = toCachedResponse(answer, reply, policy)
      if (uncachedParams.some((name) => Object.hasOwn(request.query as object, name)))
        return { ...prepared, isWorthCoding: false }
      answers.keep(key, prepared, generation)
      return prepared
    }
    /** Concurrent requests share one computation. */
    const runOnce = (making: CacheMiss) => {
      const place = `${making.generation} ${making.key}`
      const begun = running.get(place) ?? runAndStore(making).finally(() => running.delete(place))
      running.set(place, begun)
      return begun
    }
    const variantFor = compressedVariants(answers)

    return async (request: FastifyRequest, reply: FastifyReply) => {
      const key = cacheKey(request)
      const current = isConstant ? 0 : publicRevision.current()
      const generation = typeof current === 'number' ? current : await current
      const nowMs = clock.now().getTime()
      const found = answers.find(key, generation, nowMs) ?? (await runOnce({ request, reply, key, generation }))
      if (found.onServed && request.method !== 'HEAD')
        found.onServed({ ip: clientAddress(request), url: request.url, headers: request.headers })
      if ('body' in found) return sendPrivate(found, reply)
      const form = await variantFor(found, request.headers['accept-encoding'])
      reply.headers(form.headers)
      // No body, as with a redirect: an empty one would get a media type.
      if (form.tag === null && form.body.length === 0) return sendEmpty(found.status, { request, reply })
      if (!matchesIfNoneMatch(form.tag, request.headers['if-none-match']))
        return reply.code(found.status).send(form.body)
      return reply.code(304).removeHeader('content-type').removeHeader('content-encoding').send()
    }
  }
}

/** Adds the query to a redirect, so that a search stays a search. The cached answer is shared, so the query is added here. */
function sendEmpty(status: number, { request, reply }: { request: FastifyRequest; reply: FastifyReply }) {
  const location = reply.getHeader('location')
  const query = request.url.indexOf('?')
  if (typeof location === 'string' && query !== -1)
    reply.header('location', `${location}${new URL(request.url.slice(query), 'http://host').search}`)
  return reply.code(status).send()
}

/** An answer for one caller only, such as a preview: never cached. */
function isPrivate({ headers }: Answer): boolean {
  return headers?.['cache-control']?.startsWith('private') === true
}

function sendPrivate({ status, headers, body }: Answer, reply: FastifyReply) {
  return reply
    .code(status)
    .headers(headers ?? {})
    .send(body)
}

/**
 * The cache key: the path's parameters, the declared query parameters as sent, and the media type. Undeclared parameters,
 * such as tracking parameters, do not count.
 */
function cacheKeyReader(route: Route, produced: string[]): (request: FastifyRequest) => string {
  const params = pathParamNames(route.path)
  const query = Object.keys((route.query as { properties?: object } | undefined)?.properties ?? {}).sort()
  return (request) => {
    const type = produced.length > 1 ? preferredMediaType(request.headers.accept, produced) : ''
    const sent = request.query as Record<string, unknown>
    const place = params.map((name) => (request.params as Record<string, string>)[name])
    const asked = query.flatMap((name) => (sent[name] === undefined ? [] : [name, sent[name]]))
    // As JSON, because a path may contain any separator.
    return JSON.stringify([route.name, type, place, asked])
  }
}

function toCachedResponse(answer: Answer, reply: FastifyReply, policy: Record<string, string>): CachedResponse {
  const { status, headers, body, validUntil, onServed } = answer
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const bytes = body === null ? '' : isRaw ? body : (reply.code(status).serialize(body) as string)
  const plain: Representation = {
    body: Buffer.from(bytes as string),
    tag: status === 200 ? `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` : null,
    headers: { ...policy, ...(body === null || isRaw ? {} : { 'content-type': jsonType }), ...headers },
  }
  if (plain.tag !== null) plain.headers['etag'] = plain.tag
  return {
    status,
    uncompressed: plain,
    compressed: {},
    countedBytes: 0,
    isCompressible: isWorthCompressing(plain.headers['content-type'] ?? '', plain.body),
    validUntilMs: validUntil?.getTime() ?? Number.POSITIVE_INFINITY,
    ...(onServed ? { onServed } : {}),
  }
}

const jsonType = 'application/json; charset=utf-8'
