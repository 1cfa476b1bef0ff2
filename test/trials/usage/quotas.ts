import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask } from '../../../bench/ground/ask.ts'
import { loginOwner } from '../../../bench/ground/meetings.ts'
import { openPostgres } from '../../../bench/ground/postgres.ts'
import { type Seeded, seed, userEmail } from '../../../bench/ground/seed.ts'
import { type Ground, openGround, startService } from '../../../bench/ground/service.ts'
import type { Program } from '../../../bench/program.ts'
import { median } from '../../../bench/statistics.ts'
import { systemCaller } from '../../../src/kernel/caller.ts'
import type { Database } from '../../../src/storage/database.ts'
import { mintPlatformScope } from '../../../src/storage/mint.ts'
import { one, run, type Sql, sql } from '../../../src/storage/query.ts'
import type { Row } from '../row.ts'

const usedMeters = ['meetings', 'transcriptWords', 'asks', 'apiCalls', 'mails']
const fewRows = 1_000
/** Uses are kept so long. */
const keptDays = 400
const usersPerOrg = 10
const repeats = 300
const ratioMax = 1.2
const rowsAtOnce = 10_000

/**
 * Reads the quotas of a user, an organization and the tenant beside 1,000 rows of uses and beside so many, in turns. Nobody pays
 * for the uses of others.
 */
export async function usageQuotas(rows: number, only?: string): Promise<Row[]> {
  const postgres = await openPostgres()
  const folder = () => mkdtempSync(join(tmpdir(), 'usage-quotas-'))
  const server = async (): Promise<Ground> => ({
    kind: 'postgres',
    url: await postgres.create(),
    dataFolder: folder(),
  })
  const embedded = async (): Promise<Ground> => ({ kind: 'embedded', url: null, dataFolder: folder() })
  try {
    const seen: Row[] = []
    for (const [name, open] of [['PostgreSQL', server] as const, ['PGlite', embedded] as const])
      if (only === undefined || only === name) seen.push(...(await compare(name, rows, open)))
    return seen
  } finally {
    await postgres.end()
  }
}

async function compare(database: string, rows: number, open: () => Promise<Ground>): Promise<Row[]> {
  const few = await filled(await open(), fewRows)
  const many = await filled(await open(), rows)
  try {
    const seen: Row[] = []
    for (const scope of ['me', 'org', 'tenant'] as const) {
      const times = { few: [] as number[], many: [] as number[] }
      for (let repeat = -100; repeat < repeats; repeat++) {
        const both = [['few', few] as const, ['many', many] as const]
        // Neither is always the first.
        for (const [size, filling] of repeat % 2 === 0 ? both : both.toReversed()) {
          const ms = await timed(filling, scope)
          if (repeat >= 0) times[size].push(ms)
        }
      }
      const [before, after] = [median(times.few), median(times.many)]
      const ratio = after / before
      const broken = ratio > ratioMax ? 'slower with the uses of others' : ''
      const p50 = { [`p50 ms of ${fewRows}`]: round(before), [`p50 ms of ${rows}`]: round(after) }
      seen.push({ database, scope, ...p50, ratio: round(ratio), broken })
    }
    return seen
  } finally {
    for (const { service } of [few, many]) await service.stop()
  }
}

const round = (value: number) => Math.round(value * 100) / 100

type Filled = { service: Program; headers: Record<string, string>; orgId: string }

async function timed({ service, headers, orgId }: Filled, scope: 'me' | 'org' | 'tenant'): Promise<number> {
  const path = `/assistant/v1/usage/quotas?scope=${scope}${scope === 'org' ? `&orgId=${orgId}` : ''}`
  const start = performance.now()
  const { quotas } = (await ask(service, { path, headers })) as { quotas: { meter: string; forecast: unknown }[] }
  const ms = performance.now() - start
  if (quotas.find(({ meter }) => meter === 'meetings')?.forecast === null) throw new Error('The uses are not read.')
  return ms
}

/** One tenant with so many rows of uses, of 40 or of all 400 days, in which the user and the organization use as much each day. */
async function filled(ground: Ground, rows: number): Promise<Filled> {
  const seeded = await seed(ground, 10)
  const first = await startService(ground)
  const headers = await loginOwner(first, seeded)
  const made = await ask(first, { path: '/assistant/v1/orgs', headers, body: { name: 'Field work' } })
  const { id: orgId } = (made as { org: { id: string } }).org
  await first.stop()
  const database = await openGround(ground)
  try {
    await fill(database, { seeded, orgId, rows })
  } finally {
    await database.close()
  }
  return { service: await startService(ground), headers, orgId }
}

async function fill(
  database: Database,
  { seeded: { tenantId }, orgId, rows }: { seeded: Seeded; orgId: string; rows: number },
): Promise<void> {
  const platform = mintPlatformScope(database.handle, systemCaller)
  const { id: userId } = await one(
    platform,
    sql<{ id: string }>`update users set role = 'ADMIN' where tenant_id = ${tenantId} and email = ${userEmail(0)}
      returning id`,
  )
  // The requests until here.
  for (const table of [sql`usage_by_day`, sql`usage_counters`])
    await run(platform, sql`delete from ${table} where tenant_id = ${tenantId}`)
  const days = Math.min(keptDays, Math.ceil(rows / 25))
  const user = sql`(n / ${days * usedMeters.length}::int)`
  const org = sql`(n / ${days * usedMeters.length * usersPerOrg}::int)`
  for (let from = 0; from < rows; from += rowsAtOnce)
    await run(
      platform,
      sql`insert into usage_by_day (tenant_id, day, meter, org_id, user_id, amount)
        select ${tenantId}::uuid, (now() at time zone 'UTC')::date - n % ${days}::int,
          (${usedMeters}::text[])[1 + n / ${days}::int % ${usedMeters.length}::int],
          case ${org} when 0 then ${orgId}::uuid else ${numbered(9, org)} end,
          case ${user} when 0 then ${userId}::uuid else ${numbered(8, user)} end, 1 + n % 7
        from generate_series(${from}::int, ${Math.min(rows, from + rowsAtOnce) - 1}::int) n`,
    )
  for (const meter of usedMeters) {
    for (const span of ['month', 'day'] as const) {
      await count(platform, { tenantId, meter, span, scope: 'tenant', subject: sql`tenant_id` })
      await count(platform, { tenantId, meter, span, scope: 'org', subject: sql`org_id` })
    }
    await count(platform, { tenantId, meter, span: 'month', scope: 'user', subject: sql`user_id` })
  }
  // As autovacuum does: it would do so meanwhile.
  for (const table of [sql`usage_by_day`, sql`usage_counters`]) await run(platform, sql`vacuum (analyze) ${table}`)
}

const numbered = (kind: number, n: Sql): Sql =>
  sql`('0000000' || ${kind}::int || '-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

type Counting = { tenantId: string; meter: string; span: 'month' | 'day'; scope: string; subject: Sql }

/** The counters of the uses, as they would be had they been counted. */
async function count(
  platform: ReturnType<typeof mintPlatformScope>,
  { tenantId, meter, span, scope, subject }: Counting,
): Promise<void> {
  await run(
    platform,
    sql`insert into usage_counters (tenant_id, meter, span, window_start, scope, subject_id, amount)
      select tenant_id, meter, ${span}::text, date_trunc(${span}::text, day::timestamp)::date, ${scope}::text, ${subject}, sum(amount)
      from usage_by_day where tenant_id = ${tenantId} and meter = ${meter} group by 1, 2, 3, 4, 5, 6`,
  )
}
