import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../kernel/refusal.ts'

/** What a page may send: the credentials, and the headers that routes read. `*` would leave Authorization out. */
const requestHeaders =
  'accept, authorization, content-type, idempotency-key, if-match, if-none-match, range, x-admin-key, x-api-key, x-request-id'

// Two hours, which is the most that Chromium keeps a preflight.
const preflightSeconds = '7200'

// `*` covers all of ours, the limits and `Location` among them: no request of a page brings cookies.
const readable = { 'access-control-expose-headers': '*' }
const toAnyPage = { 'access-control-allow-origin': '*', ...readable }

/**
 * Which pages of other origins may read answers (Fetch standard, section 3.3). Without a list all may: no credential of
 * ours travels by itself, so a page of somebody else's brings nothing along. What is open to anybody is open to every
 * page, listed or not, so that caches between need not tell pages apart; all else is `no-store`.
 */
export function corsPolicy(origins: readonly string[]) {
  const isListed = (origin: string): boolean => origins.length === 0 || origins.includes(origin)

  return {
    /** The headers of an answer, for the page that asked. Who is no page needs none, but where a cache may give it to one. */
    headersFor: ({ headers: { origin }, routeOptions }: FastifyRequest): Record<string, string> | null => {
      if (routeOptions?.config?.declared?.access.kind === 'open') return toAnyPage
      if (origin === undefined || !isListed(origin)) return null
      return origins.length === 0 ? toAnyPage : { 'access-control-allow-origin': origin, ...readable }
    },
    isPreflight: ({ method, headers }: FastifyRequest): boolean =>
      method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers,
    /** Charged to nobody: browsers ask by themselves, and it costs no more than `/health`. */
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
