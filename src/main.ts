import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Adapters } from './adapters.ts'
import type { App } from './app.ts'
import { buildChangedFiles } from './built-files.ts'
import { helpHint, printsHelp } from './command-help.ts'
import { type Config, readConfig, settings, weakAdminKey } from './config/config.ts'
import { mistyped } from './config/mistyped-settings.ts'
import { settingReport } from './config/setting-report.ts'
import type { MailboxReader, MailListener } from './email/index.ts'
import { type AdminKey, greeting } from './greeting.ts'
import { memoryRateCounter } from './http/limits/rate-limit.ts'
import { sharedRateCounter } from './http/limits/shared-rate-counter.ts'
import { systemClock } from './kernel/clock.ts'
import { openLog } from './log.ts'
import { announceAddress, withdrawAddress } from './storage/address-file.ts'
import type { Blobs } from './storage/blobs/blobs.ts'
import { diskBlobs } from './storage/blobs/disk.ts'
import { openDatabase } from './storage/database.ts'
import { memoryFanOut } from './storage/fan-out.ts'
import { loadOrCreateKey } from './storage/key-file.ts'
import { createSecrets } from './storage/secrets.ts'
import { explained } from './system-fault.ts'

// Supervisors kill after 10 s (Docker) or more; running requests are done in far less.
const patienceMs = 6000
const drainMsMax = 25_000
// Connections that wait to be accepted. With Node's 511 a burst from one address would delay others by seconds; the system
// may allow fewer (`net.core.somaxconn`).
const backlog = 4096

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

async function start(config: Config): Promise<void> {
  // The embedded database is compiled on other threads while this one loads the modules.
  const [opened, { createApp }] = await Promise.all([open(config), import('./app.ts')])
  const { adapters, dataFolder, adminKey } = opened
  const { database } = adapters
  const app = createApp(adapters)
  await app.prepare()
  const address = await app.server.listen({ host: config.host, port: config.port, backlog })
  if (database.kind === 'pglite') await announceAddress(dataFolder, address)
  await app.files.start()
  const blobPlace = adapters.blobs.place
  // Only for a person who sits here: a link in a log would let in everybody who reads the log.
  const isPersonal = process.stdout.isTTY && database.kind === 'pglite'
  const signInLink = isPersonal ? await app.firstSignInLink(address) : null
  process.stdout.write(greeting({ version, address, config, dataFolder, adminKey, blobPlace, signInLink }))
  app.jobs.start()
  const mail = await app.listenForMail()
  // Not awaited: a signal in between would end the process without a drain.
  const mailboxes = app.mailboxes.start()
  const stop = stopperOf(app, { ...opened, mail, mailboxes }, config.drainSeconds)
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))
}

type Opened = {
  adapters: Adapters
  dataFolder: string
  adminKey: AdminKey
  closeShared(): void
}

/** The outside world as the settings describe it. */
async function open(config: Config): Promise<Opened> {
  const log = openLog(config.logLevel)
  const dataFolder = resolve(config.dataFolder)
  const masterKey =
    config.masterKey ??
    (await loadOrCreateKey(dataFolder, 'master-key', { ...settings.masterKey[1], make: newMasterKey })).value
  const adminKey = await adminKeyOf(config, dataFolder)
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataFolder,
    poolMax: config.databasePoolMax,
    log,
    progress: (text) => process.stdout.write(`${text}\n`),
  })
  const { rateLimitWindowSeconds: windowSeconds, rateLimitMax, rateLimitAuthFailures } = config
  const shared = config.redisUrl === null ? alone(windowSeconds) : await sharedAt(config.redisUrl, windowSeconds, log)
  const adapters = {
    version,
    settingReport: settingReport(process.env, { config, adminKey }),
    database,
    log,
    clock: systemClock,
    secrets: createSecrets(Buffer.from(masterKey, 'hex')),
    adminKey: adminKey.value,
    fanOut: shared.fanOut,
    blobs: await blobsOf(config, join(dataFolder, 'media')),
    requestLog: { slowMs: config.logSlowMs, sampleOneOf: config.logSample },
    rateCounter: shared.rateCounter,
    redis: shared.redis,
    rateLimits: { requestsMax: rateLimitMax, authFailuresMax: rateLimitAuthFailures, windowSeconds },
    publicCache: { maxAgeSeconds: config.publicMaxAgeSeconds, cacheBytesMax: config.publicCacheMb * 1024 * 1024 },
    trustedProxies: config.trustedProxies,
    pageOrigins: config.pageOrigins,
    door: { isInsecureAllowed: config.browserInsecure === 'true' },
    connections: {
      connectionsMax: config.connectionsMax,
      connectionsPerAddressMax: config.connectionsPerAddressMax,
    },
    sockets: {
      socketsMax: config.socketsMax,
      socketsPerUserMax: config.socketsPerUserMax,
      socketsPerTenantMax: config.socketsPerTenantMax,
      origins: config.socketOrigins,
    },
    tenants: {
      defaultLimits: defaultLimitsOf(config),
      isPlatformRegistrationOpen: config.platformRegistration === 'open',
    },
    builtInServer: builtInServerOf(config),
    mail: mailOf(config),
    email: receivingOf(config),
    auditRetentionDays: config.auditRetentionDays,
    analyticsRetentionDays: config.analyticsRetentionDays,
    google: { clientIds: config.googleClientIds, jwksUrl: config.googleJwksUrl },
    languageModel: languageModelOf(config),
    embeddings: embeddingsOf(config),
    usageDefaultPlan: config.usageDefaultPlan,
    meetingHosts: config.botMeetingHosts,
    botVendorEndpoints: await vendorEndpointsOf(config, log),
    inbound: { environment: { tenant: config.inboundTenant, values: config.inboundSecrets } },
    webhooks: { allowPrivate: config.webhookAllowPrivate === 'true' },
    integrations: await integrationsOf(config, log),
  }
  return { adapters, dataFolder, adminKey, closeShared: shared.close }
}

