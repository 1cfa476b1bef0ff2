import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Sessions } from '../tokens/session.service.ts'
import { UserDetail, userView } from '../users/user.schema.ts'
import type { Accounts } from './account.service.ts'
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
import { type AuthMount, tag } from './auth-mounts.ts'
import type { Logins } from './login.service.ts'

export type AuthServices = { logins: Logins; sessions: Sessions; accounts: Accounts }

/** Registration, login, and a user's own account. */
export function authRoutes(mount: AuthMount, { logins, sessions, accounts }: AuthServices): Route[] {
  return [
    ...loginRoutes(mount, logins),
    ...sessionRoutes(mount, sessions),
    ...profileRoutes(mount, accounts),
    ...passwordRoutes(mount, accounts),
  ]
}

function loginRoutes({ prefix, keyAccess, operationName: named }: AuthMount, logins: Logins): Route[] {
  return [
    route({
      method: 'POST',
      path: `${prefix}/register`,
      name: named('Register'),
      tag,
      summary: 'Register a user',
      description: 'Creates the user, logs it in and sends a mail to verify the address.',
      access: keyAccess,
      idempotent: true,
      body: Registration,
      answers: { 201: TokenAnswer },
      refusals: ['PASSWORD_REJECTED', 'QUOTA_EXCEEDED', 'EMAIL_TAKEN', 'NOT_FOUND'],
      prepare: ({ body }) => logins.prepare(body),
      handle: async ({ scope, prepared }) => {
        const issued = await logins.register(scope, prepared)
        return { ...secret(created(`${prefix}/me`, tokensView(issued))), subjectId: issued.user.id }
      },
    }),
    route({
      method: 'POST',
      path: `${prefix}/login`,
      name: named('Login'),
      tag,
      summary: 'Log in',
      description:
        'Returns an access token and a refresh token. An unknown address gives the same answer as a wrong password. After five failures in a row for an e-mail address, logins are refused for 2 seconds, then 4, up to 15 minutes (`LOGIN_THROTTLED`). A client address with too many failures is refused as well.',
      access: keyAccess,
      body: Credentials,
      answers: { 200: TokenAnswer },
      refusals: ['INVALID_CREDENTIALS', 'USER_SUSPENDED', 'LOGIN_THROTTLED'],
      handle: async ({ scope, body }) => secret(ok(tokensView(await logins.login(scope, body)))),
    }),
  ]
}

function sessionRoutes(
  { prefix, keyAccess, userAccess, operationName: named }: AuthMount,
  sessions: Sessions,
): Route[] {
  return [
    route({
      method: 'POST',
      path: `${prefix}/refresh`,
      name: named('Refresh'),
      tag,
      summary: 'Refresh the access token',
      description:
        'Exchanges a refresh token for a new access token and a new refresh token. Each refresh token can be used once. If it is sent again within 30 seconds, the answer has the same new refresh token; later, the whole session ends (`REFRESH_REUSED`).',
      access: keyAccess,
      body: Refresh,
      answers: { 200: TokenAnswer },
      refusals: ['REFRESH_INVALID', 'REFRESH_REUSED'],
      handle: async ({ scope, body }) => secret(ok(tokensView(await sessions.refresh(scope, body.refreshToken)))),
    }),
    route({
      method: 'POST',
      path: `${prefix}/logout`,
      name: named('Logout'),
      tag,
      summary: 'Log out',
      access: userAccess,
      body: Logout,
      answers: { 204: null },
      handle: async ({ scope, user, body: { all = false } }) => {
        await sessions.end(scope, user, all)
        return noContent()
      },
    }),
  ]
}

function profileRoutes({ prefix, userAccess, operationName: named }: AuthMount, accounts: Accounts): Route[] {
  return [
    route({
      method: 'GET',
      path: `${prefix}/me`,
      name: named('GetMe'),
      tag,
      summary: 'Get your account',
      access: userAccess,
      answers: { 200: UserDetail },
      handle: async ({ scope, user }) => ok({ user: userView(await accounts.get(scope, user)) }),
    }),
    route({
      method: 'PATCH',
      path: `${prefix}/me`,
      name: named('UpdateMe'),
      tag,
      summary: 'Update your name or e-mail address',
      access: userAccess,
      body: OwnChange,
      answers: { 200: UserDetail },
      refusals: ['INVALID_CREDENTIALS', 'LOGIN_THROTTLED', 'EMAIL_TAKEN'],
      handle: async ({ scope, user, body }) => ok({ user: userView(await accounts.update(scope, user, body)) }),
    }),
    route({
      method: 'DELETE',
      path: `${prefix}/me`,
      name: named('RemoveMe'),
      tag,
      summary: 'Delete your account',
      description: 'Permanently deletes the account with its sessions and devices.',
      access: userAccess,
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

function passwordRoutes({ prefix, userAccess, operationName: named }: AuthMount, accounts: Accounts): Route[] {
  return [
    route({
      method: 'POST',
      path: `${prefix}/password`,
      name: named('ChangePassword'),
      tag,
      summary: 'Change your password',
      description: 'Ends all your other sessions.',
      access: userAccess,
      body: PasswordChange,
      answers: { 200: UserDetail },
      refusals: ['PASSWORD_REJECTED', 'INVALID_CREDENTIALS', 'LOGIN_THROTTLED'],
      handle: async ({ scope, user, body }) => ok({ user: userView(await accounts.changePassword(scope, user, body)) }),
    }),
  ]
}
