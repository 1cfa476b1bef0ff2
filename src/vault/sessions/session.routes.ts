import { endUser } from '../../http/access/access.ts'
import { created, ok } from '../../http/answer.ts'
import { periodRules, readPeriod } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { toPagination } from '../../kernel/paging.ts'
import { productSlugs } from '../../kernel/products.ts'
import { notFound } from '../../kernel/refusal.ts'
import {
  Connect,
  Disconnect,
  SessionDetail,
  SessionList,
  SessionQuery,
  UsageAnswer,
  UsageQuery,
} from './session.schema.ts'
import { refuseUnlessOne, type Sessions } from './session.service.ts'
import { findSession, listSessions, usageByDay } from './session.store.ts'
import { sessionView } from './session.view.ts'

const tag = 'VPN sessions'
const access = endUser(productSlugs.vpn)

export function sessionRoutes({ sessions, clock }: { sessions: Sessions; clock: Clock }): Route[] {
  return [...changeRoutes(sessions), ...readRoutes(), usageRoute(clock)]
}

function changeRoutes(sessions: Sessions): Route[] {
  return [
    route({
      method: 'POST',
      path: '/vault/v1/vpn/connect',
      name: 'connect',
      tag,
      summary: 'Start a VPN session',
      description:
        'Takes one use of a license and lets the device connect. If the device already has an open session, the answer is that ' +
        'session with 200, and no second use is taken. A tenant that never had a license for the product gets a TRIAL at its first connect.',
      access,
      body: Connect,
      answers: { 200: SessionDetail, 201: SessionDetail },
      refusals: [
        'NOT_FOUND',
        'STATE_CONFLICT',
        'QUOTA_EXCEEDED',
        'USAGE_EXCEEDED',
        'LICENSE_REQUIRED',
        'LICENSE_REVOKED',
        'LICENSE_EXPIRED',
        'LICENSE_EXHAUSTED',
      ],
      idempotent: true,
      handle: async ({ scope, user, body }) => {
        const { session, isNew, usage } = await sessions.connect(scope, user.id, body)
        const answer = { session: sessionView(session) }
        return isNew ? { ...created(`/vault/v1/vpn/sessions/${session.id}`, answer), usage } : ok(answer)
      },
    }),
    route({
      method: 'POST',
      path: '/vault/v1/vpn/disconnect',
      name: 'disconnect',
      tag,
      summary: 'End a VPN session',
      description:
        'Ends the session named by `sessionId`, or the open session of `deviceId`. If it has ended already, the answer is that session unchanged.',
      access,
      body: Disconnect,
      answers: { 200: SessionDetail },
      refusals: ['NOT_FOUND'],
      rules: ({ body }) => [() => refuseUnlessOne(body)],
      handle: async ({ scope, user, body }) =>
        ok({ session: sessionView(await sessions.disconnect(scope, user.id, body)) }),
    }),
  ]
}

function readRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/vault/v1/vpn/sessions',
      name: 'listSessions',
      tag,
      summary: 'List your VPN sessions',
      access,
      query: SessionQuery,
      answers: { 200: SessionList },
      handle: async ({ scope, user, query: { page = 1, limit = 20, status = null, deviceId = null } }) => {
        const { items, total } = await listSessions(scope, { userId: user.id, status, deviceId }, { page, limit })
        return ok({ sessions: items.map(sessionView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/vault/v1/vpn/sessions/:sessionId',
      name: 'getSession',
      tag,
      summary: 'Show one of your VPN sessions',
      access,
      answers: { 200: SessionDetail },
      handle: async ({ scope, user, params }) => {
        const session = await findSession(scope, user.id, params.sessionId)
        if (session === null) throw notFound()
        return ok({ session: sessionView(session) })
      },
    }),
  ]
}

function usageRoute(clock: Clock): Route {
  return route({
    method: 'GET',
    path: '/vault/v1/vpn/usage',
    name: 'getUsage',
    tag,
    summary: 'Show your VPN usage by day',
    description: 'A session counts on the UTC day of its connect. At most 366 days.',
    access,
    query: UsageQuery,
    answers: { 200: UsageAnswer },
    rules: ({ query }) => periodRules(query, clock),
    handle: async ({ scope, user, query }) => {
      const { from, to, start, end } = readPeriod(query, clock)
      return ok({ from, to, usage: await usageByDay(scope, { userId: user.id, from: start, until: end }) })
    },
  })
}