/** Drains, stops and ends the process; asked a second time it ends at once. */
function stopperOf(
  app: App,
  {
    adapters,
    dataFolder,
    closeShared,
    mail,
    mailboxes,
  }: Opened & { mail: MailListener | null; mailboxes: Promise<MailboxReader> },
  drainSeconds: number,
) {
  const { log, database } = adapters
  let isStopping = false
  return async (signal: string): Promise<void> => {
    if (isStopping) process.exit(1) // a second signal means: do not wait
    isStopping = true
    log.info({ signal }, 'draining')
    app.drain()
    await delay(drainSeconds * 1000)
    setTimeout(() => process.exit(1), drainSeconds * 1000 + drainMsMax).unref()
    // A request that never arrives completely must not prevent the last writes.
    const impatience = setTimeout(() => app.server.server.closeAllConnections(), patienceMs)
    await Promise.all([
      app.server.close(),
      mail?.close(),
      mailboxes.then((it) => it.close()),
      app.jobs.stop(patienceMs),
    ])
    clearTimeout(impatience)
    await Promise.all([app.flush(), app.files.stop()])
    closeShared()
    if (database.kind === 'pglite') await withdrawAddress(dataFolder)
    await database.close()
    log.info({}, 'stopped')
    process.exit(0)
  }
}

/** What several nodes share. */
type Shared = Required<Pick<Adapters, 'rateCounter' | 'fanOut' | 'redis'>> & { close(): void }

function alone(windowSeconds: number): Shared {
  const rateCounter = memoryRateCounter(windowSeconds)
  return { rateCounter, fanOut: memoryFanOut(), redis: null, close: () => undefined }
}

/** Loads the client only where it is used: that takes 0.15 s. */
async function sharedAt(url: string, windowSeconds: number, log: Adapters['log']): Promise<Shared> {
  const [{ openRedis }, { redisFanOut }] = await Promise.all([
    import('./storage/redis.ts'),
    import('./storage/redis-fan-out.ts'),
  ])
  const redis = await openRedis({ url })
  const fanOut = redisFanOut(url)
  const close = () => {
    redis.close()
    fanOut.close()
  }
  return { rateCounter: sharedRateCounter({ redis, windowSeconds, log }), fanOut, redis, close }
}

/** In the data folder, or in the bucket that is configured; the client is loaded only for that. */
async function blobsOf(config: Config, folder: string): Promise<Blobs> {
  const {
    s3Bucket: bucket,
    s3Endpoint: endpoint,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
  } = config
  if (bucket === null || endpoint === null || accessKeyId === null || secretAccessKey === null) return diskBlobs(folder)
  const { s3Blobs } = await import('./storage/blobs/s3.ts')
  return s3Blobs({ bucket, endpoint, accessKeyId, secretAccessKey, region: config.s3Region }, join(folder, 'drafts'))
}

function newMasterKey(): string {
  return randomBytes(32).toString('hex')
}

async function adminKeyOf({ adminKey }: Config, dataFolder: string): Promise<AdminKey> {
  if (adminKey !== null) return { value: adminKey, from: 'environment' }
  const make = () => `atradmin_${randomBytes(24).toString('base64url')}`
  const { value, isNew } = await loadOrCreateKey(dataFolder, 'admin-key', { ...settings.adminKey[1], make })
  return { value, from: isNew ? 'new' : 'kept' }
}

