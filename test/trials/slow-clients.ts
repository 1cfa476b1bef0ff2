import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { median, percentile } from '../../bench/statistics.ts'
import { ask, countStatuses, load } from '../harness/client.ts'
import { type Customer, makeCustomer } from '../harness/customer.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import { startService, temporaryFolder } from '../harness/service.ts'
import type { Row } from './row.ts'
import { holdSlowly, type SlowKind, slowKinds } from './slow-connections.ts'

const connections = 200
const callers = 50
const windowMs = 5_000
// The connections of the last window are gone by then, on both sides.
const settleMs = 2_000
// To answer what they ask at first is load, which all callers share; here they are slow.
const connectMs = 1_000
const ratioMax = 2
const usersOfSockets = 20

/** 200 slow or silent connections of each kind, and of all kinds, beside 50 honest callers. A round is 5 s without, 5 s with. */
export async function slowClients(rounds: number, only = ''): Promise<Row[]> {
  const server = await startPostgresServer()
  const rows: Row[] = []
  try {
    for (const [database, ground] of [
      ['PostgreSQL', { DATABASE_URL: server.url }],
      ['embedded', {}],
    ] as const) {
      const adminKey = `atradmin_${randomBytes(32).toString('hex')}`
      const environment = { ADMIN_KEY: adminKey, LOG_LEVEL: 'error', DATA_DIR: await temporaryFolder(), ...ground }
      const service = await startService(environment)
      const admin = { 'x-admin-key': adminKey }
      const newCustomer = () => makeCustomer({ base: service.base, admin })
      const kinds = slowKinds(await tokensOf(service.base, await newCustomer()))
      const groups: [string, SlowKind[]][] = [
        ...kinds.map((kind) => [kind.name, [kind]] as [string, SlowKind[]]),
        ['all', kinds],
      ]
      await answersIn(windowMs, await newCustomer(), service.base) // a new process answers more slowly
      for (const [name, group] of groups.filter(([name]) => name.includes(only))) {
        // Together they would ask more than a customer may in 15 minutes.
        const target = { base: service.base, customer: await newCustomer() }
        rows.push({ database, slow: name, ...(await compare(rounds, group, target)) })
      }
      await service.stop('SIGKILL')
    }
  } finally {
    await server.stop()
  }
  return rows
}

async function tokensOf(base: string, { headers }: Customer): Promise<string[]> {
  const register = async (_: unknown, index: number) => {
    const body = { email: `ada-${index}@example.com`, password: 'plum-Kayak-73-otter' }
    const answer = await ask({ url: `${base}/v1/auth/register`, method: 'POST', headers, body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.accessToken as string
  }
  return Promise.all(Array.from({ length: usersOfSockets }, register))
}

type Target = { base: string; customer: Customer }

async function compare(rounds: number, kinds: SlowKind[], { base, customer }: Target): Promise<Row> {
  const port = Number(new URL(base).port)
  const before: number[] = []
  const during: number[] = []
  const statuses = new Set<string>()
  let answered = 0
  for (let round = 0; round < rounds; round++) {
    await delay(settleMs)
    before.push(
      percentile(
        (await answersIn(windowMs, customer, base)).map(({ tookMs }) => tookMs),
        0.99,
      ),
    )
    const held = kinds.map((kind) => holdSlowly({ port, count: connections, kind }))
    await delay(connectMs)
    const answers = await answersIn(windowMs, customer, base)
    for (const { stop } of held) stop()
    during.push(
      percentile(
        answers.map(({ tookMs }) => tookMs),
        0.99,
      ),
    )
    answered += answers.length
    for (const status of Object.keys(countStatuses(answers))) statuses.add(status)
  }
  const ratio = median(during.map((p99, round) => p99 / (before[round] as number)))
  const isRefused = [...statuses].some((status) => status !== '200')
  return {
    'p99 ms, before': rounded(median(before)),
    'p99 ms, during': rounded(median(during)),
    ratio: rounded(ratio),
    answered,
    statuses: [...statuses].join(', '),
    broken: [ratio > ratioMax && 'p99', isRefused && 'an honest caller'].filter(Boolean).join(', '),
  }
}

async function answersIn(ms: number, customer: Customer, base: string) {
  const honest = load(callers, () => customer.validate(base))
  await delay(ms)
  return honest.stop()
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
