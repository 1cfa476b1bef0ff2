import { randomBytes } from 'node:crypto'
import { mount, type TenantExists, tenantMount } from '../http/mounts.ts'
import type { Route } from '../http/route.ts'
import type { Log } from '../http/server-deps.ts'
import type { Audit } from '../identity/index.ts'
import type { HandleMail, HandleMailReport } from '../inbound/index.ts'
import type { MailAccounts } from '../integrations/index.ts'
import { housekeeping, type JobHandler, type Jobs } from '../jobs/jobs.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { utcDay } from '../kernel/period.ts'
import type { TenantTable } from '../kernel/tenant-table.ts'
import type { ResolveRecords } from '../mime/authenticity.ts'
import { tokensWith } from '../mime/mail-token.ts'
import { resolveByDns } from '../mime/name-servers.ts'
import type { SmtpSettings } from '../outgoing/smtp-connection.ts'
import type { EventBus } from '../storage/events.ts'
import { inTenant, type PlatformScope, type TenantScope } from '../storage/scope.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { LimitCounts, Quotas, ReadStockLimit, TellStored } from '../usage/index.ts'
import { configRoutes } from './configs/config.routes.ts'
import { configService } from './configs/config.service.ts'
import { dkimRoute } from './dkim/dkim.routes.ts'
import { dkimService } from './dkim/dkim.service.ts'
import { eraseOwner, eraseUser } from './erasure.service.ts'
import { countStoredBytes, recountStorage } from './inbox/mail-message.store.ts'
import { deleteOldMessages, dropOldRaw, unaddressedMailHandler } from './inbox/received-mail.service.ts'
import type { MailListener } from './listener/listener.ts'
import { adoptSettings, findHealth } from './mailboxes/mailbox.store.ts'
import { type MailboxModule, mailboxModule } from './mailboxes/mailbox-module.ts'
import { type Members, membersOf } from './members.ts'
import { getReadableMessage, messageRoutes } from './messages/message.routes.ts'
import { receivedMailBase, receivedMailRoute, receivedMailRoutes } from './messages/received-mail.routes.ts'
import { receiveService } from './receiving/receive.service.ts'
import { receivingMetrics } from './receiving/receiving.metrics.ts'
import { type ReplyModuleDeps, replyModule } from './reply-module.ts'
import { countMailsOfDay } from './sending/day-count.store.ts'
import { ownerTransport } from './sending/owner-transport.ts'
import { type SendDeps, sendRoutes } from './sending/send.routes.ts'
import { sendingService } from './sending/sending.service.ts'
import { allSubscriptions, type Subscriptions } from './subscriptions.ts'
import { suppressionRoutes } from './suppressions/suppression.routes.ts'
import type { SuppressionReason } from './suppressions/suppression.rules.ts'
import { suppressionService } from './suppressions/suppression.service.ts'
import { keepForTenant } from './suppressions/suppression.store.ts'
import { emailTables } from './tenant-tables.ts'
import { threadRoutes } from './threads/thread.routes.ts'
import { isCorrespondent } from './threads/thread.store.ts'
import { unsubscribeRoutes } from './unsubscribe/unsubscribe.routes.ts'
import { verificationModule } from './verification/verification-module.ts'
import { mailReportHandler } from './webhook-mails/mail-report.service.ts'
import { webhookMailHandler } from './webhook-mails/webhook-mail.service.ts'

export type { CommandMail, CommandReport, MailCommands } from './commands/mail-commands.ts'
export { sealedEmailPasswords } from './configs/config-passwords.ts'
export { sealedDkimKeys } from './dkim/dkim.rules.ts'
export type { MailListener } from './listener/listener.ts'
export type { MailboxReader } from './mailboxes/mailbox-reader.ts'
export type { Subscriptions } from './subscriptions.ts'

declare module '../storage/events.ts' {
  interface DomainEvents {
    /** A mail server has accepted a mail of a thread. */
    'email.sent': { tenantId: string; orgId: string | null; messageId: string }
    /** A mail of a thread was rejected for good. */
    'email.bounced': { tenantId: string; messageId: string }
    /** A mail to an address of ours was stored. */
    'email.received': { tenantId: string; orgId: string | null; threadId: string; messageId: string }
  }
}

