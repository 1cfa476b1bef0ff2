import { analytics } from './analytics/index.ts'
import { catalog } from './catalog/index.ts'
import { content } from './content/index.ts'
import { email, type MailSettings } from './email/index.ts'
import { deleteExpiredAnswers } from './http/idempotency.store.ts'
import type { RateCounter } from './http/limits/rate-limit.ts'
import { type DocumentInfo, openApiDocument } from './http/openapi/openapi.ts'
import type { Route } from './http/route.ts'
import { createServer } from './http/server.ts'
import type { Log, PublicCacheSettings, RateLimits, RequestLog } from './http/server-deps.ts'
import type { SocketSettings } from './http/sockets/socket-declaration.ts'
import { type GoogleSettings, identity } from './identity/index.ts'
import { type InboundSettings, inbound } from './inbound/index.ts'
import { housekeeping, type JobHandler, type JobRun } from './jobs/jobs.ts'
import { jobQueue } from './jobs/queue.ts'
import { deleteDoneJobsHourly, jobRunner } from './jobs/runner.ts'
import { systemCaller } from './kernel/caller.ts'
import type { Clock } from './kernel/clock.ts'
import { newId } from './kernel/ids.ts'
import { metricsRegistry } from './kernel/metrics.ts'
import { once } from './kernel/once.ts'
import { licensing } from './licensing/index.ts'
import { type ModelSettings, meetings, type WriterOptions } from './meetings/index.ts'
import type { Blobs } from './storage/blobs/blobs.ts'
import type { Database } from './storage/database.ts'
import { eventBus } from './storage/events.ts'
import type { FanOut } from './storage/fan-out.ts'
import { confirmMasterKey } from './storage/installation.store.ts'
import { mintPlatformScope } from './storage/mint.ts'
import { createPublicRevision } from './storage/public-revision.ts'
import { foldRowCounts } from './storage/row-counts.ts'
import type { PlatformScope } from './storage/scope.ts'
import type { Secrets } from './storage/secrets.ts'
import { system } from './system/index.ts'
import { tasks } from './tasks/index.ts'
import { usage } from './usage/index.ts'
import { type BuiltInServer, vault } from './vault/index.ts'
import { type WebhookSettings, webhooks } from './webhooks/index.ts'

export type Adapters = {
  version: string
  database: Database
  secrets: Secrets
  adminKey: string
  clock: Clock
  log: Log
  requestLog: RequestLog
  rateCounter: RateCounter
  fanOut: FanOut
  blobs: Blobs
  rateLimits: RateLimits
  publicCache: PublicCacheSettings
  trustedProxies: string[]
  pageOrigins: string[]
  sockets?: Partial<SocketSettings>
  builtInServer: BuiltInServer
  mail: MailSettings
  auditRetentionDays: number
  analyticsRetentionDays: number
  google: GoogleSettings
  languageModel: ModelSettings | null
  inbound?: Partial<InboundSettings>
  writing?: Partial<WriterOptions>
  webhooks: WebhookSettings
}

export type App = ReturnType<typeof createApp>

// The rules that end VPN sessions count seconds; whichever node is first looks for all.
const sessionTickSeconds = 5
const foldTickSeconds = 10

