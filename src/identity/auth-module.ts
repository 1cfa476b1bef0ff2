import type { RateCounter } from '../http/limits/rate-limit.ts'
import { mount } from '../http/mounts.ts'
import type { Route } from '../http/route.ts'
import type { Log } from '../http/server-deps.ts'
import { type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { EventBus } from '../storage/events.ts'
import type { Quotas } from '../usage/index.ts'
import { accountService } from './auth/account.service.ts'
import { accountMails, type Outbox } from './auth/account-mail.service.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { vpnMount } from './auth/auth-mounts.ts'
import { countedLogins } from './auth/login.metrics.ts'
import { loginService } from './auth/login.service.ts'
import { loginAddressLimit } from './auth/login-address-limit.ts'
import { loginSources } from './auth/login-source.service.ts'
import { ownPasswordCheck, passwordCheck } from './auth/password-check.ts'
import { type PasswordCost, passwordHasher } from './auth/password-hash.ts'
import { recoveryRoutes } from './auth/recovery.routes.ts'
import { type RecoveryDeps, recoveryService, resetRequestJob } from './auth/recovery.service.ts'
import { registrationPolicy } from './auth/registration-policy.ts'
import { googleRoutes } from './google/google.routes.ts'
import { googleService } from './google/google.service.ts'
import { type GoogleSettings, googleTokens } from './google/google-token.ts'
import type { TenantSettings } from './tenants/tenant.service.ts'
import { type SessionDeps, sessionService } from './tokens/session.service.ts'

export type AuthDeps = SessionDeps & {
  secrets: RecoveryDeps['secrets']
  events: EventBus
  metrics: Metrics
  quotas: Quotas
  jobs: Jobs
  outbox: Outbox
  google: GoogleSettings
  settings: TenantSettings
  log: Log
  rateCounter: RateCounter
  /** Failed logins, and requests for a reset mail, from one client address in a rate limit window. */
  authFailuresMax: number
  /** Tests hash with less. */
  passwordCost?: PasswordCost
}

/** How end users register, log in and recover their accounts. */
export function authModule(deps: AuthDeps): { routes: Route[]; handlers: JobHandler[] } {
  const { authFailuresMax, clock, metrics } = deps
  const registration = registrationPolicy(deps.settings)
  const hasher = passwordHasher({ cost: deps.passwordCost })
  const mails = accountMails(deps.outbox)
  const sessions = sessionService(deps)
  const check = passwordCheck({ ...deps, hasher })
  const sources = loginSources(deps)
  const confirmPassword = ownPasswordCheck({ check, sources })
  const addressLimit = loginAddressLimit({ ...deps, failuresMax: authFailuresMax })
  const logins = loginService({ ...deps, hasher, sessions, check, sources, addressLimit, accountMails: mails })
  const accounts = accountService({ ...deps, hasher, confirmPassword, accountMails: mails })
  const recovery = recoveryService({ ...deps, hasher, forgotMax: authFailuresMax, accountMails: mails })
  const tokens = googleTokens({ ...deps.google, clock, log: deps.log })
  const google = googleService({ ...deps, sessions, sources, confirmPassword, google: tokens })
  const services = { logins: { ...logins, login: countedLogins(metrics, logins.login) }, sessions, accounts }
  const routes = [
    ...authRoutes(services, registration),
    ...recoveryRoutes(recovery),
    ...googleRoutes(google, registration),
  ]
  return {
    routes: [...routes, ...mount(routes, [vpnMount])],
    handlers: [jobHandler(resetRequestJob, recovery.answer)],
  }
}
