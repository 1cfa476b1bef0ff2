import { endUser, optionalTenantKey } from '../../http/access/access.ts'
import { created, noContent, ok, secret, withHeaders } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import type { Sessions } from '../tokens/session.service.ts'
import { parseEmail } from '../users/email.rules.ts'
import { UserDetail, userView } from '../users/user.schema.ts'
import type { Accounts } from './account.service.ts'
import { passwordChangeRules, registrationRules } from './account-rules.ts'
import {
  Credentials,
  Logout,
  OwnChange,
  PasswordChange,
  Refresh,
  Registration,
  Removal,
  TokenAnswer,
  tokensView,
} from './auth.schema.ts'
import { base, tag } from './auth-mounts.ts'
import type { Logins } from './login.service.ts'
import { browserCookie, browserToken } from './login-source.rules.ts'
import { type RegistrationPolicy, registrationClosed } from './registration-policy.ts'

export type AuthServices = { logins: Logins; sessions: Sessions; accounts: Accounts }

/** Registration, login, and a user's own account. */
export function authRoutes({ logins, sessions, accounts }: AuthServices, registration: RegistrationPolicy): Route[] {
  return [
    ...loginRoutes(logins, registration),
    ...sessionRoutes(sessions),
    ...profileRoutes(accounts),
    ...passwordRoutes(accounts),
  ]
}

function loginRoutes(logins: Logins, registration: RegistrationPolicy): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/register`,
      name: 'register',
      tag,
      summary: 'Register a user',
      description:
        'Creates the user, logs it in and sends a mail to verify the address. Without an API key this is closed (`REGISTRATION_CLOSED`), unless the installation has opened it.',
      access: optionalTenantKey(),
      idempotent: true,
      body: Registration,
      answers: { 201: TokenAnswer },
      refusals: ['REGISTRATION_CLOSED', 'PASSWORD_REJECTED', 'QUOTA_EXCEEDED', 'EMAIL_TAKEN', 'NOT_FOUND'],
      rules: ({ body }) => registrationRules(body),
      prepare: async ({ apiKey, body }) => {
        // Before the password is hashed, so that a stranger costs next to nothing.
        if (!registration.isOpenTo(apiKey)) throw registrationClosed()
        return logins.prepare(body)
      },
      handle: async ({ scope, prepared, headers }) => {
        const browser = browserToken(headers)
        const issued = await logins.register(scope, prepared, browser)
        const answer = withHeaders(created(`${base}/me`, tokensView(issued)), browserCookie(browser))
        return { ...secret(answer), subjectId: issued.user.id }
      },
    }),
    route({
      method: 'POST',
      path: `${base}/login`,
      name: 'login',
      tag,
      summary: 'Log in',
      description:
        'Returns an access token and a refresh token. An unknown address gives the same answer as a wrong password. After five failures in a row for an e-mail address, logins are refused for 2 seconds, then 4, up to 15 minutes (`LOGIN_THROTTLED`). Client addresses and browsers from which the account has logged in before are counted apart, so that a stranger does not delay its owner. A client address with too many failures is refused as well.',
      access: optionalTenantKey(),
      body: Credentials,
      answers: { 200: TokenAnswer },
      refusals: ['INVALID_CREDENTIALS', 'USER_SUSPENDED', 'LOGIN_THROTTLED'],
      rules: ({ body }) => [ruleFor(body.email, (email) => parseEmail(email))],
      handle: async ({ scope, body, headers }) => {
        const browser = browserToken(headers)
        const issued = await logins.login(scope, body, browser)
        return secret(withHeaders(ok(tokensView(issued)), browserCookie(browser)))
      },
    }),
  ]
}

function sessionRoutes(sessions: Sessions): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/refresh`,
      name: 'refresh',
      tag,
      summary: 'Refresh the access token',
      description:
        'Exchanges a refresh token for a new access token and a new refresh token. Each refresh token can be used once. If it is sent again within 30 seconds, the answer has the same new refresh token; later, the whole session ends (`REFRESH_REUSED`).',
      access: optionalTenantKey(),
      body: Refresh,
      answers: { 200: TokenAnswer },
      refusals: ['REFRESH_INVALID', 'REFRESH_REUSED'],
      handle: async ({ scope, body }) => secret(ok(tokensView(await sessions.refresh(scope, body.refreshToken)))),
    }),
    route({
      method: 'POST',
      path: `${base}/logout`,
      name: 'logout',
      tag,
      summary: 'Log out',
      access: endUser(),
      body: Logout,
      answers: { 204: null },
      handle: async ({ scope, user, body: { all = false } }) => {
        await sessions.end(scope, user, all)
        return noContent()
      },
    }),
  ]
}

function profileRoutes(accounts: Accounts): Route[] {
  return [
    route({
      method: 'GET',
      path: `${base}/me`,
      name: 'getMe',
      tag,
      summary: 'Get your account',
      access: endUser(),
      answers: { 200: UserDetail },
      handle: async ({ scope, user }) => ok({ user: userView(await accounts.get(scope, user)) }),
    }),
    route({
      method: 'PATCH',
      path: `${base}/me`,
      name: 'updateMe',
      tag,
      summary: 'Update your name or e-mail address',
      access: endUser(),
      body: OwnChange,
      answers: { 200: UserDetail },
      refusals: ['INVALID_CREDENTIALS', 'LOGIN_THROTTLED', 'EMAIL_TAKEN'],
      rules: ({ user, body }) => accounts.changeRules(user, body),
      handle: async ({ scope, user, body }) => ok({ user: userView(await accounts.update(scope, user, body)) }),
    }),
    route({
      method: 'DELETE',
      path: `${base}/me`,
      name: 'removeMe',
      tag,
      summary: 'Delete your account',
      description: 'Permanently deletes the account with its sessions and devices.',
      access: endUser(),
      body: Removal,
      answers: { 204: null },
      refusals: ['INVALID_CREDENTIALS', 'LOGIN_THROTTLED'],
      handle: async ({ scope, user, body }) => {
        await accounts.remove(scope, user, body.currentPassword)
        return noContent()
      },
    }),
  ]
}

function passwordRoutes(accounts: Accounts): Route[] {
  return [
    route({
      method: 'POST',
      path: `${base}/password`,
      name: 'changePassword',
      tag,
      summary: 'Change your password',
      description: 'Ends all your other sessions.',
      access: endUser(),
      body: PasswordChange,
      answers: { 200: UserDetail },
      refusals: ['PASSWORD_REJECTED', 'INVALID_CREDENTIALS', 'LOGIN_THROTTLED'],
      rules: ({ user, body }) => passwordChangeRules(body, user.email),
      handle: async ({ scope, user, body }) => ok({ user: userView(await accounts.changePassword(scope, user, body)) }),
    }),
  ]
}
