import { run, sql } from '../../src/storage/query.ts'
import { type TestApp, type TestUser, testApp } from '../harness/app.ts'
import { organizationCalls } from '../harness/organizations.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { type TaskCalls, taskCalls } from '../harness/tasks.ts'
import { compareLists } from './compare-lists.ts'
import type { Row } from './row.ts'

const fewTasks = 1_000
const manyTasks = 100_000
const movers = 20
const movingMs = 60_000
const columnTasks = 100
/** A statement may take ten seconds. */
const batchTasks = 5_000
/** PostgreSQL estimates beginnings of words only where it knows 100 terms, as of every real board. */
const distinctWords = 300

const lists = [
  'sort=board',
  'sort=due',
  'sort=updated',
  'sort=created',
  'status=open',
  'status=open&status=in_progress&sort=due',
  'status=proposed&sort=updated',
  'assignee=me',
  'assignee=none&sort=updated',
  'due=overdue&sort=due',
  'due=today',
  'due=week&sort=due',
  'due=none',
  'label=label+7',
  'label=label+7&sort=updated',
  'source=tracker',
  'source=meeting',
  'q=rare',
  'q=common',
  'q=common&sort=due',
]

/** Lists of 100,000 tasks beside those of 1,000, and 20 movers of one column for a minute, `rounds` times. */
export async function tasks(rounds: number): Promise<Row[]> {
  // It ends with this process, which drops the database before.
  const server = await startPostgresServer()
  process.env['ATRIUM_TEST_DATABASE'] = 'postgres'
  process.env['TEST_DATABASE_URL'] = server.url
  const app = await testApp()
  const owner = await organizationCalls(app).person(await app.apiKey(await app.tenant()))
  const [few, many] = [await filled(app, owner, fewTasks), await filled(app, owner, manyTasks)]
  await run(app.platform, sql`vacuum analyze tasks, labelled_tasks, meetings`)
  const rows: Row[] = []
  const calls = (of: TaskCalls, list: string) => () => of.call(owner, 'GET', `?${list}`)
  for (const list of lists) rows.push(await compareLists(list, { few: calls(few, list), many: calls(many, list) }))
  for (let round = 0; round < rounds; round++) rows.push(await moveAtOnce(app, owner))
  return rows
}

/** An organization with so many tasks: most are done, some are open, few have a rare word or are proposed, each from a meeting. */
async function filled(app: TestApp, owner: TestUser, count: number): Promise<TaskCalls> {
  const { id: orgId } = await organizationCalls(app).create(owner)
  await run(
    app.platform,
    sql`insert into meetings (tenant_id, id, user_id, title, status, personality, summary_mode, participants, org_id,
        visibility, last_activity_at, created_at, updated_at)
      select ${owner.tenantId}, md5(${orgId} || n)::uuid, ${owner.id}, 'Meeting ' || n, 'completed', 'neutral', 'short', '[]',
        ${orgId}, 'org', ${app.clock.now()}, ${app.clock.now()}, ${app.clock.now()}
      from generate_series(100, ${count}::int, 100) n`,
  )
  for (let first = 1; first <= count; first += batchTasks) await fill(app, owner, { orgId, count, first })
  return taskCalls(app, orgId)
}

async function fill(
  app: TestApp,
  owner: TestUser,
  { orgId, count, first }: { orgId: string; count: number; first: number },
): Promise<void> {
  const last = Math.min(count, first + batchTasks - 1)
  await run(
    app.platform,
    sql`insert into tasks (tenant_id, id, org_id, number, title, status, assignee_id, due, labels, position, source, meeting_id,
        search, accepted_revision, created_at, updated_at)
      select ${owner.tenantId}, gen_random_uuid(), ${orgId}, n, 'Task ' || n,
        case when n % 100 = 0 then 'proposed' when n % 5 > 0 then 'done' when n % 3 = 0 then 'in_progress' else 'open' end,
        case when n <= 50 then ${owner.id}::uuid end,
        case when n % 4 > 0 then ${app.clock.now()}::date + (n::bigint * 7919 % 1000 - 900)::int end,
        array['label ' || n % 40], 'b' || lpad(n::text, 8, '0') || '1',
        case when n % 100 = 0 then 'meeting' else 'manual' end, case when n % 100 = 0 then md5(${orgId} || n)::uuid end,
        array_to_tsvector(array[${orgId} || ' common', ${orgId} || ' word' || n % ${distinctWords}::int]
          || case when n % ${count / 20}::int = 0 then array[${orgId} || ' rare'] else '{}' end),
        case when n % 100 > 0 then 1 end, ${app.clock.now()}, ${app.clock.now()}::timestamptz - (n::bigint * 104729 % 1000000) * interval '1 s'
      from generate_series(${first}::int, ${last}::int) n`,
  )
}

async function moveAtOnce(app: TestApp, owner: TestUser): Promise<Row> {
  const { id: orgId } = await organizationCalls(app).create(owner)
  const calls = taskCalls(app, orgId)
  const ids: string[] = []
  for (let n = 0; n < columnTasks; n++) ids.push((await calls.create(owner, { title: `Task ${n}` })).id)
  let moves = 0
  let refused = 0
  const until = performance.now() + movingMs
  await Promise.all(
    Array.from({ length: movers }, async (_, seed) => {
      const random = seededRandom(seed)
      while (performance.now() < until) {
        const [moved, other] = [random.oneOf(ids), random.oneOf(ids)]
        const body = moved === other ? {} : { [random.oneOf(['before', 'after'])]: other }
        const { status } = await calls.call(owner, 'POST', `/${moved}/move`, { body })
        if (status === 200) moves++
        else refused++
      }
    }),
  )
  const { tasks: placed } = (await calls.call(owner, 'GET', '?limit=100')).body
  const positions: string[] = placed.map(({ position }: { position: string }) => position)
  const isWhole = new Set(placed.map(({ id }: { id: string }) => id)).size === columnTasks
  const isOrdered = positions.every((position, index) => index === 0 || (positions[index - 1] as string) < position)
  const longest = Math.max(...positions.map(({ length }) => length))
  return {
    trial: `${movers} movers`,
    moves,
    refused,
    longest,
    broken: isWhole && isOrdered && refused === 0 && longest <= 30 ? '' : 'order',
  }
}
