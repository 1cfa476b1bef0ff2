import type { RateCounter } from '../http/limits/rate-limit.ts'
import type { Log } from '../http/parts.ts'
import type { Route } from '../http/route.ts'
import { type Jobs, type JobWork, work } from '../jobs/jobs.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { EventBus } from '../storage/events.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Quotas } from '../usage/index.ts'
import { type GoogleSettings, googleTokens } from './google/google-token.ts'
import type { SessionDeps } from './tokens/session.service.ts'
import { accountMails, type Outbox } from './users/account-mail.service.ts'
import { loginAddresses } from './users/login-address.ts'
import { passwordHasher } from './users/password-hash.ts'
import { recoveryService, requestReset } from './users/recovery.service.ts'
import { userRoutes } from './users/user.routes.ts'

export type AccountsDeps = SessionDeps & {
  secrets: Secrets
  events: EventBus
  metrics: Metrics
  quotas: Quotas
  jobs: Jobs
  outbox: Outbox
  google: GoogleSettings
  log: Log
  rateCounter: RateCounter
  /** Failed logins, and asked-for reset mails, of one address in a rate limit window. */
  authFailuresMax: number
}

/** The accounts of end users: logging in, getting back in, and the mails about it. */
export function accounts(deps: AccountsDeps) {
  const { clock, log, secrets, audit, jobs, outbox, rateCounter, authFailuresMax } = deps
  const hasher = passwordHasher()
  const mails = accountMails(outbox)
  const addresses = loginAddresses({ clock, audit, rateCounter, failuresMax: authFailuresMax })
  const recovery = recoveryService({
    ...{ clock, secrets, audit, hasher, jobs, rateCounter, accountMails: mails },
    forgotMax: authFailuresMax,
  })

  const routes: Route[] = userRoutes({
    ...deps,
    google: googleTokens({ ...deps.google, clock, log }),
    hasher,
    addresses,
    accountMails: mails,
    recovery,
  })
  const works: JobWork[] = [work(requestReset, recovery.answer)]
  return { routes, works }
}
