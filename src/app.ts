import type { Adapters } from './adapters.ts'
import { analytics } from './analytics/index.ts'
import { catalog } from './catalog/index.ts'
import { content } from './content/index.ts'
import { documentInfo } from './document-info.ts'
import { email } from './email/index.ts'
import { deleteExpiredAnswers } from './http/idempotency.store.ts'
import { loopWatch } from './http/loop-watch.ts'
import { mountAtConsole } from './http/mounts.ts'
import { openApiDocument } from './http/openapi/openapi.ts'
import type { Route } from './http/route.ts'
import { createServer } from './http/server.ts'
import { identity } from './identity/index.ts'
import { inbound } from './inbound/index.ts'
import { runHousekeeping } from './jobs/housekeep.ts'
import { housekeeping, type JobHandler } from './jobs/jobs.ts'
import { namedWork } from './jobs/named-work.ts'
import { jobQueue } from './jobs/queue.ts'
import { jobRunner } from './jobs/runner.ts'
import { systemCaller } from './kernel/caller.ts'
import { metricsRegistry } from './kernel/metrics.ts'
import { once } from './kernel/once.ts'
import { productSlugs } from './kernel/products.ts'
import type { TenantTable } from './kernel/tenant-table.ts'
import { knowledge } from './knowledge/index.ts'
import { licensing, planInForce } from './licensing/index.ts'
import { meetings } from './meetings/index.ts'
import { organizations } from './organizations/index.ts'
import { fileSharing } from './storage/blobs/file-sharing.ts'
import { eventBus } from './storage/events.ts'
import { confirmMasterKey } from './storage/installation.store.ts'
import { mintPlatformScope } from './storage/mint.ts'
import { createPublicRevision } from './storage/public-revision.ts'
import { foldRowCounts } from './storage/row-counts.ts'
import { watchedHandle } from './storage/watched-handle.ts'
import { system } from './system/index.ts'
import { tasks } from './tasks/index.ts'
import { usage } from './usage/index.ts'
import { vault } from './vault/index.ts'
import { webhooks } from './webhooks/index.ts'

export type App = ReturnType<typeof createApp>

// The rules that end VPN sessions count in seconds. One node checks for all.
const sessionTickSeconds = 5
const foldTickSeconds = 10

