import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { many, one, run, sql } from '../../../src/storage/query.ts'
import { type ExactMeter, meterNames, meters } from '../../../src/usage/meters/meter.rules.ts'
import { type TestApp, testApp } from '../../harness/app.ts'
import { callersAtAllLevels, wrongCounts } from '../../harness/callers-at-all-levels.ts'
import { startPostgresServer } from '../../harness/postgres-server.ts'
import { overrideLimit } from '../../harness/usage-limits.ts'
import type { Row } from '../row.ts'
import type { CountingOrder } from './counting-process.ts'

const exactMeters = meterNames.filter((name): name is ExactMeter => meters[name].kind === 'exact')
const limit = 500
const callers = 2_000
const processes = 3
const atOnce = 40
/** Uses that waited for a counter for longer than a statement may take. Where one tenant is so busy, a caller gets 503. */
const seen = { timeouts: 0 }

/**
 * For each exact meter: 2,000 callers of three processes, of which one is killed each second, with a limit of 500, and once
 * more with limits of an organization and of users that are reached as well. Then, for `seconds`, uses of several meters at
 * once, some refused: no deadlock.
 * @param only one of these parts: `tenant`, `levels` or `several`
 */
export async function usage(seconds: number, only?: string): Promise<Row[]> {
  // It ends with this process, which drops the database before.
  const server = await startPostgresServer()
  process.env['ATRIUM_TEST_DATABASE'] = 'postgres'
  process.env['TEST_DATABASE_URL'] = server.url
  const app = await testApp()
  const databaseUrl = await addressOf(app, server.url)
  const rows: Row[] = []
  const isAsked = (part: string) => only === undefined || only === part
  for (const meter of isAsked('tenant') ? exactMeters : []) rows.push(await countOneLimit(app, databaseUrl, meter))
  for (const meter of isAsked('levels') ? exactMeters : []) rows.push(await countAllLevels(app, databaseUrl, meter))
  if (isAsked('several')) rows.push(await countCrosswise(app, databaseUrl, seconds))
  return rows
}

async function addressOf(app: TestApp, serverUrl: string): Promise<string> {
  const { name } = await one(app.platform, sql<{ name: string }>`select current_database() as name`)
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
}

async function countOneLimit(app: TestApp, databaseUrl: string, meter: ExactMeter): Promise<Row> {
  const { id: tenantId } = await app.tenant()
  await overrideLimit(app, tenantId, meter, { hard: limit })
  // Else it would be a tenth of the month's.
  await overrideLimit(app, tenantId, 'modelTokensPerDay', { hard: null })
  const subjects = [{ userId: crypto.randomUUID() }]
  const numbers = Array.from({ length: callers }, (_, caller) => caller)
  const counted = await countUnderKills({ databaseUrl, tenantId, subjects, meters: [meter], atOnce }, numbers)
  const wrong = await wrongCounts(app, tenantId, { meter, expected: { [`tenant ${tenantId}`]: limit } })
  const { used, byDay } = await sums(app, tenantId, meter)
  const broken = [...wrong, ...(counted.granted > limit ? ['too many granted'] : [])].join(', ')
  return { trial: `${meter}: ${limit} for ${callers} callers`, ...counted, used, byDay, broken }
}

async function countAllLevels(app: TestApp, databaseUrl: string, meter: ExactMeter): Promise<Row> {
  const { id: tenantId } = await app.tenant()
  const { waves, expected } = await callersAtAllLevels(app, tenantId, { meters: [meter], scale: limit / 50 })
  const deadlocksBefore = await deadlocks(app)
  const all = { granted: 0, kills: 0, seconds: 0 }
  for (const subjects of waves) {
    const order = { databaseUrl, tenantId, subjects, meters: [meter], atOnce }
    const { granted, kills, seconds } = await countUnderKills(order, [...subjects.keys()])
    all.granted += granted
    all.kills += kills
    all.seconds += seconds
  }
  const wrong = await wrongCounts(app, tenantId, { meter, expected })
  const found = (await deadlocks(app)) - deadlocksBefore
  const { used, byDay } = await sums(app, tenantId, meter)
  const broken = [...wrong, ...(all.granted > limit ? ['too many granted'] : []), ...(found > 0 ? ['deadlock'] : [])]
  const trial = `${meter}: limits of tenant, org and users, ${waves.flat().length} callers`
  return { trial, ...all, used, byDay, deadlocks: found, broken: broken.join(', ') }
}

