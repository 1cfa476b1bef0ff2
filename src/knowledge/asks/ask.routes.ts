import { Readable } from 'node:stream'
import { noContent, ok, raw } from '../../http/answer.ts'
import type { UsagePolicy } from '../../http/limits/usage-policy.ts'
import { preferredMediaType } from '../../http/negotiation.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { parseTimestamp } from '../../kernel/timestamps.ts'
import { knowledgeAccess as access, searchTag as tag } from '../access.ts'
import { AskAnswer, AskBody, AskDetail, AskList, AskListQuery, FeedbackBody } from './ask.schema.ts'
import type { Asks } from './ask.service.ts'
import { askLineView, askView, keptAskView } from './ask.view.ts'
import { askEvents, eventStream } from './ask-events.ts'

type Deps = { asks: Asks }

const base = '/assistant/v1/orgs/:orgId'

export function askRoutes(deps: Deps): Route[] {
  return [askRoute(deps), listRoute(deps), getRoute(deps), deleteRoute(deps), feedbackRoute(deps)]
}

function askRoute({ asks }: Deps): Route {
  return route({
    method: 'POST',
    path: `${base}/ask`,
    name: 'askOrg',
    tag,
    summary: 'Ask a question',
    description:
      'Answers from documents and transcripts that you may read at this moment. Every sentence cites a verbatim quote. Without a language model the answer consists of one to three quotes. If nothing answers the question, `found` is false and `closest` has the quotes that come nearest. With `Accept: text/event-stream` the answer comes as events: `part` for each sentence, then `answer` with all of it, or `error`.',
    access,
    body: AskBody,
    answers: {
      200: { json: AskAnswer, rawTypes: [eventStream], description: 'The answer, as JSON or as server-sent events.' },
    },
    refusals: ['NOT_FOUND', 'USAGE_EXCEEDED', 'UNAVAILABLE'],
    handle: async ({ scope, user, params: { orgId }, body, headers }) => {
      const { question: text, engine = 'auto', from, to, ...filter } = body
      const times = {
        from: from === undefined ? undefined : parseTimestamp(from, '/body/from'),
        to: to === undefined ? undefined : parseTimestamp(to, '/body/to'),
      }
      const question = { text, engine, filter: { ...filter, ...times } }
      const isStreamed = preferredMediaType(headers['accept'], ['application/json', eventStream]) === eventStream
      if (!isStreamed) {
        const { usage, ...answer } = await asks.ask(scope, { user, orgId }, question)
        return { ...ok(askView(answer)), usage, headers: { 'cache-control': 'no-store', vary: 'Accept' } }
      }
      const counted = Promise.withResolvers<UsagePolicy[]>()
      const answering = asks.ask(scope, { user, orgId }, question, counted.resolve)
      // Headers come before the answer: what is refused by then has no stream.
      const usage = await Promise.race([counted.promise, answering.then((answer) => answer.usage)])
      const stream = Readable.from(askEvents(answering.then(askView)))
      return { ...raw(`${eventStream}; charset=utf-8`, stream, { 'cache-control': 'no-store', vary: 'Accept' }), usage }
    },
  })
}

function listRoute({ asks }: Deps): Route {
  return route({
    method: 'GET',
    path: `${base}/asks`,
    name: 'listOrgAsks',
    tag,
    summary: 'List your questions',
    description: 'Only your own, newest first. They are kept for 30 days.',
    access,
    query: AskListQuery,
    answers: { 200: AskList },
    refusals: ['NOT_FOUND'],
    handle: async ({ scope, user, params: { orgId }, query: { page = 1, limit = 20 } }) => {
      const { items, total } = await asks.list(scope, { user, orgId }, { page, limit })
      return ok({ asks: items.map(askLineView), pagination: toPagination({ page, limit }, total) })
    },
  })
}

function getRoute({ asks }: Deps): Route {
  return route({
    method: 'GET',
    path: `${base}/asks/:askId`,
    name: 'getOrgAsk',
    tag,
    summary: 'Get a question with its answer',
    description:
      'Quotes are read again: what was erased or changed, or what you may no longer read, is left out, and so are the sentences based on it.',
    access,
    answers: { 200: AskDetail },
    handle: async ({ scope, user, params: { orgId, askId } }) =>
      ok({ ask: keptAskView(await asks.get(scope, { user, orgId }, askId)) }),
  })
}

function deleteRoute({ asks }: Deps): Route {
  return route({
    method: 'DELETE',
    path: `${base}/asks/:askId`,
    name: 'deleteOrgAsk',
    tag,
    summary: 'Delete a question and its answer',
    access,
    answers: { 204: null },
    handle: async ({ scope, user, params: { orgId, askId } }) => {
      await asks.remove(scope, { user, orgId }, askId)
      return noContent()
    },
  })
}

function feedbackRoute({ asks }: Deps): Route {
  return route({
    method: 'POST',
    path: `${base}/asks/:askId/feedback`,
    name: 'giveOrgAskFeedback',
    tag,
    summary: 'Say whether an answer helped',
    description: 'Replaces what you said before.',
    access,
    body: FeedbackBody,
    answers: { 200: AskDetail },
    refusals: ['NOT_FOUND'],
    handle: async ({ scope, user, params: { orgId, askId: id }, body: { helpful, comment = null } }) => {
      const feedback = { helpful, comment }
      return ok({ ask: keptAskView(await asks.giveFeedback(scope, { user, orgId }, { id, feedback })) })
    },
  })
}
