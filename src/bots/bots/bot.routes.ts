import { accepted, ok, secret } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { botAccess as access, botBase, tag } from '../access.ts'
import {
  BotAnswer,
  BotChange,
  BotDeployed,
  BotList,
  BotMessage,
  BotQuery,
  BotWithEvents,
  ConsentAnswer,
  NewBot,
} from './bot.schema.ts'
import type { Bots } from './bot.service.ts'
import { listBots, type ReadableBy } from './bot.store.ts'
import { botView, eventView } from './bot.view.ts'
import type { Deployments } from './deploy.service.ts'

type Parts = { bots: Bots; deployments: Deployments; readableBy: ReadableBy; clock: Clock }

const OneBot = StrictObject({ bot: BotAnswer })
/** A source of a megabyte, escaped. */
const bodyBytesMax = 2 * 1024 * 1024

export function botRoutes(parts: Parts): Route[] {
  return [deployRoute(parts), ...readRoutes(parts), changeRoute(parts), ...actionRoutes(parts)]
}

function deployRoute({ deployments, bots, clock }: Parts): Route {
  return route({
    method: 'POST',
    path: '/assistant/v1/bot',
    name: 'deployBot',
    tag,
    summary: 'Send a bot to a meeting',
    description:
      'Takes a `meetingUrl`, or a `meetingId`; without a link the bot replays a recorded meeting. There is one live bot for an occurrence of a meeting, in each organization: if there is one, the answer is 200 with it, and you are added to those who requested it. You need `write` on the meeting, or in its organization the role member.',
    access,
    body: NewBot,
    bodyBytesMax,
    answers: { 200: BotDeployed, 202: BotDeployed },
    refusals: [
      'NOT_FOUND',
      'INSUFFICIENT_ROLE',
      'QUOTA_EXCEEDED',
      'USAGE_EXCEEDED',
      'STATE_CONFLICT',
      'NOT_CONFIGURED',
    ],
    idempotent: true,
    authorizeRepeat: async ({ scope, user, subjectId }) => subjectId !== null && bots.get(scope, user, subjectId),
    prepare: ({ body }) => deployments.readFile(body),
    handle: async ({ scope, user, body, prepared: file }) => {
      const { bot, isNew, ingestToken, usage } = await deployments.deploy(scope, user, { body, file })
      const ingest =
        ingestToken === null ? {} : { ingest: { url: '/assistant/v1/bot-ingest/entries', token: ingestToken } }
      const answer = { bot: botView(bot, clock.now()), ...ingest }
      return secret({ ...(isNew ? accepted(answer) : ok(answer)), subjectId: bot.id, usage })
    },
  })
}

function readRoutes({ bots, readableBy, clock }: Parts): Route[] {
  return [
    route({
      method: 'GET',
      path: botBase,
      name: 'listBots',
      tag,
      summary: 'List bots',
      description: 'The bots of meetings that you may read, and those that you requested, newest first.',
      access,
      query: BotQuery,
      answers: { 200: BotList },
      handle: async ({ scope, user, query: { page = 1, limit = 20, ...search } }) => {
        const { items, total } = await listBots(
          scope,
          { search: { userId: user.id, ...search }, readableBy },
          { page, limit },
        )
        const now = clock.now()
        return ok({ bots: items.map((bot) => botView(bot, now)), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/assistant/v1/bot/:botId',
      name: 'getBot',
      tag,
      summary: 'Get a bot with its history',
      access,
      answers: { 200: StrictObject({ bot: BotWithEvents }) },
      handle: async ({ scope, user, params }) => {
        const { bot, events, artifacts } = await bots.describe(scope, user, params.botId)
        return withETag(ok({ bot: { ...botView(bot, clock.now()), events: events.map(eventView), artifacts } }), bot)
      },
    }),
  ]
}

function changeRoute({ bots, clock }: Parts): Route {
  return route({
    method: 'PATCH',
    path: '/assistant/v1/bot/:botId',
    name: 'updateBot',
    tag,
    summary: 'Change a bot that is scheduled',
    access,
    body: BotChange,
    answers: { 200: OneBot },
    refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
    conditional: true,
    handle: async ({ scope, user, params, body, headers }) => {
      const target = { user, id: params.botId, ifMatch: headers['if-match'] }
      const bot = await bots.update(scope, target, body)
      return withETag(ok({ bot: botView(bot, clock.now()) }), bot)
    },
  })
}

function actionRoutes({ bots, clock }: Parts): Route[] {
  const one = (bot: Parameters<typeof botView>[0]) => ok({ bot: botView(bot, clock.now()) })
  return [
    route({
      method: 'POST',
      path: '/assistant/v1/bot/:botId/leave',
      name: 'leaveBot',
      tag,
      summary: 'Make a bot leave',
      description: 'A bot that was not admitted yet ends at once. Repeating the request changes nothing.',
      access,
      answers: { 200: OneBot },
      refusals: ['INSUFFICIENT_ROLE'],
      handle: async ({ scope, user, params }) => one(await bots.leave(scope, user, params.botId)),
    }),
    route({
      method: 'POST',
      path: '/assistant/v1/bot/:botId/message',
      name: 'sendBotMessage',
      tag,
      summary: 'Post a message in the chat of the meeting',
      description: 'At most 10 messages a minute.',
      access,
      body: BotMessage,
      answers: { 200: OneBot },
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', 'RATE_LIMITED'],
      idempotent: true,
      handle: async ({ scope, user, params, body }) =>
        one(await bots.message(scope, user, { id: params.botId, text: body.text })),
    }),
    route({
      method: 'POST',
      path: '/assistant/v1/bot/:botId/consent',
      name: 'answerBotConsent',
      tag,
      summary: 'Confirm or refuse that the meeting is recorded as text',
      access,
      body: ConsentAnswer,
      answers: { 200: OneBot },
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
      handle: async ({ scope, user, params, body }) =>
        one(await bots.consent(scope, user, { id: params.botId, decision: body.decision })),
    }),
    route({
      method: 'DELETE',
      path: '/assistant/v1/bot/:botId',
      name: 'deleteBot',
      tag,
      summary: 'Make a bot leave, and erase its link',
      description: 'The record and the transcript stay; they are erased with the meeting.',
      access,
      answers: { 200: OneBot },
      refusals: ['INSUFFICIENT_ROLE'],
      handle: async ({ scope, user, params }) => one(await bots.remove(scope, user, params.botId)),
    }),
  ]
}
