import type { Adapters } from './adapters.ts'
import { createCapabilities } from './capabilities.ts'
import { documentInfo } from './document-info.ts'
import { deleteExpiredAnswers } from './http/idempotency.store.ts'
import { loopWatch } from './http/loop-watch.ts'
import { mountAtConsole } from './http/mounts.ts'
import { openApiDocument } from './http/openapi/openapi.ts'
import type { Route } from './http/route.ts'
import { createServer } from './http/server.ts'
import { runHousekeeping } from './jobs/housekeep.ts'
import { housekeeping, type JobHandler } from './jobs/jobs.ts'
import { namedWork } from './jobs/named-work.ts'
import { jobQueue } from './jobs/queue.ts'
import { jobRunner } from './jobs/runner.ts'
import { systemCaller } from './kernel/caller.ts'
import { metricsRegistry } from './kernel/metrics.ts'
import { once } from './kernel/once.ts'
import { fileSharing } from './storage/blobs/file-sharing.ts'
import { eventBus } from './storage/events.ts'
import { confirmMasterKey } from './storage/installation.store.ts'
import { mintPlatformScope } from './storage/mint.ts'
import { createPublicRevision } from './storage/public-revision.ts'
import { foldRowCounts } from './storage/row-counts.ts'
import { watchedHandle } from './storage/watched-handle.ts'
import { system } from './system/index.ts'

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
  const capabilities = createCapabilities(adapters, {
    platform,
    metrics,
    events,
    queue,
    isEmbedded: database.kind === 'pglite',
    publicChanged,
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
    publicProducts: capabilities.catalog.publicProducts,
    openApi: () => openApi(),
    asyncApi: () => asyncApi(),
    audit: capabilities.identity.audit,
    queueDepths: () => jobs.stats(),
    identityOverview: capabilities.identity.overview,
    lastAuditEntries: capabilities.identity.lastAuditEntries,
    licensingOverview: capabilities.licensing.overview,
    vaultOverview: capabilities.vault.overview,
    usageOverview: capabilities.usage.overview,
    failingEndpoints: capabilities.webhooks.failingEndpoints,
    searches: [capabilities.identity.search, capabilities.licensing.search, capabilities.vault.search],
    settingReport: adapters.settingReport,
    publicChanged,
    // Products before the pages that show them.
    bundleParts: [...capabilities.catalog.bundleParts, ...capabilities.content.bundleParts],
  })

  const handlers: JobHandler[] = [
    housekeeping('http.answers.drop-expired', '*/5 * * * *', () => deleteExpiredAnswers(platform, clock.now())),
    ...capabilities.identity.jobs,
    ...capabilities.console.jobs,
    ...capabilities.content.jobs,
    ...capabilities.analytics.jobs,
    ...capabilities.ofTenants.flatMap((it) => ('jobs' in it ? it.jobs : [])),
  ]
  const intervalTasks = [
    ...capabilities.identity.intervalTasks,
    ...capabilities.analytics.intervalTasks,
    ...capabilities.licensing.intervalTasks,
    ...capabilities.bots.intervalTasks,
    { name: 'vault.sessions.end', everySeconds: sessionTickSeconds, run: capabilities.vault.housekeep },
    { name: 'storage.row-counts.fold', everySeconds: foldTickSeconds, run: () => foldRowCounts(platform) },
  ]
  const jobs = jobRunner({ database, queue, clock, log, ...namedWork(loop, { handlers, intervalTasks }) })
  const routes: Route[] = [
    systemModule,
    capabilities.catalog,
    capabilities.content,
    capabilities.analytics,
    capabilities.identity,
    capabilities.console,
    ...capabilities.ofTenants,
  ].flatMap((capability) => ('routes' in capability ? capability.routes : []))
  const doorRoutes = mountAtConsole(routes)
  const openApi = once(() => openApiDocument(routes, documentInfo(version), capabilities.webhooks.operations()))
  const asyncApi = once(() => capabilities.meetings.asyncApi(version))
  const server = createServer({
    ...adapters,
    metrics,
    loop,
    routes: [...routes, ...doorRoutes],
    publicRevision,
    authenticator: {
      ...capabilities.identity.authenticator,
      ...capabilities.console.authenticator,
      ...capabilities.vault.authenticator,
      ...capabilities.bots.authenticator,
    },
    handle: database.handle,
    onAnswered: capabilities.usage.onAnswered,
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
    /** Takes mail for our addresses. `main.ts` starts it after the server listens; null where it is not set up. */
    listenForMail: capabilities.email.listen,
    /** Mailboxes that are read by IMAP. `main.ts` starts it after the server listens. */
    mailboxes: capabilities.email.mailboxes,
    tenantTables: [...capabilities.identity.tenantTables, ...capabilities.tenantTables()],
    /** Creates what must exist before the first request. Several nodes may call it at once. */
    prepare: async () => {
      await confirmMasterKey(platform, secrets.check, clock.now())
      await jobs.prepare()
      await capabilities.identity.prepare()
      await capabilities.mails.prepare()
      await capabilities.catalog.seed()
      await capabilities.content.prepare()
      await capabilities.vault.prepare()
      await capabilities.analytics.prepare()
      await capabilities.inbound.prepare()
    },
    /** Opens the console at this origin, once; null if an administrator has a named key. */
    firstSignInLink: capabilities.console.firstSignInLink,
    /** For tests, which count uses without a request. */
    metering: capabilities.usage.metering,
    /** For tests, which move the clock: does what cron and the interval tasks with such names do, at once and on this node. */
    housekeep: (begin = '') => runHousekeeping({ intervalTasks, handlers, platform, clock }, begin),
    /** From now on `/health` tells load balancers to use other nodes. Requests are still served. */
    drain: () => {
      isDraining = true
      capabilities.vault.drain()
      capabilities.bots.drain()
    },
    /** Writes buffered data and ends workers. Call it after the server has closed and before the database is closed. */
    flush: async () => {
      const flushed = [
        capabilities.identity,
        capabilities.licensing,
        capabilities.analytics,
        capabilities.usage,
        capabilities.meetings,
        capabilities.tasks,
        capabilities.knowledge,
      ]
      await Promise.all(flushed.map((capability) => capability.flush()))
    },
  }
}
