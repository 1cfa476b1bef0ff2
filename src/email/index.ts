import type { RateCounter } from '../http/limits/rate-limit.ts'
import { mount, type TenantExists, tenantMount } from '../http/mounts.ts'
import type { Route } from '../http/route.ts'
import type { Audit } from '../identity/index.ts'
import type { HandleMail } from '../inbound/index.ts'
import { housekeeping, type JobHandler, type Jobs, jobHandler } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { PlatformScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import { mailMessageBase, mailMessageRoutes } from './inbox/mail-message.routes.ts'
import { deleteOldMessages, receivedMailHandler } from './inbox/received-mail.service.ts'
import { deliveryService } from './outbox/delivery.service.ts'
import { mailRoutes } from './outbox/mail.routes.ts'
import { deliverMail, type Outbox, outboxService } from './outbox/outbox.service.ts'
import { type SmtpSettings, smtpTransport } from './outbox/smtp.ts'
import { emailTables } from './tenant-tables.ts'

export { type InvitationMail, sealedMails } from './outbox/mail.rules.ts'

export type MailSettings = {
  /** Null: mails wait in the outbox. */
  smtp: SmtpSettings | null
  /** Base of the links for tenants without their own domain; null: their mails contain only a code. */
  publicUrl: string | null
}

export type EmailDeps = {
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  jobs: Jobs
  audit: Audit
  rateCounter: RateCounter
  settings: MailSettings
  tenantExists: TenantExists
}

export type Email = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  outbox: Outbox
  /** Stores a mail that a webhook delivered. */
  handleMail: HandleMail
  /** Enqueues mails that waited for a mail server. Safe on several nodes at once. */
  prepare(): Promise<void>
}

/** Outgoing mails in an outbox, and mails received through webhooks. */
export function email(deps: EmailDeps): Email {
  const { platform, clock, secrets, jobs, audit, rateCounter, settings, tenantExists } = deps
  const transport = settings.smtp && smtpTransport(settings.smtp)
  const outbox = outboxService({ clock, secrets, jobs, audit, rateCounter, canSend: transport !== null })
  const deliver = deliveryService({ clock, secrets, transport, publicUrl: settings.publicUrl })
  const messages = mailMessageRoutes()
  return {
    routes: [...mailRoutes(outbox), ...messages, ...mount(messages, [tenantMount(mailMessageBase, tenantExists)])],
    jobs: [
      jobHandler(deliverMail, deliver),
      // The name is older than this folder. It is stored with the jobs.
      housekeeping('identity.mail.tidy', '* * * * *', () => outbox.housekeep(platform)),
      housekeeping('email.messages.drop-old', '40 3 * * *', () => deleteOldMessages(platform, clock)),
    ],
    tenantTables: emailTables,
    outbox,
    handleMail: receivedMailHandler(clock),
    prepare: () => outbox.enqueuePending(platform),
  }
}