/** How mail is received. */
export type ReceivingSettings = {
  /** The domain of the addresses of organizations. Null: they have none. */
  domain: string | null
  host: string
  /** Null: no mail is received by this protocol. */
  smtpPort: number | null
  lmtpPort: number | null
  /** Paths of PEM files. Null: mail is taken without encryption. */
  tls: { cert: string; key: string } | null
  /** Asks name servers for the checks of senders. */
  resolve: ResolveRecords
}

export type EmailDeps = {
  platform: PlatformScope
  clock: Clock
  secrets: Secrets
  jobs: Jobs
  audit: Audit
  /** The mail server of the installation; null: there is none. */
  smtp: SmtpSettings | null
  receiving: Partial<ReceivingSettings>
  tenantExists: TenantExists
  readStockLimit: ReadStockLimit
  tellStored: TellStored
  quotas: Pick<Quotas, 'readLimits'>
  /** A meeting that the user may read. Refuses NOT_FOUND. */
  getMeeting: SendDeps['getMeeting']
  events: EventBus
  /** Of mails that are no conversations: reminders and digests. */
  subscriptions(): readonly Subscriptions[]
  organizations(): Members
  answers: ReplyModuleDeps['answers']
  hasParticipant: ReplyModuleDeps['hasParticipant']
  commands: ReplyModuleDeps['commands']
  parseEmail(text: string, path?: string): string
  /** Whether the tenant has this inbound webhook. */
  connectionExists(scope: TenantScope, id: string): Promise<boolean>
  /** The active user of the tenant with this verified address. */
  findVerifiedUser(scope: TenantScope, address: string): Promise<string | null>
  /** Accounts at Google and Microsoft by which organizations send and receive. */
  mailAccounts(): MailAccounts
  /** Whether this is the only process of the installation. */
  isEmbedded: boolean
  log: Log
  metrics: Metrics
  /** Whether mail servers of tenants may be on private networks. */
  allowPrivate: boolean
}

export type Email = {
  routes: Route[]
  jobs: JobHandler[]
  tenantTables: TenantTable[]
  /** Adds up what the mails of a tenant take, and puts right what was counted. */
  recountStorage: typeof recountStorage
  /** What is stored now, of what has limits. */
  limitCounts: LimitCounts
  /** Stores a mail that a webhook delivered. */
  handleMail: HandleMail
  /** A mail service reports a bounce or a complaint. */
  handleMailReport: HandleMailReport
  /** Whether the receiver of a mail with this unsubscribe token may and wants to have it. */
  isSubscribed(scope: TenantScope, token: string): Promise<boolean>
  /** Why an address gets no mail; null if it does. */
  findSuppression(scope: TenantScope, address: string): Promise<{ reason: SuppressionReason } | null>
  /** Takes mail by SMTP and LMTP from now on. Null where that is not set up. */
  listen(): Promise<MailListener | null>
  mailboxes: MailboxModule
}

