import { admin, browser, signInBrowser } from '../../http/access/access.ts'
import { consoleCookie } from '../../http/access/door.ts'
import { created, noContent, ok, secret, withHeaders } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { invalidField } from '../../kernel/refusal.ts'
import { sessionLifetimeSeconds } from './browser-session.rules.ts'
import {
  BrowserSessionDetail,
  BrowserSessionList,
  BrowserSessionQuery,
  browserSessionView,
  Confirmation,
  SignIn,
  signedInBrowserView,
} from './browser-session.schema.ts'
import type { BrowserSessions } from './browser-session.service.ts'

const tag = 'Console'
const path = '/console/session'

export function browserSessionRoutes(sessions: BrowserSessions): Route[] {
  return [...ownSessionRoutes(sessions), ...administrationRoutes(sessions)]
}

function ownSessionRoutes(sessions: BrowserSessions): Route[] {
  return [
    route({
      method: 'POST',
      path,
      name: 'signIn',
      tag,
      summary: 'Sign in to the console',
      description:
        'Takes an admin key or a sign-in link, and sets the cookie of a session: 12 hours, and 60 minutes without use. A link works once. Only pages of this service may ask: `X-Atrium-Door: 1` is required.',
      access: signInBrowser(),
      body: SignIn,
      answers: { 201: BrowserSessionDetail },
      refusals: ['INVALID_CREDENTIALS'],
      handle: async ({ platform, page, body: { adminKey, link } }) => {
        if ((adminKey === undefined) === (link === undefined))
          throw invalidField('/body', { code: 'oneOf', message: 'must have either `adminKey` or `link`' })
        const { session, secret: value } =
          adminKey === undefined
            ? await sessions.signInWithLink(platform, link as string)
            : await sessions.signInWithKey(platform, adminKey)
        const cookie = consoleCookie(page, value, sessionLifetimeSeconds)
        return secret(withHeaders(created(path, { session: browserSessionView(session) }), { 'set-cookie': cookie }))
      },
    }),
    route({
      method: 'GET',
      path,
      name: 'getOwnSession',
      tag,
      summary: 'Get the session of this browser',
      access: browser(),
      answers: { 200: BrowserSessionDetail },
      handle: async ({ platform, session: { id } }) =>
        ok({ session: browserSessionView(await sessions.get(platform, id)) }),
    }),
    route({
      method: 'DELETE',
      path,
      name: 'signOut',
      tag,
      summary: 'Sign out of the console',
      access: browser(),
      answers: { 204: null },
      handle: async ({ platform, page, session: { id } }) => {
        await sessions.end(platform, id)
        return withHeaders(noContent(), { 'set-cookie': consoleCookie(page, '', 0) })
      },
    }),
    route({
      method: 'POST',
      path: `${path}/confirm`,
      name: 'confirmSession',
      tag,
      summary: 'Confirm sensitive operations',
      description:
        'Allows this browser for 10 minutes the operations that are marked `x-sensitive`. Takes the admin key of the session, or that of any OWNER. A person who came by a sign-in link opens a new one instead, which confirms, too.',
      access: browser(),
      body: Confirmation,
      answers: { 200: BrowserSessionDetail },
      refusals: ['INVALID_CREDENTIALS', 'INSUFFICIENT_ROLE'],
      handle: async ({ platform, session, body: { adminKey } }) =>
        ok({ session: browserSessionView(await sessions.confirm(platform, session, adminKey)) }),
    }),
  ]
}

function administrationRoutes(sessions: BrowserSessions): Route[] {
  const base = '/v1/platform/admin/sessions'
  return [
    route({
      method: 'GET',
      path: base,
      name: 'listBrowserSessions',
      tag,
      summary: 'List who is signed in to the console',
      access: admin('OWNER'),
      query: BrowserSessionQuery,
      answers: { 200: BrowserSessionList },
      handle: async ({ platform, query: { page = 1, limit = 20 } }) => {
        const { items, total } = await sessions.list(platform, { page, limit })
        return ok({ sessions: items.map(signedInBrowserView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'DELETE',
      path: `${base}/:sessionId`,
      name: 'endBrowserSession',
      tag,
      summary: 'Sign somebody out of the console',
      description: 'The browser is refused from its next request on. A session that is over gives 404.',
      access: admin('OWNER'),
      answers: { 204: null },
      handle: async ({ platform, params }) => {
        await sessions.end(platform, params.sessionId)
        return noContent()
      },
    }),
  ]
}
