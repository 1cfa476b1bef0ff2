import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeCustomer } from '../../harness/customer.ts'
import { startPostgresServer } from '../../harness/postgres-server.ts'
import { type Service, startService, temporaryFolder } from '../../harness/service.ts'
import type { Row } from '../row.ts'
import { allAttacks } from './all-attacks.ts'
import type { Attack } from './attack.ts'
import { startAttacker } from './attacker.ts'
import { honestRequest, startProbe } from './probe.ts'

const run = promisify(execFile)
const mebibyte = 1024 * 1024
const quietMs = 1_000
const memoryMsMax = 10_000
/**
 * What a process may keep: an idle heap is not collected at once, and the allocator keeps what 100 MiB of bodies took. The
 * attacks made it hold two and more times as much.
 */
const keptBytesMax = 250 * mebibyte

type Ground = { database: 'PostgreSQL' | 'embedded'; liveMsMax: number; environment: Record<string, string> }

/**
 * Every attack at its full size, each on a new process over each database.
 * @param only a part of the names of those to run.
 */
export async function attacks(rounds: number, only = ''): Promise<Row[]> {
  const server = await startPostgresServer()
  const rows: Row[] = []
  const folder = () => temporaryFolder()
  const postgres = { DATABASE_URL: server.url, DATA_DIR: await folder() }
  const grounds: Ground[] = [
    { database: 'PostgreSQL', liveMsMax: 200, environment: postgres },
    { database: 'embedded', liveMsMax: 400, environment: { DATA_DIR: await folder() } },
  ]
  try {
    for (let round = 0; round < rounds; round++)
      for (const ground of grounds)
        for (const attack of allAttacks.filter(({ name }) => name.includes(only)))
          rows.push(await attackOn(ground, attack))
  } finally {
    await server.stop()
  }
  return rows
}

async function attackOn(ground: Ground, attack: Attack): Promise<Row> {
  const adminKey = `atradmin_${randomBytes(32).toString('hex')}`
  const settings = { ADMIN_KEY: adminKey, LOG_LEVEL: 'warn', ...ground.environment, ...attack.environment }
  const service = await startService(settings)
  try {
    return await measure(ground, attack, { service, admin: { 'x-admin-key': adminKey } })
  } finally {
    await service.stop('SIGKILL')
  }
}

async function measure(
  { database, liveMsMax }: Ground,
  attack: Attack,
  { service, admin }: { service: Service; admin: Record<string, string> },
): Promise<Row> {
  const { base } = service
  const customer = await makeCustomer({ base, admin, requestsPerWindow: null })
  const attacker = await startAttacker()
  const probe = startProbe({ base, honest: honestRequest(await makeCustomer({ base, admin })) })
  try {
    await probe.report()
    await delay(quietMs)
    const before = await probe.report()
    const bytesBefore = await residentBytes(service)
    const outcome = await attacker.run(attack, { base, admin, customer })
    const during = await probe.report()
    const bytesKept = (await bytesAfter(service, bytesBefore)) - bytesBefore
    const refused = Object.entries(during.honestRefused).map(([status, count]) => `${count} x ${status}`)
    const broken = [
      outcome.isBroken && 'the attack',
      during.liveMs > liveMsMax && 'silent',
      bytesKept > keptBytesMax && 'memory',
      refused.length > 0 && 'an honest caller',
    ]
    return {
      attack: attack.name,
      database,
      seen: outcome.seen,
      'live ms, quiet': Math.round(before.liveMs),
      'live ms, attacked': Math.round(during.liveMs),
      'MiB kept': Math.round(bytesKept / mebibyte),
      honest: refused.length === 0 ? `${during.honestAsked} x 200` : refused.join(', '),
      broken: broken.filter(Boolean).join(', '),
    }
  } finally {
    attacker.stop()
    await probe.stop()
  }
}

/** The memory of the process once it is back near where it was, or after 10 s. */
async function bytesAfter(service: Service, bytesBefore: number): Promise<number> {
  const deadline = performance.now() + memoryMsMax
  for (;;) {
    const bytes = await residentBytes(service)
    if (bytes <= bytesBefore + keptBytesMax || performance.now() > deadline) return bytes
    await delay(250)
  }
}

async function residentBytes({ pid }: Service): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) * 1024
}
