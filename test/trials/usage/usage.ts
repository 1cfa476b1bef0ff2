import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { many, one, run, sql } from '../../../src/storage/query.ts'
import { type ExactMeter, meterNames, meters } from '../../../src/usage/meters/meter.rules.ts'
import { type TestApp, testApp } from '../../harness/app.ts'
import { startPostgresServer } from '../../harness/postgres-server.ts'
import { overrideLimit } from '../../harness/usage-limits.ts'
import type { Row } from '../row.ts'
import type { CountingOrder } from './counting-process.ts'

const exactMeters = meterNames.filter((name): name is ExactMeter => meters[name].kind === 'exact')
const limit = 500
const callers = 2_000
const processes = 3
const atOnce = 40

/**
 * For each exact meter: a limit of 500 and 2,000 callers of three processes, of which one is killed each second. Then, for
 * `seconds`, uses of several meters at once, with limits of the tenant, of organizations and of users: no deadlock.
 */
export async function usage(seconds: number): Promise<Row[]> {
  // It ends with this process, which drops the database before.
  const server = await startPostgresServer()
  process.env['ATRIUM_TEST_DATABASE'] = 'postgres'
  process.env['TEST_DATABASE_URL'] = server.url
  const app = await testApp()
  const databaseUrl = await addressOf(app, server.url)
  const rows: Row[] = []
  for (const meter of exactMeters) rows.push(await countUnderKills(app, databaseUrl, meter))
  rows.push(await countCrosswise(app, databaseUrl, seconds))
  return rows
}

async function addressOf(app: TestApp, serverUrl: string): Promise<string> {
  const { name } = await one(app.platform, sql<{ name: string }>`select current_database() as name`)
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
}

async function countUnderKills(app: TestApp, databaseUrl: string, meter: ExactMeter): Promise<Row> {
  const { id: tenantId } = await app.tenant()
  await overrideLimit(app, tenantId, meter, { hard: limit })
  const order = { databaseUrl, tenantId, orgIds: [], userIds: [crypto.randomUUID()], meters: [meter], atOnce }
  const answers = new Map<number, boolean>()
  let kills = 0
  const startedAt = performance.now()
  const shares = Array.from({ length: processes }, (_, share) =>
    Array.from({ length: callers }, (_, caller) => caller).filter((caller) => caller % processes === share),
  )
  const running = shares.map((share) => counting({ ...order, callers: share }, answers))
  for (let turn = 0; answers.size < callers; turn++) {
    await Promise.race([delay(1_000), Promise.all(running.map(({ ended }) => ended))])
    const victim = turn % processes
    const left = (shares[victim] as number[]).filter((caller) => !answers.has(caller))
    if (left.length === 0) continue
    running[victim]?.child.kill('SIGKILL')
    await running[victim]?.ended
    kills++
    // Who was not answered asks again: its first use may have been counted.
    const unanswered = left.filter((caller) => !answers.has(caller))
    running[victim] = counting({ ...order, callers: unanswered }, answers)
  }
  await Promise.all(running.map(({ ended }) => ended))
  const granted = [...answers.values()].filter(Boolean).length
  const { used, byDay } = await sums(app, tenantId, meter)
  const isExact = used === limit && byDay === limit && granted <= limit
  const row = { granted, used, byDay, kills, seconds: Math.round((performance.now() - startedAt) / 1000) }
  return { trial: `${meter}: ${limit} for ${callers} callers`, ...row, broken: isExact ? '' : 'count' }
}

async function countCrosswise(app: TestApp, databaseUrl: string, seconds: number): Promise<Row> {
  const { id: tenantId } = await app.tenant()
  const orgIds = Array.from({ length: 3 }, () => crypto.randomUUID())
  const userIds = Array.from({ length: 5 }, () => crypto.randomUUID())
  for (const meter of exactMeters) {
    await overrideLimit(app, tenantId, meter, { hard: 1_000_000_000 })
    for (const [scope, id] of [...orgIds.map((id) => ['org', id]), ...userIds.map((id) => ['user', id])])
      await run(
        app.platform,
        sql`insert into usage_own_limits (tenant_id, scope, subject_id, meter, max_amount, updated_at)
          values (${tenantId}, ${scope}, ${id}, ${meter}, 100000000, ${app.clock.now()})`,
      )
  }
  const before = await deadlocks(app)
  const answers = new Map<number, boolean>()
  const all = Array.from({ length: 1_000_000 }, (_, caller) => caller)
  const sets: ExactMeter[][] = [['meetings', 'transcriptWords'], ['transcriptWords', 'asks', 'meetings'], exactMeters]
  const running = sets.map((set, share) =>
    counting(
      {
        ...{ databaseUrl, tenantId, orgIds, userIds, meters: set, atOnce: 8 },
        callers: all.filter((caller) => caller % sets.length === share).slice(0, 100_000),
      },
      answers,
    ),
  )
  await delay(seconds * 1_000)
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  const { used, byDay } = await sums(app, tenantId, 'transcriptWords')
  const found = (await deadlocks(app)) - before
  const isEqual = used === byDay && used >= answers.size
  return {
    ...{
      trial: 'limits of tenant, org and user at once',
      granted: answers.size,
      used,
      byDay,
      seconds,
      deadlocks: found,
    },
    broken: [found > 0 ? 'deadlock' : '', isEqual ? '' : 'count'].filter(Boolean).join(', '),
  }
}

function counting(
  order: CountingOrder,
  answers: Map<number, boolean>,
): { child: ChildProcess; ended: Promise<unknown> } {
  const script = new URL('./counting-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(order))
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => answers.set(Number(line.slice(1)), line.startsWith('+')))
  return { child, ended: Promise.all([once(child, 'exit'), once(lines, 'close')]) }
}

/** Of the tenant's counter of the month, and of the same uses by day. */
async function sums(app: TestApp, tenantId: string, meter: ExactMeter): Promise<{ used: number; byDay: number }> {
  const [row] = await many(
    app.platform,
    sql<{ used: number; byDay: number }>`select
      (select coalesce(sum(amount), 0)::bigint from usage_counters where tenant_id = ${tenantId} and meter = ${meter}
        and scope = 'tenant' and span = 'month') as used,
      (select coalesce(sum(amount), 0)::bigint from usage_by_day where tenant_id = ${tenantId} and meter = ${meter}) as "byDay"`,
  )
  return row as { used: number; byDay: number }
}

async function deadlocks(app: TestApp): Promise<number> {
  const { found } = await one(
    app.platform,
    sql<{ found: number }>`select deadlocks as found from pg_stat_database where datname = current_database()`,
  )
  return found
}
