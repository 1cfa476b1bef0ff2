import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { EventBus } from '../../storage/events.ts'
import type { Quotas } from '../../usage/index.ts'
import { googleRoutes } from '../google/google.routes.ts'
import { googleService } from '../google/google.service.ts'
import type { GoogleTokens } from '../google/google-token.ts'
import { type SessionDeps, type Sessions, sessionService } from '../tokens/session.service.ts'
import { accountService } from './account.service.ts'
import type { AccountMails } from './account-mail.service.ts'
import { type Door, doors, tag } from './doors.ts'
import { countedLogins } from './login.metrics.ts'
import { loginService } from './login.service.ts'
import type { LoginAddresses } from './login-address.ts'
import { passwordCheck } from './password-check.ts'
import type { PasswordHasher } from './password-hash.ts'
import { recoveryRoutes } from './recovery.routes.ts'
import type { Recovery } from './recovery.service.ts'
import {
  Credentials,
  Logout,
  OwnChange,
  PasswordChange,
  Refresh,
  Registration,
  Removal,
  TokenAnswer,
  tokensOf,
  UserDetail,
  viewOf,
} from './user.schema.ts'

export type UserDeps = SessionDeps & {
  events: EventBus
  metrics: Metrics
  quotas: Quotas
  hasher: PasswordHasher
  addresses: LoginAddresses
  accountMails: AccountMails
  recovery: Recovery
  google: GoogleTokens
}

/** Register, log in, and the own account, at both doors. */
export function userRoutes(deps: UserDeps): Route[] {
  const sessions = sessionService(deps)
  const check = passwordCheck(deps)
  const service = loginService({ ...deps, sessions, check })
  const logins = { ...service, login: countedLogins(deps.metrics, service.login) }
  const accounts = accountService({ ...deps, check })
  const google = googleService({ ...deps, sessions, check })
  return doors.flatMap((door) => [
    ...loginRoutes(door, logins),
    ...sessionRoutes(door, sessions),
    ...profileRoutes(door, accounts),
    ...passwordRoutes(door, accounts),
    ...recoveryRoutes(door, deps.recovery),
    ...googleRoutes(door, google),
  ])
}

function loginRoutes({ prefix, keyAccess, named }: Door, logins: ReturnType<typeof loginService>): Route[] {
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
        return { ...secret(created(`${prefix}/me`, tokensOf(issued))), about: issued.user.id }
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
      handle: async ({ scope, body }) => secret(ok(tokensOf(await logins.login(scope, body)))),
    }),
  ]
}

function sessionRoutes({ prefix, keyAccess, userAccess, named }: Door, sessions: Sessions): Route[] {
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
      handle: async ({ scope, body }) => secret(ok(tokensOf(await sessions.refresh(scope, body.refreshToken)))),
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

type Accounts = ReturnType<typeof accountService>

function profileRoutes({ prefix, userAccess, named }: Door, accounts: Accounts): Route[] {
  return [
    route({
      method: 'GET',
      path: `${prefix}/me`,
      name: named('GetMe'),
      tag,
      summary: 'Get the own account',
      access: userAccess,
      answers: { 200: UserDetail },
      handle: async ({ scope, user }) => ok({ user: viewOf(await accounts.get(scope, user)) }),
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
      handle: async ({ scope, user, body }) => ok({ user: viewOf(await accounts.update(scope, user, body)) }),
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

function passwordRoutes({ prefix, userAccess, named }: Door, accounts: Accounts): Route[] {
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
      handle: async ({ scope, user, body }) => ok({ user: viewOf(await accounts.changePassword(scope, user, body)) }),
    }),
  ]
}