/** The whole wiring: adapters in, a server out. Tests call it with the same adapters and a clock of their own. */
export function createApp(adapters: Adapters) {
  const { version, secrets, clock, log } = adapters
  const metrics = metricsRegistry()
  const loop = loopWatch({ metrics, log, ...(adapters.loop ? { settings: adapters.loop } : {}) })
  const database = { ...adapters.database, handle: watchedHandle(adapters.database.handle, loop.resume) }
  const platform = mintPlatformScope(database.handle, systemCaller)
  const events = eventBus()
  const queue = jobQueue(clock)
  let isDraining = false

  const usageModule = usage({
    platform,
    clock,
    log,
    events,
    jobs: queue,
    defaultLimits: adapters.tenants.defaultLimits,
    tenantExists: (scope, tenantId) => identityModule.tenantExists(scope, tenantId),
    audit: (tx, entry) => identityModule.audit(tx, entry),
    outbox: () => emailModule.outbox,
    users: () => identityModule.users,
    organizations: () => organizationsModule.members,
    planOf: ({ tenantId }, now) =>
      planInForce({ tenantId, product: productSlugs.assistant, now, otherwise: adapters.usageDefaultPlan }),
    metrics,
    countMeetingsByDay: (scope, from) => meetingsModule.countCreatedByDay(scope, from),
    recountStocks: async (tx) =>
      stockCounts(await emailModule.recountStorage(tx), await knowledgeModule.recountDocuments(tx)),
    licensedPlanOf: ({ tenantId }, now) =>
      planInForce({ tenantId, product: productSlugs.assistant, now, otherwise: null }),
    limitCounts: () =>
      [identityModule, vaultModule, organizationsModule, meetingsModule, tasksModule, knowledgeModule, emailModule].map(
        ({ limitCounts }) => limitCounts,
      ),
  })
  const { quotas, metering } = usageModule
  const emailModule = email({
    platform,
    clock,
    secrets,
    jobs: queue,
    rateCounter: adapters.rateCounter,
    settings: adapters.mail,
    readStockLimit: usageModule.readStockLimit,
    tellStored: usageModule.tellStored,
    events,
    audit: (scope, entry) => identityModule.audit(scope, entry),
    tenantExists: (scope, tenantId) => identityModule.tenantExists(scope, tenantId),
    subscriptions: () => tasksModule.reminders,
  })
  const identityModule = identity({
    ...adapters,
    platform,
    events,
    metrics,
    quotas,
    outbox: emailModule.outbox,
    settings: adapters.tenants,
    isEmbedded: database.kind === 'pglite',
    jobs: queue,
    authFailuresMax: adapters.rateLimits.authFailuresMax,
    unknownProducts: (scope, slugs) => catalogModule.listUnknownSlugs(scope, slugs),
    inspectLicense: (scope, question) => licensingModule.inspect(scope, question),
    tenantTables: () => tenantTables(),
  })
  const { audit, tenantExists, soleTenant } = identityModule
  const analyticsModule = analytics({
    platform,
    clock,
    log,
    secrets,
    metrics,
    isEmbedded: database.kind === 'pglite',
    retentionDays: adapters.analyticsRetentionDays,
    productExists: (scope, productId) => catalogModule.productExists(scope, productId),
  })
  const { recordVisit } = analyticsModule
  const publicRevision = createPublicRevision({
    platform,
    fanOut: adapters.fanOut,
    isShared: database.kind === 'postgres',
  })
  const publicChanged = publicRevision.changed
  const files = fileSharing({
    platform,
    clock,
    log,
    place: adapters.blobs.place,
    isShared: database.kind === 'postgres',
  })
  const contentModule = content({
    platform,
    clock,
    secrets,
    log,
    metrics,
    audit,
    jobs: queue,
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
    platform,
    clock,
    secrets,
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
    platform,
    clock,
    secrets,
    events,
    metrics,
    audit,
    tenantExists,
    unknownProducts: catalogModule.listUnknownSlugs,
  })
  const vaultModule = vault({
    platform,
    clock,
    secrets,
    events,
    metrics,
    audit,
    quotas,
    metering,
    tenantExists,
    licenses: licensingModule.licenses,
    builtInServer: adapters.builtInServer,
    fanOut: adapters.fanOut,
  })
  const organizationsModule = organizations({
    platform,
    clock,
    events,
    audit,
    quotas,
    tenantExists,
    outbox: emailModule.outbox,
    parseEmail: identityModule.parseEmail,
    exportOrganization: identityModule.exportOrganization,
  })
  const meetingsModule = meetings({
    platform,
    clock,
    log,
    events,
    metrics,
    audit,
    quotas,
    metering,
    tenantExists,
    members: organizationsModule.members,
    openAnswers: () => knowledgeModule.openAnswers,
    jobs: queue,
    fanOut: adapters.fanOut,
    languageModel: adapters.languageModel,
    ...(adapters.writing ? { writing: adapters.writing } : {}),
  })
  const tasksModule = tasks({
    platform,
    clock,
    log,
    jobs: queue,
    events,
    audit,
    quotas,
    members: organizationsModule.members,
    meetingReadableBy: meetingsModule.isMeetingReadableBy,
    actionItems: meetingsModule.actionItems,
    outbox: emailModule.outbox,
    notify: organizationsModule.notify,
    publicUrl: adapters.mail.publicUrl,
  })
  const knowledgeModule = knowledge({
    platform,
    clock,
    log,
    jobs: queue,
    events,
    metrics,
    audit,
    members: organizationsModule.members,
    metering,
    readStockLimit: usageModule.readStockLimit,
    tellStored: usageModule.tellStored,
    blobs: adapters.blobs,
    transcripts: meetingsModule.searchableTranscripts,
    languageModel: adapters.languageModel,
    embeddings: adapters.embeddings,
  })
  const inboundModule = inbound(
    {
      platform,
      clock,
      log,
      events,
      secrets,
      metrics,
      audit,
      quotas,
      tenantExists,
      soleTenant,
      jobs: queue,
      rateCounter: adapters.rateCounter,
      isEmbedded: database.kind === 'pglite',
      orgExists: organizationsModule.members.exists,
      handlers: { issue: tasksModule.handleIssue, mention: meetingsModule.handleMention, mail: emailModule.handleMail },
    },
    adapters.inbound,
  )
  const webhooksModule = webhooks({
    platform,
    clock,
    secrets,
    events,
    metrics,
    audit,
    quotas,
    tenantExists,
    jobs: queue,
    settings: adapters.webhooks,
  })
  const systemModule = system({
    version,
    clock,
    metrics,
    database,
    pingDatabase: database.ping,
    snapshotDatabase: database.snapshot,
    isDraining: () => isDraining,
    redis: adapters.redis ?? null,
    blobs: adapters.blobs,
    areFilesApart: files.isApart,
    publicProducts: catalogModule.publicProducts,
    openApi: () => openApi(),
    asyncApi: () => asyncApi(),
    audit,
    queueDepths: () => jobs.stats(),
    identityOverview: identityModule.overview,
    lastAuditEntries: identityModule.lastAuditEntries,
    licensingOverview: licensingModule.overview,
    vaultOverview: vaultModule.overview,
    usageOverview: usageModule.overview,
    failingEndpoints: webhooksModule.failingEndpoints,
    searches: [identityModule.search, licensingModule.search, vaultModule.search],
    settingReport: adapters.settingReport,
    publicChanged,
    // Products before the pages that show them.
    bundleParts: [...catalogModule.bundleParts, ...contentModule.bundleParts],
  })

  /** Those with rows of tenants. */
  const tenantModules = [
    emailModule,
    licensingModule,
    vaultModule,
    usageModule,
    organizationsModule,
    meetingsModule,
    tasksModule,
    knowledgeModule,
    inboundModule,
    webhooksModule,
  ]
  const tenantTables = (): TenantTable[] => tenantModules.flatMap((capability) => capability.tenantTables)
  const handlers: JobHandler[] = [
    housekeeping('http.answers.drop-expired', '*/5 * * * *', () => deleteExpiredAnswers(platform, clock.now())),
    ...identityModule.jobs,
    ...contentModule.jobs,
    ...analyticsModule.jobs,
    ...tenantModules.flatMap((it) => ('jobs' in it ? it.jobs : [])),
  ]
  const intervalTasks = [
    ...identityModule.intervalTasks,
    ...analyticsModule.intervalTasks,
    ...licensingModule.intervalTasks,
    { name: 'vault.sessions.end', everySeconds: sessionTickSeconds, run: vaultModule.housekeep },
    { name: 'storage.row-counts.fold', everySeconds: foldTickSeconds, run: () => foldRowCounts(platform) },
  ]
  const jobs = jobRunner({ database, queue, clock, log, ...namedWork(loop, { handlers, intervalTasks }) })
  const routes: Route[] = [
    systemModule,
    catalogModule,
    contentModule,
    analyticsModule,
    identityModule,
    ...tenantModules,
  ].flatMap((capability) => capability.routes)
  const doorRoutes = mountAtConsole(routes)
  const openApi = once(() => openApiDocument(routes, documentInfo(version), webhooksModule.operations()))
  const asyncApi = once(() => meetingsModule.asyncApi(version))
  const server = createServer({
    ...adapters,
    metrics,
    loop,
    routes: [...routes, ...doorRoutes],
    publicRevision,
    authenticator: { ...identityModule.authenticator, ...vaultModule.authenticator },
    handle: database.handle,
    onAnswered: usageModule.onAnswered,
  })

  return {
    server,
    routes,
    /** The same operations for pages of the console; the API reference does not list them again. */
    doorRoutes,
    openApi,
    asyncApi,
    platform,
    /** Background work. `main.ts` starts it after the server listens. */
    jobs,
    /** Whether the nodes see each other's uploaded files. `main.ts` starts it. */
    files,
    tenantTables: [...identityModule.tenantTables, ...tenantTables()],
    /** Creates what must exist before the first request. Several nodes may call it at once. */
    prepare: async () => {
      await confirmMasterKey(platform, secrets.check, clock.now())
      await jobs.prepare()
      await identityModule.prepare()
      await emailModule.prepare()
      await catalogModule.seed()
      await contentModule.prepare()
      await vaultModule.prepare()
      await analyticsModule.prepare()
      await inboundModule.prepare()
    },
    /** Opens the console at this origin, once; null if an administrator has a named key. */
    firstSignInLink: identityModule.firstSignInLink,
    /** For tests, which count uses without a request. */
    metering: usageModule.metering,
    /** For tests, which move the clock: does what cron and the interval tasks with such names do, at once and on this node. */
    housekeep: (begin = '') => runHousekeeping({ intervalTasks, handlers, platform, clock }, begin),
    /** From now on `/health` tells load balancers to use other nodes. Requests are still served. */
    drain: () => {
      isDraining = true
      vaultModule.drain()
    },
    /** Writes buffered data and ends threads. Call it after the server has closed and before the database is closed. */
    flush: async () => {
      const flushed = [
        identityModule,
        licensingModule,
        analyticsModule,
        usageModule,
        meetingsModule,
        tasksModule,
        knowledgeModule,
      ]
      await Promise.all(flushed.map((capability) => capability.flush()))
    },
  }
}

type Counted = { counted: number; expected: number }

/** What mails and documents take counts together. */
function stockCounts(mails: Counted, { bytes, documents }: { bytes: Counted; documents: Counted }) {
  const counted = mails.counted + bytes.counted
  const expected = mails.expected + bytes.expected
  return [
    { meter: 'storageBytes' as const, counted, expected },
    { meter: 'documents' as const, ...documents },
  ]
}
