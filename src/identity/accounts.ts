import { deliveryService } from '../email/outbox/delivery.service.ts'
import { mailRoutes } from '../email/outbox/mail.routes.ts'
import { deliverMail, outboxService } from '../email/outbox/outbox.service.ts'
import { type SmtpSettings, smtpPost } from '../email/outbox/smtp.ts'
import type { RateCounter } from '../http/limits/rate-limit.ts'
import type { Log } from '../http/parts.ts'
import type { Route } from '../http/route.ts'
import { type Jobs, type JobWork, work } from '../jobs/jobs.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Quotas } from '../usage/quotas/quota.store.ts'
import { type GoogleSettings, googleTokens } from './google/google-token.ts'
import type { SessionDeps } from './tokens/session.service.ts'
import { accountMails } from './users/account-mail.service.ts'
import { loginAddresses } from './users/login-address.ts'
import { passwordHasher } from './users/password-hash.ts'
import { recoveryService, requestReset } from './users/recovery.service.ts'
import { userRoutes } from './users/user.routes.ts'

export type MailSettings = {
  /** Null: mails wait in the outbox. */
  smtp: SmtpSettings | null
  /** Where links lead for tenants without a domain of their own; null: their mails hold a code alone. */
  publicUrl: string | null
}

export type AccountsDeps = SessionDeps & {
  secrets: Secrets
  events: EventBus
  metrics: Metrics
  quotas: Quotas
  jobs: Jobs
  mail: MailSettings
  google: GoogleSettings
  log: Log
  rateCounter: RateCounter
  /** Failed logins, and asked-for reset mails, of one address in a rate limit window. */
  authFailuresMax: number
}

/** The accounts of end users: logging in, getting back in, and the mails about it. */
export function accounts(deps: AccountsDeps) {
  const { clock, log, secrets, audit, jobs, mail, rateCounter, authFailuresMax } = deps
  const hasher = passwordHasher()
  const post = mail.smtp && smtpPost(mail.smtp)
  const outbox = outboxService({ clock, secrets, jobs, audit, rateCounter, canSend: post !== null })
  const mails = accountMails(outbox)
  const addresses = loginAddresses({ clock, audit, rateCounter, failuresMax: authFailuresMax })
  const recovery = recoveryService({
    ...{ clock, secrets, audit, hasher, jobs, rateCounter, accountMails: mails },
    forgotMax: authFailuresMax,
  })
  const deliver = deliveryService({ clock, secrets, post, publicUrl: mail.publicUrl })

  const routes: Route[] = [
    ...userRoutes({
      ...deps,
      google: googleTokens({ ...deps.google, clock, log }),
      hasher,
      addresses,
      accountMails: mails,
      recovery,
    }),
    ...mailRoutes(outbox),
  ]
  const works: JobWork[] = [work(deliverMail, deliver), work(requestReset, recovery.answer)]
  return {
    routes,
    works,
    prepare: (platform: PlatformScope) => outbox.enqueuePending(platform),
    housekeep: (platform: PlatformScope) => outbox.housekeep(platform),
  }
}
