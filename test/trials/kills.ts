import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, ask } from '../harness/client.ts'
import { type Customer, makeCustomer } from '../harness/customer.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import { type Service, startService, temporaryFolder } from '../harness/service.ts'
import type { Row } from './row.ts'

const writers = 8
// What an operator waits for a process to be back.
const startMsMax = 5_000

export async function killsEmbedded(rounds: number): Promise<Row[]> {
  return killing(rounds, { DATA_DIR: await temporaryFolder() })
}

/** Every second time PostgreSQL itself is ended at once, too. */
export async function killsOnPostgres(rounds: number): Promise<Row[]> {
  const server = await startPostgresServer()
  const restart = async (round: number) => {
    if (round % 2 === 0) return
    await server.crash()
    await server.start()
  }
  try {
    return await killing(rounds, { DATA_DIR: await temporaryFolder(), DATABASE_URL: server.url }, restart)
  } finally {
    await server.stop()
  }
}

/** What was acknowledged, kept here, outside of the process that is killed. */
type Journal = { tenantIds: string[]; uses: number; unknownUses: number }

async function killing(
  rounds: number,
  environment: Record<string, string>,
  afterKill: (round: number) => Promise<void> = async () => undefined,
): Promise<Row[]> {
  const admin = { 'x-admin-key': `atradmin_${randomBytes(24).toString('base64url')}` }
  const start = () =>
    startService({ ...environment, ADMIN_KEY: admin['x-admin-key'], RATE_LIMIT_MAX: '1000000000', LOG_LEVEL: 'silent' })
  let service = await start()
  const customer = await makeCustomer({ base: service.base, admin, requestsPerWindow: 1_000_000_000 })
  const journal: Journal = { tenantIds: [], uses: 0, unknownUses: 0 }
  const startsMs: number[] = []
  let lost = 0
  let miscounted = 0
  for (let round = 0; round < rounds; round++) {
    await writeUntilKilled(service, { admin, customer, journal, prefix: `r${round}` })
    await afterKill(round)
    const startedAt = performance.now()
    service = await start()
    startsMs.push(Math.round(performance.now() - startedAt))
    lost += await lostOf(service, admin, journal)
    const { used, listed } = await usesOf(service, admin, customer)
    if (used < journal.uses || used > journal.uses + journal.unknownUses || listed !== used) miscounted++
  }
  await service.stop('SIGKILL')
  const sorted = startsMs.toSorted((a, b) => a - b)
  const slowestStartMs = sorted.at(-1) ?? 0
  const broken = [lost > 0 && 'lost', miscounted > 0 && 'miscounted', slowestStartMs > startMsMax && 'slow start']
  return [
    {
      kills: rounds,
      'acknowledged tenants': journal.tenantIds.length,
      'acknowledged uses': journal.uses,
      'unknown uses': journal.unknownUses,
      lost,
      miscounted,
      'start ms, median': sorted[Math.floor(sorted.length / 2)] ?? 0,
      'start ms, slowest': slowestStartMs,
      broken: broken.filter(Boolean).join(', '),
    },
  ]
}

type Writing = { admin: Record<string, string>; customer: Customer; journal: Journal; prefix: string }

async function writeUntilKilled(service: Service, { admin, customer, journal, prefix }: Writing): Promise<void> {
  let isOver = false
  const running = Array.from({ length: writers }, async (_, writer) => {
    for (let count = 0; !isOver; count++) {
      if (writer % 2 === 0) noteTenant(await newTenant(service, admin, `${prefix}-${writer}-${count}`), journal)
      else noteUse(await customer.consume(service.base), journal)
    }
  })
  await delay(100 + Math.random() * 700)
  isOver = true // each has one request in the air
  await service.stop('SIGKILL')
  await Promise.all(running)
}

function newTenant({ base }: Service, admin: Record<string, string>, slug: string): Promise<Answer> {
  const body = { name: slug, slug, contactEmail: 'a@example.com' }
  return ask({ url: `${base}/admin/tenants`, method: 'POST', headers: admin, body })
}

function noteTenant({ status, body }: Answer, journal: Journal): void {
  if (status === 201) journal.tenantIds.push(body.tenant.id)
}

function noteUse({ status, body }: Answer, journal: Journal): void {
  if (status === 200 && body.valid) journal.uses++
  else journal.unknownUses++
}

/** How many of the acknowledged tenants are not there. Asked in pages: one by one would take longer than the trial. */
async function lostOf({ base }: Service, admin: Record<string, string>, { tenantIds }: Journal): Promise<number> {
  const found = new Set<string>()
  for (let page = 1; ; page++) {
    const { body } = await ask({ url: `${base}/admin/tenants?limit=100&page=${page}`, headers: admin })
    for (const { id } of body.tenants) found.add(id)
    if (body.tenants.length < 100) break
  }
  return tenantIds.filter((id) => !found.has(id)).length
}

async function usesOf({ base }: Service, admin: Record<string, string>, { licenseKey }: Customer) {
  const url = `${base}/vault/v1/licenses/${licenseKey}`
  const license = await ask({ url, headers: admin })
  const list = await ask({ url: `${url}/uses?limit=1`, headers: admin })
  return { used: license.body.license.usesCount as number, listed: list.body.pagination.total as number }
}
