import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { many, sql } from '../../storage/query.ts'
import { mayRead } from './sharing.store.ts'

let app: TestApp
let key: TestKey
let meetings: ReturnType<typeof meetingCalls>
let orgs: ReturnType<typeof organizationCalls>
const share = (user: TestUser, access = 'read') => ({ userId: user.id, access })
const ok = async (reply: Promise<{ status: number }>) => assert.equal(Math.trunc((await reply).status / 100), 2)

before(async () => {
  app = await testApp()
  key = await app.apiKey(await app.tenant())
  meetings = meetingCalls(app)
  orgs = organizationCalls(app)
})

test('lists of meetings show and count what may be read, newest first, after every change', async () => {
  const [owner, member] = [await orgs.person(key), await orgs.person(key)]
  const orgId: string = (await orgs.create(owner)).id
  const url = `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`
  await ok(app.call({ method: 'POST', url, headers: app.admin, body: { userId: member.id, role: 'member' } }))
  const other = await orgs.add(key, orgId, 'admin')
  const users = [owner, member, other]
  const create = async (user: TestUser, body: Record<string, unknown>): Promise<string> => {
    app.clock.advance({ seconds: 1 })
    return (await meetings.create(user, body)).id
  }
  const isSame = async () => {
    for (const { id, ...user } of users) {
      const readable = await many(
        app.platform,
        sql<{ id: string; isOwn: boolean }>`select m.id, m.user_id = ${id} as "isOwn" from meetings m
          where m.tenant_id = ${key.tenantId} and ${mayRead(id)} order by m.created_at desc, m.id desc`,
      )
      const expected = {
        own: readable.filter(({ isOwn }) => isOwn),
        shared: readable.filter(({ isOwn }) => !isOwn),
        all: readable,
      }
      for (const [scope, rows] of Object.entries(expected)) {
        const ids = rows.map((row) => row.id)
        for (const filter of ['', '&status=scheduled', `&orgId=${orgId}`]) {
          const { body } = await meetings.call({ id, ...user }, 'GET', `?limit=2&page=1&scope=${scope}${filter}`)
          const all = await meetings.call({ id, ...user }, 'GET', `?limit=100&scope=${scope}${filter}`)
          const listed: string[] = all.body.meetings.map((meeting: { id: string }) => meeting.id)
          if (filter === '') assert.deepEqual(listed, ids, scope)
          assert.deepEqual(
            listed,
            ids.filter((it) => listed.includes(it)),
            `${scope}${filter}`,
          )
          assert.equal(body.pagination.total, listed.length, `${scope}${filter}`)
          assert.equal(body.meetings.length, Math.min(2, listed.length))
        }
      }
    }
  }
  await isSame()
  const open = await create(owner, { orgId })
  const listed = await create(owner, {
    orgId,
    visibility: 'members',
    sharedWith: [share(member), share(other, 'write')],
  })
  const written = await create(owner, { orgId, visibility: 'org', sharedWith: [share(member, 'write')] })
  const own = await create(member, { title: 'Mine' })
  await create(member, { orgId })
  await create(member, { orgId, visibility: 'members', sharedWith: [share(owner)] })
  await isSame()
  await ok(meetings.call(owner, 'PATCH', `/${written}`, { body: { visibility: 'members' } }))
  await ok(meetings.call(owner, 'PATCH', `/${open}`, { body: { visibility: 'private' } }))
  await isSame()
  await ok(meetings.call(owner, 'PATCH', `/${listed}`, { body: { visibility: 'org' } }))
  await ok(meetings.call(member, 'DELETE', `/${own}`))
  await isSame()
  await ok(orgs.call(owner, 'DELETE', `/orgs/${orgId}/members/${member.id}?meetingsTo=${other.id}`))
  await isSame()
  await ok(
    orgs.call(
      owner,
      'DELETE',
      `/orgs/${orgId}?confirm=${encodeURIComponent((await orgs.call(owner, 'GET', `/orgs/${orgId}`)).body.org.name)}`,
    ),
  )
  await isSame()
})

test('who has no meeting any more is not counted', async () => {
  const user = await orgs.person(key)
  const countsOf = () =>
    many(app.platform, sql`select meeting_count as count from meeting_counts where user_id = ${user.id}`)
  const ids = [(await meetings.create(user)).id, (await meetings.create(user)).id]
  assert.deepEqual(await countsOf(), [{ count: 2 }])
  for (const id of ids) await ok(meetings.call(user, 'DELETE', `/${id}`))
  assert.deepEqual(await countsOf(), [])
})