function defaultLimitsOf(config: Config) {
  return {
    maxUsers: config.tenantMaxUsers,
    maxApiKeys: config.tenantMaxApiKeys,
    maxDevices: config.tenantMaxDevices,
    maxDevicesPerUser: config.tenantMaxDevicesPerUser,
    maxActiveSessions: config.tenantMaxActiveSessions,
    maxMeetings: config.tenantMaxMeetings,
    maxOrgs: config.tenantMaxOrgs,
    maxOrgMembers: config.tenantMaxOrgMembers,
    maxTasks: config.tenantMaxTasks,
    maxDocuments: config.tenantMaxDocuments,
    maxStorageBytes: config.tenantMaxStorageBytes,
    maxIntegrations: config.tenantMaxIntegrations,
    maxLiveBots: config.tenantMaxLiveBots,
    maxMailsPerDay: config.tenantMaxMailsPerDay,
  }
}

function builtInServerOf(config: Config) {
  return {
    name: 'built-in',
    region: config.vpnRegion,
    publicIp: config.vpnPublicIp,
    endpointHost: config.vpnEndpointHost ?? config.vpnPublicIp,
    endpointPort: config.vpnEndpointPort,
    publicKey: config.vpnPublicKey,
    subnet4: config.vpnSubnet4,
    subnet6: config.vpnSubnet6,
    dns: config.vpnDns,
    mtu: 1420, // WireGuard's usual 1500 less 80 bytes of its own headers over IPv6
    capacity: config.vpnCapacity,
  }
}

function mailOf({ smtpUrl, mailFrom, publicUrl }: Config) {
  return { smtp: smtpUrl === null || mailFrom === null ? null : { url: smtpUrl, from: mailFrom }, publicUrl }
}

function receivingOf({ emailDomain, emailSmtpPort, emailLmtpPort, emailTlsCert, emailTlsKey, host }: Config) {
  return {
    domain: emailDomain,
    host,
    smtpPort: emailSmtpPort,
    lmtpPort: emailLmtpPort,
    tls: emailTlsCert === null || emailTlsKey === null ? null : { cert: emailTlsCert, key: emailTlsKey },
  }
}

function languageModelOf({ llmBaseUrl, llmApiKey, llmModel, ...config }: Config) {
  if (llmBaseUrl === null || llmModel === null) return null
  return {
    baseUrl: llmBaseUrl,
    apiKey: llmApiKey,
    model: llmModel,
    timeoutMs: config.llmTimeoutSeconds * 1000,
    tokensPerDay: config.llmTokensPerDay,
    inputTokensMax: config.llmInputTokens,
  }
}

/** Without PUBLIC_URL a service that listens on this machine alone is reached where it listens. */
async function integrationsOf(config: Config, log: Adapters['log']) {
  const { readIntegrationSettings } = await import('./integrations/index.ts')
  const appsText = config.oauthApps === null ? null : readFileSync(config.oauthApps, 'utf8')
  const settings = readIntegrationSettings(appsText, config.providerEndpoints)
  for (const [provider, endpoint] of settings.endpoints)
    log.warn({ provider, endpoint }, 'the provider is asked at another address (PROVIDER_ENDPOINTS)')
  const isLocal = ['127.0.0.1', 'localhost', '::1'].includes(config.host) && config.port !== 0
  const ownAddress = isLocal ? `http://localhost:${config.port}` : null
  return { ...settings, publicUrl: config.publicUrl ?? ownAddress }
}

async function vendorEndpointsOf(config: Config, log: Adapters['log']) {
  const { readVendorEndpoints } = await import('./bots/index.ts')
  const endpoints = readVendorEndpoints(config.botVendorEndpoints)
  for (const [vendor, endpoint] of endpoints)
    log.warn({ vendor, endpoint }, 'the vendor of bots is asked at another address (BOT_VENDOR_ENDPOINTS)')
  return endpoints
}

function embeddingsOf({ embeddingsBaseUrl: baseUrl, embeddingsApiKey: apiKey, embeddingsModel: model }: Config) {
  return baseUrl === null || model === null ? null : { baseUrl, apiKey, model }
}

process.on('unhandledRejection', (error) => {
  process.stderr.write(`Unexpected error: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})

/** Arguments are refused: somebody who writes `npm start -- --port 80` means something by it. */
function readArguments(args: string[]): void {
  if (printsHelp('start', args)) process.exit(0)
  if (args.length > 0)
    throw new Error(`There is no option ${args[0]}: settings are read from the environment. ${helpHint('start')}`)
}

let config: Config | null = null
try {
  readArguments(process.argv.slice(2))
  config = readConfig(process.env)
  for (const line of [...mistyped(process.env), weakAdminKey(config)])
    if (line !== null) process.stderr.write(`${line}\n`)
  // Only for `npm start`: tests and supervisors start what is there.
  if (process.env['npm_lifecycle_event'] === 'start') buildChangedFiles((text) => process.stdout.write(text))
  await start(config)
} catch (error) {
  process.stderr.write(`Atrium did not start.\n${explained(error, config)}\n`)
  process.exit(1)
}
