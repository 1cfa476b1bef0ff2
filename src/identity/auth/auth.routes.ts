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
      description: 'The new user is logged in at once, and gets a mail with a token that verifies the address.',
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
        'An unknown address is answered like a wrong password. After the fifth failure in a row for an address nothing is checked for 2 seconds, then 4, up to 15 minutes. From a client address with very many failures nothing is checked either.',
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
      summary: 'Exchange a refresh token for new tokens',
      description:
        'A refresh token is good for one exchange. Sent again within 30 seconds it gives the same successor; later it ends the whole session.',
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
      summary: 'End the session',
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
      summary: 'Get the own account',
      access: userAccess,
      answers: { 200: UserDetail },
      handle: async ({ scope, user }) => ok({ user: userView(await accounts.get(scope, user)) }),
    }),
    route({
      method: 'PATCH',
      path: `${prefix}/me`,
      name: named('UpdateMe'),
      tag,
      summary: 'Change the own name or e-mail address',
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
      summary: 'Remove the own account',
      description: 'With its sessions and devices, for good.',
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
      summary: 'Change the own password',
      description: 'Ends every other session of the user.',
      access: userAccess,
      body: PasswordChange,
      answers: { 200: UserDetail },
      refusals: ['PASSWORD_REJECTED', 'INVALID_CREDENTIALS', 'LOGIN_THROTTLED'],
      handle: async ({ scope, user, body }) => ok({ user: userView(await accounts.changePassword(scope, user, body)) }),
    }),
  ]
}
