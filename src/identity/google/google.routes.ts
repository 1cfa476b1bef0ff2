import { endUser, optionalTenantKey } from '../../http/access/access.ts'
import { created, noContent, ok, secret, withHeaders } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { TokenAnswer, tokensView } from '../auth/auth.schema.ts'
import { base, tag } from '../auth/auth-mounts.ts'
import { browserCookie, browserToken } from '../auth/login-source.rules.ts'
import type { RegistrationPolicy } from '../auth/registration-policy.ts'
import { UserDetail, userView } from '../users/user.schema.ts'
import { GoogleLink, GoogleSignIn, GoogleUnlink } from './google.schema.ts'
import type { GoogleService } from './google.service.ts'

export function googleRoutes(google: GoogleService, registration: RegistrationPolicy): Route[] {
  return [signInRoute(google, registration), ...linkRoutes(google)]
}

function signInRoute(google: GoogleService, registration: RegistrationPolicy): Route {
  return route({
    method: 'POST',
    path: `${base}/google`,
    name: 'signInWithGoogle',
    tag,
    summary: 'Sign in with Google',
    description:
      'Logs in a known user (200) or registers a new one (201). An existing user with the same e-mail address is linked only if that user has verified the address; otherwise the answer is 409 `ACCOUNT_LINK_REQUIRED`. Without an API key nobody new is registered (`REGISTRATION_CLOSED`), unless the installation has opened that.',
    access: optionalTenantKey(),
    idempotent: true,
    body: GoogleSignIn,
    answers: { 200: TokenAnswer, 201: TokenAnswer },
    refusals: [
      'INVALID_CREDENTIALS',
      'USER_SUSPENDED',
      'REGISTRATION_CLOSED',
      'QUOTA_EXCEEDED',
      'ACCOUNT_LINK_REQUIRED',
      'NOT_CONFIGURED',
      'NOT_FOUND',
    ],
    prepare: ({ body }) => google.verify(body),
    handle: async ({ scope, apiKey, prepared, headers }) => {
      const browser = browserToken(headers)
      const isOpen = registration.isOpenTo(apiKey)
      const { isNew, tokens } = await google.signIn(scope, prepared, { browser, isOpen })
      const answer = isNew ? created(`${base}/me`, tokensView(tokens)) : ok(tokensView(tokens))
      return { ...secret(withHeaders(answer, browserCookie(browser))), subjectId: tokens.user.id }
    },
  })
}

function linkRoutes(google: GoogleService): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/google/link`,
      name: 'linkGoogle',
      tag,
      summary: 'Link your account to a Google account',
      description:
        'You can then log in with the password or with Google. As long as your e-mail address is not verified, only a Google account with the same address is accepted, and linking verifies the address; any other gives 409 `STATE_CONFLICT`. Linking the same Google account again changes nothing.',
      access: endUser(),
      body: GoogleLink,
      answers: { 200: UserDetail },
      refusals: ['INVALID_CREDENTIALS', 'LOGIN_THROTTLED', 'STATE_CONFLICT', 'NOT_CONFIGURED'],
      handle: async ({ scope, user, body }) => ok({ user: userView(await google.link(scope, user, body)) }),
    }),
    route({
      method: 'DELETE',
      path: `${base}/google/link`,
      name: 'unlinkGoogle',
      tag,
      summary: 'Unlink your account from Google',
      description: 'Requires the password, which you then need to log in. 404 if the account is not linked.',
      access: endUser(),
      body: GoogleUnlink,
      answers: { 204: null },
      refusals: ['INVALID_CREDENTIALS', 'LOGIN_THROTTLED', 'NOT_FOUND'],
      handle: async ({ scope, user, body }) => {
        await google.unlink(scope, user, body.currentPassword)
        return noContent()
      },
    }),
  ]
}