/** The callers of three processes, of which one is killed each second. A grant that nobody was told of is not in `granted`. */
async function countUnderKills(order: Omit<CountingOrder, 'callers'>, numbers: number[]) {
  const answers = new Map<number, boolean>()
  let kills = 0
  const startedAt = performance.now()
  const shares = Array.from({ length: processes }, (_, share) =>
    numbers.filter((caller) => caller % processes === share),
  )
  const running = shares.map((share) => counting({ ...order, callers: share }, answers))
  for (let turn = 0; answers.size < numbers.length; turn++) {
    await Promise.race([delay(1_000), Promise.all(running.map(({ ended }) => ended))])
    const victim = turn % processes
    const left = (shares[victim] as number[]).filter((caller) => !answers.has(caller))
    // One that has said nothing yet has hardly begun: on a busy machine none would ever come to an end.
    if (left.length === 0 || !running[victim]?.hasAnswered()) continue
    running[victim]?.child.kill('SIGKILL')
    await running[victim]?.ended
    kills++
    // Who was not answered asks again: its first use may have been counted.
    const unanswered = left.filter((caller) => !answers.has(caller))
    running[victim] = counting({ ...order, callers: unanswered }, answers)
  }
  await Promise.all(running.map(({ ended }) => ended))
  const granted = [...answers.values()].filter(Boolean).length
  return { granted, kills, seconds: Math.round((performance.now() - startedAt) / 1000) }
}

async function countCrosswise(app: TestApp, databaseUrl: string, seconds: number): Promise<Row> {
  const { id: tenantId } = await app.tenant()
  const orgIds = Array.from({ length: 3 }, () => crypto.randomUUID())
  const userIds = Array.from({ length: 5 }, () => crypto.randomUUID())
  // Soon reached by the first organization and the first user, and never by the others.
  const soon = 200
  for (const meter of exactMeters) {
    await overrideLimit(app, tenantId, meter, { hard: 1_000_000_000 })
    for (const [scope, ids] of [['org', orgIds] as const, ['user', userIds] as const])
      for (const [at, id] of ids.entries())
        await run(
          app.platform,
          sql`insert into usage_own_limits (tenant_id, scope, subject_id, meter, max_amount, updated_at)
            values (${tenantId}, ${scope}, ${id}, ${meter}, ${at === 0 ? soon : 100_000_000}, ${app.clock.now()})`,
        )
  }
  const before = await deadlocks(app)
  const answers = new Map<number, boolean>()
  const all = Array.from({ length: 1_000_000 }, (_, caller) => caller)
  const sets: ExactMeter[][] = [
    ['meetings', 'transcriptWords'],
    ['transcriptWords', 'asks', 'meetings'],
    ['transcriptWords'],
    exactMeters,
  ]
  const subjects = orgIds.flatMap((orgId) => userIds.map((userId) => ({ orgId, userId })))
  const running = sets.map((set, share) =>
    counting(
      {
        ...{ databaseUrl, tenantId, subjects, meters: set, atOnce: 8 },
        callers: all.filter((caller) => caller % sets.length === share).slice(0, 100_000),
      },
      answers,
    ),
  )
  await delay(seconds * 1_000)
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  const meter = 'transcriptWords'
  const expected = { [`org ${orgIds[0]}`]: soon, [`user ${userIds[0]}`]: soon }
  const wrong = await wrongCounts(app, tenantId, { meter, expected })
  const { used, byDay } = await sums(app, tenantId, meter)
  const found = (await deadlocks(app)) - before
  const granted = [...answers.values()].filter(Boolean).length
  // Each set has words, and each process may have counted what it has not told.
  const isLost = used < granted
  return {
    ...{ trial: `several meters at once, ${answers.size - granted} refused`, granted, used, byDay, seconds },
    ...{ deadlocks: found, timeouts: seen.timeouts },
    broken: [...(found > 0 ? ['deadlock'] : []), ...wrong, ...(isLost ? ['lost'] : [])].join(', '),
  }
}

function counting(
  order: CountingOrder,
  answers: Map<number, boolean>,
): { child: ChildProcess; ended: Promise<unknown>; hasAnswered(): boolean } {
  const script = new URL('./counting-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(order))
  const lines = createInterface(child.stdout)
  let answered = 0
  lines.on('line', (line) => {
    if (line.startsWith('!')) {
      seen.timeouts++
      return
    }
    answered++
    answers.set(Number(line.slice(1)), line.startsWith('+'))
  })
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')])
  return { child, ended, hasAnswered: () => answered > 0 }
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
