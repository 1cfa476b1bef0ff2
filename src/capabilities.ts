import type { Adapters } from './adapters.ts'
import { analytics } from './analytics/index.ts'
import { bots } from './bots/index.ts'
import { catalog } from './catalog/index.ts'
import { consoleModule } from './console/index.ts'
import { content } from './content/index.ts'
import { digests } from './digests/index.ts'
import { email } from './email/index.ts'
import { identity } from './identity/index.ts'
import { inbound } from './inbound/index.ts'
import { integrations } from './integrations/index.ts'
import { issueHandler } from './issue-handler.ts'
import type { JobQueue } from './jobs/queue.ts'
import type { Metrics } from './kernel/metrics.ts'
import { productSlugs } from './kernel/products.ts'
import type { TenantTable } from './kernel/tenant-table.ts'
import { knowledge } from './knowledge/index.ts'
import { licensing, planEnd, planInForce } from './licensing/index.ts'
import { mailCommands } from './mail-commands/index.ts'
import { mails } from './mails/index.ts'
import { meetings } from './meetings/index.ts'
import { organizations } from './organizations/index.ts'
import type { EventBus } from './storage/events.ts'
import type { PublicRevision } from './storage/public-revision.ts'
import type { PlatformScope } from './storage/scope.ts'
import { tasks } from './tasks/index.ts'
import { usage } from './usage/index.ts'
import { vault } from './vault/index.ts'
import { webhooks } from './webhooks/index.ts'

type CapabilityDeps = {
  platform: PlatformScope
  metrics: Metrics
  events: EventBus
  queue: JobQueue
  isEmbedded: boolean
  publicChanged: PublicRevision['changed']
}