/** Conversations by mail: addresses, what is received and sent, answers, and who wants no mail. */
export function email(deps: EmailDeps): Email {
  const { platform, clock, secrets, jobs, smtp, tenantExists, events } = deps
  const subscriptions = () => allSubscriptions(deps.subscriptions())
  const members = membersOf(deps.organizations)
  const suppressions = suppressionService(deps)
  events.on('org.deleted', (tx, { tenantId, orgId }) => keepForTenant(inTenant(tx, tenantId), orgId))
  const { mailAccounts: accounts } = deps
  const configs = configService({
    ...{ ...deps, members, domain: deps.receiving.domain ?? null, random: randomBytes, findMailbox: findHealth },
    hasMailAccount: async (scope, orgId) => (await accounts().find(scope, orgId)) !== null,
  })
  const { domain = null, resolve = resolveByDns } = deps.receiving
  const tokens = tokensWith(secrets.derive('email/token'))
  const servers = { smtp, allowedHosts: deps.allowPrivate ? 'any' : 'public', accounts } as const
  const dkim = dkimService({ ...deps, members, random: randomBytes })
  const sending = sendingService({
    ...{ clock, jobs, events, configs, tokens, suppressions, domain, dkim, quotas: deps.quotas },
    ...servers,
  })
  const verification = verificationModule({
    ...{ ...deps, configs, members, tokens, dkim, resolve, domain },
    openTransport: (scope, config) => ownerTransport(scope, config, { configs, ...servers }),
    findAccount: (scope, orgId) => accounts().find(scope, orgId),
    checkMailbox: (scope, config) => mailboxes.check(scope, config),
  })
  events.on('mail.settings.changed', (tx, { tenantId }) => sending.releaseWaiting(inTenant(tx, tenantId)))
  const count = receivingMetrics(deps.metrics)
  const reading = { members, isCorrespondent }
  const replies = replyModule({
    ...{ ...deps, members, suppressions, tokens, domain, resolve },
    readSettings: configs.readEffective,
    getReadable: (scope, asked) => getReadableMessage(reading, scope, asked),
    release: sending.release,
    takeOfDay: sending.takeOfDay,
    requeue: sending.requeue,
  })
  const receiving = receiveService({
    ...{ ...deps, configs, members, tokens, resolve },
    hostname: domain ?? 'localhost',
    count: count.received,
    onReceived: replies.onReceived,
    onBounce: sending.onBounce,
    onComplaint: sending.onComplaint,
    onRoundTrip: verification.arrived,
  })
  const mailboxes = mailboxModule({
    ...{ ...deps, ...servers, tokens, domain, configs, receiving },
    countRefused: count.refused,
    countFailure: count.mailboxFailed,
  })
  events.on('mail.settings.changed', (tx, { tenantId }) => adoptSettings(inTenant(tx, tenantId), clock.now()))
  const messages = receivedMailRoutes()
  events.on('org.created', (tx, { tenantId, orgId }) => configs.createAddress(inTenant(tx, tenantId), orgId))
  events.on('org.deleted', (tx, { tenantId, orgId }) => eraseOwner(inTenant(tx, tenantId), orgId))
  events.on('user.removed', (tx, { tenantId, userId }) => eraseUser(inTenant(tx, tenantId), userId))
  return {
    routes: [
      ...messages,
      ...mount([...messages, receivedMailRoute()], [tenantMount(receivedMailBase, tenantExists)]),
      ...configRoutes(configs),
      dkimRoute({ dkim, members }),
      ...verification.routes,
      ...threadRoutes(members),
      ...messageRoutes(reading),
      ...sendRoutes({ ...deps, members, sending }),
      ...unsubscribeRoutes(subscriptions),
      ...suppressionRoutes({ ...deps, members, suppressions }),
      ...replies.routes,
    ],
    jobs: [
      ...sending.jobs,
      ...verification.jobs,
      ...replies.jobs,
      housekeeping('email.suppressions.drop-old', '50 3 * * *', () => suppressions.dropOld(platform)),
      housekeeping('email.messages.drop-old', '40 3 * * *', () => deleteOldMessages(platform, clock)),
      housekeeping('email.raw.drop-old', '50 3 * * *', () => dropOldRaw(platform, clock)),
    ],
    tenantTables: emailTables,
    mailboxes,
    recountStorage,
    limitCounts: {
      tenant: {
        maxStorageBytes: countStoredBytes,
        maxMailsPerDay: (scope) => countMailsOfDay(scope, utcDay(clock.now())),
      },
    },
    handleMailReport: mailReportHandler({ events, tokens, domain, suppressions }),
    handleMail: webhookMailHandler({
      ...{ platform, tokens, domain, receiving },
      storeUnaddressed: unaddressedMailHandler(deps),
    }),
    isSubscribed: (scope, token) => subscriptions().isWanted(scope, token),
    findSuppression: suppressions.find,
    listen: async () => {
      const { host = '127.0.0.1', smtpPort = null, lmtpPort = null, tls = null } = deps.receiving
      if (domain === null || (smtpPort === null && lmtpPort === null)) return null
      const { startListener } = await import('./listener/listener.ts')
      return startListener(
        { ...deps, tokens, receive: receiving.receive, countRefused: count.refused },
        { domain, host, smtpPort, lmtpPort, tls },
      )
    },
  }
}
