import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { upgradedFrom } from '../../../test/harness/database.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { propose, type TaskCalls, taskCalls } from '../../../test/harness/tasks.ts'
import { newId } from '../../kernel/ids.ts'
import { many, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'

const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'

describe('proposals', () => {
  let app: TestApp
  let key: TestKey
  let owner: TestUser
  let member: TestUser
  let viewer: TestUser
  let orgId: string
  let calls: TaskCalls
  const meetings = () => meetingCalls(app)
  const newMeeting = async (visibility: string): Promise<string> =>
    (await meetings().create(owner, { orgId, visibility })).id
  const share = (id: string, body: object) => meetings().call(owner, 'PATCH', `/${id}`, { body })
  const proposeFrom = async (meetingId: string): Promise<string> =>
    (await propose(app, { tenantId: key.tenantId, orgId, meetingId })).id
  /** The ids that a list shows; the list by label must show the same. */
  const listed = async (user: TestUser): Promise<string[]> => {
    const { tasks, pagination } = (await calls.call(user, 'GET', '?limit=100&status=proposed')).body
    const ids = tasks.map(({ id }: { id: string }) => id).sort()
    const labelled = (await calls.call(user, 'GET', '?limit=100&label=spoken')).body
    assert.deepEqual(labelled.tasks.map(({ id }: { id: string }) => id).sort(), ids)
    assert.deepEqual([pagination.total, labelled.pagination.total], [ids.length, ids.length])
    return ids
  }

  before(async () => {
    app = await testApp()
    const orgs = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner)).id
    ;[member, viewer] = [await orgs.add(key, orgId, 'member'), await orgs.add(key, orgId, 'viewer')]
    calls = taskCalls(app, orgId)
  })

  test('are listed and counted for who may read them one by one, through every change of sharing', async () => {
    const meetingIds = [await newMeeting('org'), await newMeeting('members'), await newMeeting('private')]
    const ids: string[] = []
    for (const meetingId of meetingIds) ids.push(await proposeFrom(meetingId), await proposeFrom(meetingId))
    const seen: string[] = []
    const isSame = async () => {
      for (const user of [owner, member, viewer]) {
        const single: string[] = []
        for (const id of ids) if ((await calls.get(user, id)).status === 200) single.push(id)
        assert.deepEqual(await listed(user), single.sort())
        seen.push(`${single.length}`)
      }
    }
    await isSame()
    const [first, second, third] = meetingIds as [string, string, string]
    await share(first, { visibility: 'members', sharedWith: [{ userId: viewer.id, access: 'read' }] })
    await share(second, { visibility: 'private' })
    await share(third, { visibility: 'org' })
    await isSame()
    await share(first, { visibility: 'private' })
    await share(third, { visibility: 'members', sharedWith: [{ userId: member.id, access: 'read' }] })
    await isSame()
    await share(third, { visibility: 'org', sharedWith: [] })
    await isSame()
    assert.deepEqual(seen, ['6', '2', '2', '6', '2', '4', '6', '2', '0', '6', '2', '2'])
  })

  test('made while their meeting is being closed are not left open', async () => {
    const meetingId = await newMeeting('org')
    const [proposed, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const proposing = transaction(app.scopeOf(key.tenantId), async (tx) => {
      const { id } = await propose({ ...app, scopeOf: () => tx }, { tenantId: key.tenantId, orgId, meetingId })
      proposed.resolve()
      await waiting.promise
      return id
    })
    await proposed.promise
    let isClosed = false
    const closing = share(meetingId, { visibility: 'private' }).finally(() => {
      isClosed = true
    })
    const locks = sql`select from pg_locks where not granted`
    // The embedded database has one connection: there the change of sharing begins afterwards.
    while (isServer && !isClosed && (await many(app.platform, locks)).length === 0);
    waiting.resolve()
    const id = await proposing
    assert.equal((await closing).status, 200)
    assert.equal((await listed(member)).includes(id), false)
    assert.equal((await listed(owner)).includes(id), true)
  })

  test('and labels of a version before are listed as they were', async () => {
    const now = new Date()
    const [tenantId, userId, memberId, org, openId, privateId, accepted, proposed, closed] = Array.from(
      { length: 9 },
      () => newId(now),
    )
    const database = await upgradedFrom('0050', async (client) => {
      const insert = (table: string, row: Record<string, unknown>) =>
        client.query(
          `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map((_, n) => `$${n + 1}`)})`,
          Object.values(row),
        )
      const times = { created_at: now, updated_at: now }
      await insert('tenants', {
        id: tenantId,
        name: 'a',
        slug: 'a',
        contact_email: 'a@b.example',
        status: 'ACTIVE',
        ...times,
      })
      for (const id of [userId, memberId])
        await insert('users', { tenant_id: tenantId, id, email: id, role: 'USER', status: 'ACTIVE', ...times })
      await insert('organizations', {
        tenant_id: tenantId,
        id: org,
        name: 'a',
        time_zone: 'UTC',
        member_count: 2,
        ...times,
      })
      for (const user_id of [userId, memberId])
        await insert('organization_members', {
          tenant_id: tenantId,
          org_id: org,
          user_id,
          role: 'member',
          joined_at: now,
        })
      for (const [id, visibility] of [
        [openId, 'org'],
        [privateId, 'members'],
      ]) {
        const settings = { personality: 'neutral', summary_mode: 'short', participants: '[]', status: 'completed' }
        const owned = {
          tenant_id: tenantId,
          id,
          user_id: userId,
          title: 'a',
          org_id: org,
          visibility,
          last_activity_at: now,
        }
        await insert('meetings', { ...owned, ...settings, ...times })
        const sharing = { tenant_id: tenantId, meeting_id: id, user_id: memberId, org_id: org, access: 'write' }
        await insert('meeting_shares', sharing)
      }
      for (const [number, [id, meeting_id, accepted_revision]] of [
        [accepted, null, 1],
        [proposed, openId, null],
        [closed, privateId, null],
      ].entries()) {
        const source = meeting_id === null ? 'manual' : 'meeting'
        const placed = { org_id: org, number, position: `a${number}`, labels: number === 0 ? ['x', 'y', 'x'] : ['x'] }
        const task = { tenant_id: tenantId, id, title: 'a', status: 'open', source, meeting_id, accepted_revision }
        await insert('tasks', { ...task, ...placed, ...times })
      }
    })
    const upgraded = await testApp({ database })
    const rows = (text: string) => many(upgraded.platform, sql.raw(text))
    assert.deepEqual(
      await rows('select task_id, label, visible_to_members as open from labelled_tasks order by number, label'),
      [
        { task_id: accepted, label: 'x', open: true },
        { task_id: accepted, label: 'y', open: true },
        { task_id: proposed, label: 'x', open: true },
        { task_id: closed, label: 'x', open: false },
      ],
    )
    assert.deepEqual(
      await rows('select id from tasks where visible_to_members is distinct from (accepted_revision is not null)'),
      [{ id: proposed }],
    )
    assert.deepEqual(await rows('select user_id, meeting_count from meeting_counts'), [
      { user_id: userId, meeting_count: 2 },
    ])
    assert.deepEqual(
      await rows('select meeting_id, is_listed, meeting_created_at from meeting_shares order by is_listed'),
      [
        { meeting_id: openId, is_listed: false, meeting_created_at: now },
        { meeting_id: privateId, is_listed: true, meeting_created_at: now },
      ],
    )
    await database.close()
  })
})
