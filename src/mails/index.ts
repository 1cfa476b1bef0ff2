import type { RateCounter } from '../http/limits/rate-limit.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { SmtpSettings } from '../outgoing/smtp-connection.ts'
import type { EventBus } from '../storage/events.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { type DeliveryDeps, deliveryService } from './delivery.service.ts'
import { mailRoutes } from './mail.routes.ts'
import { deliverMail, type Outbox, outboxService } from './outbox.service.ts'
import { smtpTransport } from './smtp.ts'
import { mailTables } from './tenant-tables.ts'

export { type DigestMail, type InvitationMail, sealedMails, type TasksDueMail } from './mail.rules.ts'
export type { Outbox } from './outbox.service.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    /** A mail server has taken the mail. `userId`: who receives it, if it is a user. */
    'mail.sent': { tenantId: string; userId: string | null }
  }
}

export type MailSettings = {
  /** Null: mails wait in the outbox. */
  smtp: SmtpSettings | null
  /** Base of the links for tenants without their own domain; null: their mails contain only a code. */
  publicUrl: string | null
}

export type MailDeps = {
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  jobs: Jobs
  audit: Audit
  rateCounter: RateCounter
  events: EventBus
  settings: MailSettings
} & Pick<DeliveryDeps, 'isSubscribed' | 'findSuppression'>

export type Mails = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  outbox: Outbox
  /** Enqueues mails that waited for a mail server. Safe on several nodes at once. */
  prepare(): Promise<void>
}

/** Mails that the service itself writes to people: codes, invitations, reminders, notices and digests. */
export function mails({ settings: { smtp, publicUrl }, ...deps }: MailDeps): Mails {
  const transport = smtp && smtpTransport(smtp)
  const outbox = outboxService({ ...deps, canSend: transport !== null })
  return {
    routes: mailRoutes(outbox),
    jobs: [
      jobHandler(deliverMail, deliveryService({ ...deps, transport, publicUrl })),
      // The name is older than this folder. It is stored with the jobs.
      housekeeping('identity.mail.tidy', '* * * * *', () => outbox.housekeep(deps.platform)),
    ],
    tenantTables: mailTables,
    outbox,
    prepare: () => outbox.enqueuePending(deps.platform),
  }
}
