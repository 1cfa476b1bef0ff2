import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../kernel/refusal.ts'
import { isDoorPath } from './door-path.ts'

/** The headers that a page may send. `*` would exclude Authorization. */
const requestHeaders =
  'accept, authorization, content-type, idempotency-key, if-match, if-none-match, range, x-admin-key, x-api-key, x-request-id'

// Two hours, the longest time that Chromium caches a preflight.
const preflightSeconds = '7200'

// `*` exposes all our headers, such as limits and `Location`. It is allowed because cookies authorize nothing here: those of the
// console count at its door alone, and the one of the login only tells a known browser from strangers.
const readable = { 'access-control-expose-headers': '*' }
const toAnyPage = { 'access-control-allow-origin': '*', ...readable }

/**
 * Decides which pages of other origins may read answers (Fetch standard, section 3.3). Without a list all may: browsers
 * send none of our credentials by themselves, so a foreign page gains nothing. Public reads are open to every page, listed
 * or not, so that caches need not distinguish pages; everything else is `no-store`.
 */
export function corsPolicy(origins: readonly string[]) {
  const isListed = (origin: string): boolean => origins.length === 0 || origins.includes(origin)

  return {
    /** The headers of an answer. Callers without an `Origin` need none, except where a cache may pass the answer to a page. */
    headersFor: ({ url, headers: { origin }, routeOptions }: FastifyRequest): Record<string, string> | null => {
      // Where cookies count, no other page may read anything.
      if (isDoorPath(url)) return null
      if (routeOptions?.config?.declared?.access.kind === 'open') return toAnyPage
      if (origin === undefined || !isListed(origin)) return null
      return origins.length === 0 ? toAnyPage : { 'access-control-allow-origin': origin, ...readable }
    },
    isPreflight: ({ url, method, headers }: FastifyRequest): boolean =>
      method === 'OPTIONS' &&
      headers.origin !== undefined &&
      'access-control-request-method' in headers &&
      !isDoorPath(url),
    /** Not counted by any limit: browsers send it by themselves, and it is as cheap as `/health`. */
    answerPreflight: ({ headers }: FastifyRequest, reply: FastifyReply, methods: string[]): FastifyReply => {
      if (!isListed(headers.origin ?? '')) throw new Refusal('ORIGIN_NOT_ALLOWED')
      const answer = {
        'access-control-allow-origin': headers.origin as string,
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': requestHeaders,
        'access-control-max-age': preflightSeconds,
        vary: 'origin',
      }
      return reply.code(204).headers(answer).send()
    },
  }
}
