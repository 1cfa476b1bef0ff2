import { createHash } from 'node:crypto'
import { ok } from '../../http/answer.ts'
import { matchesIfNoneMatch } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import { meetingAccess as access, tag } from '../access.ts'
import { SummaryAnswer, SummaryQuery } from './summary.schema.ts'
import type { Summaries } from './summary.service.ts'

export function summaryRoutes(summaries: Summaries): Route[] {
  return [
    route({
      method: 'GET',
      path: '/assistant/v1/meetings/:meetingId/summary',
      name: 'getMeetingSummary',
      tag,
      summary: 'Summarize a meeting',
      description:
        'Summarizes the transcript so far. The summary is made again only when the transcript, the title, the personality or the engine has changed. It has an `ETag`; with `If-None-Match` an unchanged summary gives 304. With a language model the answer may take as long as the deadline of the model.',
      access,
      query: SummaryQuery,
      answers: { 200: SummaryAnswer, 304: null },
      refusals: ['UNAVAILABLE'],
      handle: async ({ scope, user, params, query, headers }) => {
        const answer = await summaries.get(scope, user, { id: params.meetingId, mode: query.mode })
        const etag = summaryEtag(answer)
        const cacheHeaders = { etag, 'cache-control': 'private, no-cache' }
        if (matchesIfNoneMatch(etag, headers['if-none-match']))
          return { status: 304 as const, body: null, headers: cacheHeaders }
        return { ...ok(answer), headers: cacheHeaders }
      },
    }),
  ]
}

/**
 * The rest of the answer follows from these members. The whole cannot be hashed, because the database returns the
 * members of an object in another order.
 */
function summaryEtag({ mode, summary, engine, fallbackReason, gaps, revision, generatedAt }: SummaryAnswer): string {
  const hashed = JSON.stringify([mode, summary, engine, fallbackReason, gaps, revision, generatedAt])
  return `"${createHash('sha256').update(hashed).digest('base64url').slice(0, 27)}"`
}
