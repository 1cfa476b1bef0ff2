import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createApp } from './app.ts'
import { BadConfig, type Config, readConfig, settings } from './config.ts'
import { memoryRateCounter } from './http/rate-limit.ts'
import { sharedRateCounter } from './http/shared-rate-counter.ts'
import { systemClock } from './kernel/clock.ts'
import { openLog } from './log.ts'
import { announceAddress, withdrawAddress } from './storage/address-file.ts'
import { openDatabase } from './storage/database.ts'
import { type FanOut, memoryFanOut } from './storage/fan-out.ts'
import { keptKey } from './storage/kept-key.ts'
import type { Redis } from './storage/redis.ts'
import { secretsOf } from './storage/secrets.ts'

// Supervisors kill after 10 s (Docker) or more; running requests are done in far less.
const patienceMs = 6000
const drainMsMax = 25_000

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

async function start(config: Config): Promise<void> {
  const log = openLog(config.logLevel)
  const dataFolder = resolve(config.dataFolder)
  const masterKey =
    config.masterKey ??
    (await keptKey(dataFolder, 'master-key', { ...settings.masterKey[1], make: newMasterKey })).value
  const admin =
    config.adminKey === null
      ? await keptKey(dataFolder, 'admin-key', { ...settings.adminKey[1], make: newAdminKey })
      : { value: config.adminKey, isNew: false }
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataFolder,
    poolMax: config.databasePoolMax,
    log,
  })
  const redis = config.redisUrl === null ? null : await redisAt(config.redisUrl)
  const fanOut = config.redisUrl === null ? memoryFanOut() : await fanOutAt(config.redisUrl)
  const windowSeconds = config.rateLimitWindowSeconds
  const app = createApp({
    version,
    database,
    secrets: secretsOf(Buffer.from(masterKey, 'hex')),
    adminKey: admin.value,
    clock: systemClock,
    log,
    fanOut,
    requestLog: { slowMs: config.logSlowMs, sampleOneOf: config.logSample },
    rateCounter: redis ? sharedRateCounter({ redis, windowSeconds, log }) : memoryRateCounter(windowSeconds),
    rateLimits: {
      requestsMax: config.rateLimitMax,
      authFailuresMax: config.rateLimitAuthFailures,
      windowSeconds,
    },
    trustedProxies: config.trustedProxies,
    builtInServer: builtInServerOf(config),
    mail: mailOf(config),
    auditRetentionDays: config.auditRetentionDays,
    google: { clientIds: config.googleClientIds, jwksUrl: config.googleJwksUrl },
  })
  await app.prepare()
  const address = await app.server.listen({ host: config.host, port: config.port })
  if (database.kind === 'pglite') await announceAddress(dataFolder, address)
  greet(address, { adminKey: admin.isNew ? admin.value : null, dataFolder, databaseKind: database.kind })

  app.jobs.start()

  let isStopping = false
  const stop = async (signal: string): Promise<void> => {
    if (isStopping) process.exit(1) // asked twice: whoever asks does not want to wait
    isStopping = true
    log.info({ signal }, 'draining')
    app.drain()
    await delay(config.drainSeconds * 1000)
    setTimeout(() => process.exit(1), config.drainSeconds * 1000 + drainMsMax).unref()
    // A request that never finishes arriving must not keep what is to be written from being written.
    const impatience = setTimeout(() => app.server.server.closeAllConnections(), patienceMs)
    await Promise.all([app.server.close(), app.jobs.stop(patienceMs)])
    clearTimeout(impatience)
    await app.flush()
    redis?.close()
    fanOut.close()
    if (database.kind === 'pglite') await withdrawAddress(dataFolder)
    await database.close()
    log.info({}, 'stopped')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))
}

/** Loads the client only where it is used: that takes 0.15 s. */
async function redisAt(url: string): Promise<Redis> {
  const { openRedis } = await import('./storage/redis.ts')
  return openRedis({ url })
}

async function fanOutAt(url: string): Promise<FanOut> {
  const { redisFanOut } = await import('./storage/redis-fan-out.ts')
  return redisFanOut(url)
}

function newMasterKey(): string {
  return randomBytes(32).toString('hex')
}

function newAdminKey(): string {
  return `atradmin_${randomBytes(24).toString('base64url')}`
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

function greet(
  address: string,
  { adminKey, dataFolder, databaseKind }: { adminKey: string | null; dataFolder: string; databaseKind: string },
): void {
  const lines = [
    `Atrium ${version} listens on ${address}`,
    `  API reference  ${address}/docs`,
    `  database       ${databaseKind === 'pglite' ? `embedded, in ${dataFolder}` : 'PostgreSQL'}`,
    ...(adminKey === null
      ? []
      : [
          `  admin key      ${adminKey}`,
          `                 made now, shown this once, kept in ${dataFolder}/admin-key`,
        ]),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

process.on('unhandledRejection', (error) => {
  process.stderr.write(`An error that nothing expected: ${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})

try {
  await start(readConfig(process.env))
} catch (error) {
  process.stderr.write(
    `Atrium did not start.\n${error instanceof BadConfig ? error.message : error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exit(1)
}