/** The whole wiring: adapters in, a server out. Tests call it with the same adapters and a clock of their own. */
export function createApp(adapters: Adapters) {
  const { version, database, secrets, clock, log } = adapters
  const platform = mintPlatformScope(database.handle, systemCaller)
  const events = eventBus()
  const metrics = metricsRegistry()
  const queue = jobQueue(clock)
  let isDraining = false

  const metering = usage({
    ...{ platform, clock, log, events },
    tenantExists: (scope, tenantId) => people.tenantExists(scope, tenantId),
  })
  const { quotas } = metering
  const mail = email({
    ...{ platform, clock, secrets, jobs: queue, rateCounter: adapters.rateCounter, settings: adapters.mail },
    audit: (scope, entry) => people.audit(scope, entry),
  })
  const people = identity({
    ...adapters,
    ...{ platform, events, metrics, quotas, outbox: mail.outbox, jobs: queue },
    authFailuresMax: adapters.rateLimits.authFailuresMax,
    unknownProducts: (scope, slugs) => products.listUnknownSlugs(scope, slugs),
    inspectLicense: (scope, question) => licenses.inspect(scope, question),
    tenantTables: () => [
      ...mail.tenantTables,
      ...licenses.tenantTables,
      ...vpn.tenantTables,
      ...metering.tenantTables,
      ...assistant.tenantTables,
      ...tracked.tenantTables,
      ...received.tenantTables,
      ...outbound.tenantTables,
    ],
  })
  const { audit, tenantExists, soleTenant } = people
  const traffic = analytics({
    ...{ platform, clock, log, secrets, metrics },
    isEmbedded: database.kind === 'pglite',
    retentionDays: adapters.analyticsRetentionDays,
    productExists: (scope, productId) => products.productExists(scope, productId),
  })
  const { recordVisit } = traffic
  const publicRevision = createPublicRevision({
    platform,
    fanOut: adapters.fanOut,
    isShared: database.kind === 'postgres',
  })
  const publicChanged = publicRevision.changed
  const site = content({
    ...{ platform, clock, secrets, log, metrics, audit, jobs: queue, publicChanged, recordVisit },
    blobs: adapters.blobs,
    unknownProducts: (scope, slugs) => products.listUnknownSlugs(scope, slugs),
    draftProducts: (scope, slugs) => products.listDraftSlugs(scope, slugs),
    products: (scope, slugs) => products.findPublicBySlug(scope, slugs),
    publicUrl: adapters.mail.publicUrl,
    sitemapSources: () => products.sitemapSources,
  })
  const products = catalog({
    ...{ platform, clock, secrets, audit, publicChanged, recordVisit },
    ...{ media: site.media, findMediaByDigest: site.findMediaByDigest },
    inspectLicense: (scope, question) => licenses.inspect(scope, question),
    isProductInUse: async (tx, slug) =>
      (await people.isProductOfKeys(tx, slug)) || (await licenses.isProductLicensed(tx, slug)),
  })
  const licenses = licensing({
    platform,
    clock,
    secrets,
    events,
    metrics,
    audit,
    tenantExists,
    unknownProducts: products.listUnknownSlugs,
  })
  const vpn = vault({
    platform,
    clock,
    secrets,
    events,
    metrics,
    audit,
    quotas,
    licenses: licenses.licenses,
    builtInServer: adapters.builtInServer,
    fanOut: adapters.fanOut,
  })
  const assistant = meetings({
    ...{ platform, clock, log, events, metrics, audit, quotas, jobs: queue },
    fanOut: adapters.fanOut,
    languageModel: adapters.languageModel,
    ...(adapters.writing ? { writing: adapters.writing } : {}),
  })
  const tracked = tasks({ clock })
  const received = inbound(
    {
      ...{ platform, clock, log, events, secrets, metrics, audit, quotas, tenantExists, soleTenant, jobs: queue },
      rateCounter: adapters.rateCounter,
      isEmbedded: database.kind === 'pglite',
      handlers: { issue: tracked.handleIssue, mention: assistant.handleMention, mail: mail.handleMail },
    },
    adapters.inbound,
  )
  const outbound = webhooks({
    ...{ platform, clock, secrets, events, metrics, audit, quotas, tenantExists, jobs: queue },
    settings: adapters.webhooks,
  })
  const utility = system({
    version,
    clock,
    metrics,
    database,
    pingDatabase: database.ping,
    snapshotDatabase: database.snapshot,
    isDraining: () => isDraining,
    publicProducts: products.publicProducts,
    openApi: () => openApi(),
    audit,
    queueDepths: () => jobs.stats(),
    publicChanged,
    // What is sold before what tells of it.
    bundleParts: [...products.bundleParts, ...site.bundleParts],
  })

  const handlers: JobHandler[] = [
    housekeeping('http.answers.drop-expired', '*/5 * * * *', () => deleteExpiredAnswers(platform, clock.now())),
    ...people.jobs,
    ...mail.jobs,
    ...site.jobs,
    ...traffic.jobs,
    ...metering.jobs,
    ...assistant.jobs,
    ...received.jobs,
    ...outbound.jobs,
    ...vpn.jobs,
  ]
  const intervalTasks = [
    ...people.intervalTasks,
    ...traffic.intervalTasks,
    ...licenses.intervalTasks,
    { name: 'vault.sessions.end', everySeconds: sessionTickSeconds, run: vpn.housekeep },
    { name: 'storage.row-counts.fold', everySeconds: foldTickSeconds, run: () => foldRowCounts(platform) },
  ]
  const jobs = jobRunner({ database, queue, handlers, intervalTasks, clock, log })
  const routes: Route[] = [
    utility,
    products,
    site,
    traffic,
    metering,
    people,
    mail,
    licenses,
    vpn,
    assistant,
    received,
    outbound,
  ].flatMap((capability) => capability.routes)
  const openApi = once(() => openApiDocument(routes, documentInfo(version)))
  const server = createServer({
    ...adapters,
    metrics,
    routes,
    publicRevision,
    authenticator: { ...people.authenticator, ...vpn.authenticator },
    handle: database.handle,
    onAnswered: metering.onAnswered,
  })

  return {
    server,
    routes,
    openApi,
    platform,
    /** Started by whoever wants work done in this process: `main.ts`, after the server listens. */
    jobs,
    tenantTables: [people, mail, licenses, vpn, metering, assistant, tracked, received, outbound].flatMap(
      (capability) => capability.tenantTables,
    ),
    /** Makes what must exist before the first request; safe when several nodes start at once. */
    prepare: async () => {
      await confirmMasterKey(platform, secrets.check, clock.now())
      await jobs.prepare()
      await people.prepare()
      await mail.prepare()
      await products.seed()
      await site.prepare()
      await vpn.prepare()
      await traffic.prepare()
      await received.prepare()
    },
    /** For tests, which move the clock: does what cron and the interval tasks do, at once and on this node. */
    housekeep: async () => {
      // One that fails keeps none of the others from its work.
      const outcomes = await Promise.allSettled([
        ...intervalTasks.map((task) => task.run()),
        ...[...handlers, deleteDoneJobsHourly]
          .filter(({ kind }) => kind.cron !== undefined)
          .map(({ handle }) => handle(onlyRun(newId(clock.now()), platform))),
      ])
      const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Error)
      if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '))
    },
    /** From now on `/health` tells balancers to go elsewhere; requests are still served. */
    drain: () => {
      isDraining = true
      vpn.drain()
    },
    /** Writes what is written late. After the server has closed, before the database does. */
    flush: async () => {
      await Promise.all([people.flush(), licenses.flush(), traffic.flush(), metering.flush(), assistant.flush()])
    },
  }
}