/** All capabilities, each with what it needs of the others: a function where the other is created later. */
export function createCapabilities(
  adapters: Adapters,
  { platform, metrics, events, queue, isEmbedded, publicChanged }: CapabilityDeps,
) {
  const { secrets, clock, log } = adapters
  // What nearly all of them need.
  const shared = { platform, clock, log, secrets, events, metrics, jobs: queue }
  const product = productSlugs.assistant
  const usageModule = usage({
    ...shared,
    defaultLimits: adapters.tenants.defaultLimits,
    tenantExists: (scope, tenantId) => identityModule.tenantExists(scope, tenantId),
    audit: (tx, entry) => identityModule.audit(tx, entry),
    outbox: () => mailsModule.outbox,
    users: () => identityModule.users,
    organizations: () => organizationsModule.members,
    planOf: ({ tenantId }, now) => planInForce({ tenantId, product, now, otherwise: adapters.usageDefaultPlan }),
    planEndOf: ({ tenantId }, now) => planEnd({ tenantId, product, now }),
    countMeetingsByDay: (scope, from) => meetingsModule.countCreatedByDay(scope, from),
    recountMails: (tx) => emailModule.recountStorage(tx),
    recountDocuments: (tx) => knowledgeModule.recountDocuments(tx),
    licensedPlanOf: ({ tenantId }, now) => planInForce({ tenantId, product, now, otherwise: null }),
    limitCounts: () =>
      [
        identityModule,
        vaultModule,
        organizationsModule,
        meetingsModule,
        botsModule,
        tasksModule,
        knowledgeModule,
        emailModule,
        integrationsModule,
      ].map(({ limitCounts }) => limitCounts),
  })
  const { quotas, metering } = usageModule
  const mailsModule = mails({
    ...shared,
    rateCounter: adapters.rateCounter,
    settings: adapters.mail,
    audit: (scope, entry) => identityModule.audit(scope, entry),
    isSubscribed: (scope, token) => emailModule.isSubscribed(scope, token),
    findSuppression: (scope, address) => emailModule.findSuppression(scope, address),
  })
  const emailModule = email({
    ...shared,
    smtp: adapters.mail.smtp,
    receiving: adapters.email ?? {},
    readStockLimit: usageModule.readStockLimit,
    tellStored: usageModule.tellStored,
    quotas,
    getMeeting: (scope, user, id) => meetingsModule.requireReadable(scope, user, id),
    audit: (scope, entry) => identityModule.audit(scope, entry),
    tenantExists: (scope, tenantId) => identityModule.tenantExists(scope, tenantId),
    subscriptions: () => [tasksModule.reminders, digestsModule.subscriptions],
    organizations: () => organizationsModule.members,
    answers: () => knowledgeModule.answersForReaders,
    commands: () => mailCommandsModule.commands,
    hasParticipant: (scope, asked) => meetingsModule.hasParticipant(scope, asked),
    parseEmail: (text, path) => identityModule.parseEmail(text, path),
    connectionExists: (scope, id) => inboundModule.connectionExists(scope, id),
    findVerifiedUser: (scope, address) => identityModule.users.findVerified(scope, address),
    mailAccounts: () => integrationsModule.mailAccounts,
    isEmbedded,
    allowPrivate: adapters.webhooks.allowPrivate,
  })
  const identityModule = identity({
    ...adapters,
    ...shared,
    quotas,
    outbox: mailsModule.outbox,
    settings: adapters.tenants,
    isEmbedded,
    authFailuresMax: adapters.rateLimits.authFailuresMax,
    unknownProducts: (scope, slugs) => catalogModule.listUnknownSlugs(scope, slugs),
    inspectLicense: (scope, question) => licensingModule.inspect(scope, question),
    tenantTables: () => tenantTables(),
  })
  const { audit, tenantExists, soleTenant } = identityModule
  const analyticsModule = analytics({
    ...shared,
    isEmbedded,
    retentionDays: adapters.analyticsRetentionDays,
    productExists: (scope, productId) => catalogModule.productExists(scope, productId),
  })
  const { recordVisit } = analyticsModule
  const contentModule = content({
    ...shared,
    audit,
    publicChanged,
    recordVisit,
    blobs: adapters.blobs,
    unknownProducts: (scope, slugs) => catalogModule.listUnknownSlugs(scope, slugs),
    draftProducts: (scope, slugs) => catalogModule.listDraftSlugs(scope, slugs),
    products: (scope, slugs) => catalogModule.findPublicBySlug(scope, slugs),
    publicUrl: adapters.mail.publicUrl,
    sitemapSources: () => catalogModule.sitemapSources,
  })
  const catalogModule = catalog({
    ...shared,
    audit,
    publicChanged,
    recordVisit,
    media: contentModule.media,
    findMediaByDigest: contentModule.findMediaByDigest,
    inspectLicense: (scope, question) => licensingModule.inspect(scope, question),
    isProductInUse: async (tx, slug) =>
      (await identityModule.isProductOfTenants(tx, slug)) || (await licensingModule.isProductLicensed(tx, slug)),
  })
  const licensingModule = licensing({
    ...shared,
    audit,
    tenantExists,
    unknownProducts: catalogModule.listUnknownSlugs,
  })
  const vaultModule = vault({
    ...shared,
    audit,
    quotas,
    metering,
    tenantExists,
    licenses: licensingModule.licenses,
    builtInServer: adapters.builtInServer,
    fanOut: adapters.fanOut,
  })
  const organizationsModule = organizations({
    ...shared,
    audit,
    quotas,
    tenantExists,
    outbox: mailsModule.outbox,
    parseEmail: identityModule.parseEmail,
    exportOrganization: identityModule.exportOrganization,
  })
  const meetingsModule = meetings({
    ...shared,
    meetingHosts: adapters.meetingHosts,
    audit,
    quotas,
    metering,
    tenantExists,
    members: organizationsModule.members,
    openAnswers: () => knowledgeModule.openAnswers,
    findGaps: (scope, meetingId) => botsModule.findGaps(scope, meetingId),
    fanOut: adapters.fanOut,
    languageModel: adapters.languageModel,
    ...(adapters.writing ? { writing: adapters.writing } : {}),
  })
  const tasksModule = tasks({
    ...shared,
    audit,
    quotas,
    members: organizationsModule.members,
    meetingReadableBy: meetingsModule.isMeetingReadableBy,
    actionItems: meetingsModule.actionItems,
    outbox: mailsModule.outbox,
    notify: organizationsModule.notify,
    publicUrl: adapters.mail.publicUrl,
  })
  const knowledgeModule = knowledge({
    ...shared,
    audit,
    members: organizationsModule.members,
    metering,
    readStockLimit: usageModule.readStockLimit,
    tellStored: usageModule.tellStored,
    blobs: adapters.blobs,
    transcripts: meetingsModule.searchableTranscripts,
    languageModel: adapters.languageModel,
    embeddings: adapters.embeddings,
    reading: adapters.reading,
  })
  const inboundModule = inbound(
    {
      ...shared,
      audit,
      quotas,
      tenantExists,
      soleTenant,
      rateCounter: adapters.rateCounter,
      isEmbedded,
      orgExists: organizationsModule.members.exists,
      handlers: {
        issue: issueHandler(() => integrationsModule, tasksModule),
        mention: meetingsModule.handleMention,
        mail: emailModule.handleMail,
        mailReport: emailModule.handleMailReport,
        botHint: (tx, hint) => botsModule.takeVendorHint(tx, hint),
        integrationHint: (tx, received, hint) => integrationsModule.takeHint(tx, received, hint),
      },
    },
    adapters.inbound,
  )
  const webhooksModule = webhooks({
    ...shared,
    audit,
    quotas,
    tenantExists,
    settings: adapters.webhooks,
  })
  const botsModule = bots({
    ...shared,
    audit,
    quotas,
    metering,
    members: organizationsModule.members,
    meetings: meetingsModule.botMeetings,
    meetingHosts: adapters.meetingHosts,
    meetingReadableBy: meetingsModule.isMeetingReadableBy,
    fanOut: adapters.fanOut,
    allowedHosts: adapters.webhooks.allowPrivate ? 'any' : 'public',
    vendorEndpoints: adapters.botVendorEndpoints,
    vendorConnections: inboundModule.ownedConnections,
    publicUrl: adapters.integrations.publicUrl,
    platformTenant: async () => (await identityModule.authenticator.builtInTenant()).tenantId,
  })
  const integrationsModule = integrations(
    {
      ...shared,
      audit,
      quotas,
      rateCounter: adapters.rateCounter,
      members: organizationsModule.members,
      meetings: meetingsModule.planned,
      recordings: meetingsModule.recorded,
      documents: knowledgeModule.imported,
      connections: inboundModule.ownedConnections,
      followAttendance: botsModule.followAttendance,
      meetingHosts: adapters.meetingHosts,
      findEmail: identityModule.users.findEmail,
      outbox: () => mailsModule.outbox,
      readMeetingSummary: meetingsModule.readSummary,
      requireMeeting: meetingsModule.requireReadable,
      findTask: tasksModule.findContent,
      chatAnswers: meetingsModule.chatAnswers,
      linkedTasks: tasksModule.linked,
      findVerifiedUser: identityModule.users.findVerified,
      findCustomDomain: identityModule.findCustomDomain,
    },
    adapters.integrations,
  )
  const mailCommandsModule = mailCommands({
    ...shared,
    meetings: meetingsModule.planned,
    meetingHosts: adapters.meetingHosts,
    followAttendance: botsModule.followAttendance,
    readTranscript: meetingsModule.readTranscript,
    documents: knowledgeModule.files,
  })
  const digestsModule = digests({
    ...shared,
    audit,
    outbox: mailsModule.outbox,
    sources: { meetings: meetingsModule.listEndedFor, tasks: tasksModule.listOwnTasks },
  })
  /** Those with rows of tenants. */
  const tenantModules = [
    licensingModule,
    vaultModule,
    usageModule,
    organizationsModule,
    mailsModule,
    emailModule,
    digestsModule,
    mailCommandsModule,
    meetingsModule,
    botsModule,
    tasksModule,
    knowledgeModule,
    inboundModule,
    integrationsModule,
    webhooksModule,
  ]
  const tenantTables = (): TenantTable[] => tenantModules.flatMap((capability) => capability.tenantTables)
  return {
    usage: usageModule,
    mails: mailsModule,
    email: emailModule,
    identity: identityModule,
    console: consoleModule({
      ...adapters,
      platform,
      audit,
      adminKeys: identityModule.adminKeys,
      findAdmin: identityModule.authenticator.adminKey,
      noteWrongAdminKey: identityModule.authenticator.noteWrongAdminKey,
      authFailuresMax: adapters.rateLimits.authFailuresMax,
    }),
    analytics: analyticsModule,
    content: contentModule,
    catalog: catalogModule,
    licensing: licensingModule,
    vault: vaultModule,
    meetings: meetingsModule,
    bots: botsModule,
    tasks: tasksModule,
    knowledge: knowledgeModule,
    inbound: inboundModule,
    integrations: integrationsModule,
    webhooks: webhooksModule,
    ofTenants: tenantModules,
    tenantTables,
  }
}
