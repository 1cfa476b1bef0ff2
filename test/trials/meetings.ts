import { run, sql } from '../../src/storage/query.ts'
import { type TestApp, type TestKey, type TestUser, testApp } from '../harness/app.ts'
import { meetingCalls } from '../harness/meetings.ts'
import { organizationCalls } from '../harness/organizations.ts'
import { startPostgresServer } from '../harness/postgres-server.ts'
import { compareLists } from './compare-lists.ts'
import type { Row } from './row.ts'

const fewMeetings = 100
const manyMeetings = 10_000
/** One of so many is shared with the user by somebody else. */
const sharedShare = 20

/** With few meetings five are shared, and to show 20 takes longer: so both lists show five. */
const lists = ['scope=own', 'scope=shared&limit=5', 'scope=all', 'scope=own&limit=100', 'scope=all&limit=100']

/** Lists of a user with 10,000 meetings, 500 of them shared, beside those of a user with 100. */
export async function meetings(): Promise<Row[]> {
  // It ends with this process, which drops the database before.
  const server = await startPostgresServer()
  process.env['ATRIUM_TEST_DATABASE'] = 'postgres'
  process.env['TEST_DATABASE_URL'] = server.url
  const app = await testApp()
  const key = await app.apiKey(await app.tenant())
  const [few, many] = [await withMeetings(app, key, fewMeetings), await withMeetings(app, key, manyMeetings)]
  await run(app.platform, sql`vacuum analyze meetings, meeting_shares, organization_members, meeting_counts`)
  const rows: Row[] = []
  for (const list of lists) {
    const calls = (user: TestUser) => () => meetingCalls(app).call(user, 'GET', `?${list}`)
    rows.push(await compareLists(list, { few: calls(few), many: calls(many) }))
  }
  return rows
}

/** A user of a new organization. Half of what is shared is open to all its members, half is for listed ones. */
async function withMeetings(app: TestApp, key: TestKey, count: number): Promise<TestUser> {
  const orgs = organizationCalls(app)
  const other = await orgs.person(key)
  const { id: orgId } = await orgs.create(other)
  const user = await orgs.add(key, orgId, 'member')
  const [isShared, isListed] = [sql`n % ${sharedShare}::int = 0`, sql`n % ${2 * sharedShare}::int = 0`]
  await run(
    app.platform,
    sql`insert into meetings (tenant_id, id, user_id, title, status, personality, summary_mode, participants, org_id,
        visibility, last_activity_at, created_at, updated_at)
      select ${user.tenantId}, md5(${orgId} || n)::uuid, case when ${isShared} then ${other.id} else ${user.id} end::uuid,
        'Meeting ' || n, 'completed', 'neutral', 'short', '[]', case when ${isShared} then ${orgId} end::uuid,
        case when ${isListed} then 'members' when ${isShared} then 'org' else 'private' end, at, at, at
      from generate_series(1, ${count}::int) n, lateral (select ${app.clock.now()}::timestamptz - n * interval '1 h' as at)`,
  )
  await run(
    app.platform,
    sql`insert into meeting_shares (tenant_id, meeting_id, org_id, user_id, access, is_listed, meeting_created_at)
      select tenant_id, id, org_id, ${user.id}, 'read', true, created_at from meetings
      where org_id = ${orgId} and visibility = 'members'`,
  )
  return user
}