/** Of a job that was not enqueued. */
function onlyRun(id: string, scope: PlatformScope): JobRun<object> {
  return { id, data: {}, scope, attempt: 1, isLastAttempt: true, signal: new AbortController().signal }
}

function documentInfo(version: string): DocumentInfo {
  return {
    version,
    title: 'Atrium',
    description:
      'A multi-tenant platform service: several products behind one base address.\n\nErrors are `application/problem+json` with a stable `code` (see `/docs/errors`). Lists take `page` and `limit`. Times are ISO 8601 in UTC. Ids are UUIDv7; an unknown, a malformed and another tenant’s id all answer 404. A POST that creates or consumes takes an `Idempotency-Key`. Pages of other origins may call from a browser (CORS), unless the operator lists those that may; public reads all may.',
    tags: [
      { name: 'Utility', description: 'Home and health.' },
      { name: 'Products', description: 'The public catalog.' },
      { name: 'Product docs', description: 'The documentation of the products in the catalog.' },
      { name: 'Content', description: 'The public pages, homepage slots and content blocks.' },
      { name: 'Catalog administration', description: 'Products and everything that belongs to them.' },
      { name: 'Content administration', description: 'Pages, slots and blocks: drafts, revisions, publishing.' },
      { name: 'Media', description: 'Uploaded files.' },
      { name: 'Analytics', description: 'What was read and used, counted by day.' },
      { name: 'Tenants', description: 'Administration of tenants.' },
      { name: 'API keys', description: 'The keys of a tenant.' },
      { name: 'Administration', description: 'Admin keys, users, the audit log, and why a caller is refused.' },
      { name: 'Jobs', description: 'Work that is done later, seen by an administrator.' },
      { name: 'Users', description: 'Register, log in, and the own account.' },
      { name: 'Licenses', description: 'Plans, keys, validation and use.' },
      { name: 'Devices', description: 'WireGuard peers and their configuration.' },
      { name: 'VPN sessions', description: 'Connect and disconnect; each session takes one use of a license.' },
      { name: 'VPN servers', description: 'Where devices are placed.' },
      { name: 'VPN nodes', description: 'What the agent on a VPN server says and asks.' },
      { name: 'Meetings', description: 'Meetings, what was said in them, and what is made of it.' },
      { name: 'Inbound webhooks', description: 'What other services deliver: who may, what came, what became of it.' },
      { name: 'Webhooks', description: 'Events that are sent to a tenant, signed.' },
      { name: 'Documentation', description: 'This reference and what it is made from.' },
    ],
  }
}
