import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { type LiveClient, liveClient } from '../../../test/harness/live-client.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls, type TestRole } from '../../../test/harness/organizations.ts'
import { sharingStorm } from '../../../test/harness/sharing-storm.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { many, type Sql, sql } from '../../storage/query.ts'
import { questionQueue } from '../live/question-queue.ts'
import { getMeeting, readMeeting } from './meeting-access.ts'
import { isSameSharing } from './sharing.rules.ts'
import { isMeetingReadableBy, mayRead, readableMeetings } from './sharing.store.ts'

let app: TestApp
let base: string
let key: TestKey
let meetings: ReturnType<typeof meetingCalls>
let orgs: ReturnType<typeof organizationCalls>
let owner: TestUser
let orgId: string
let people: Record<TestRole | 'stranger', TestUser>

before(async () => {
  app = await testApp()
  base = await app.app.server.listen({ host: '127.0.0.1', port: 0 })
  meetings = meetingCalls(app)
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  owner = await orgs.person(key)
})
after(() => app.app.server.close())

async function makeOrganization(): Promise<void> {
  const chief = await orgs.person(key)
  orgId = (await orgs.create(chief)).id
  await addMember(owner, 'member')
  const [admin, member, viewer, stranger] = await Promise.all([
    orgs.add(key, orgId, 'admin'),
    orgs.add(key, orgId, 'member'),
    orgs.add(key, orgId, 'viewer'),
    orgs.person(key),
  ])
  people = { owner: chief, admin, member, viewer, stranger }
}

function addMember(user: TestUser, role: TestRole) {
  const url = `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`
  return app.call({ method: 'POST', url, headers: app.admin, body: { userId: user.id, role } })
}
const change = (user: TestUser, id: string, body: object) => meetings.call(user, 'PATCH', `/${id}`, { body })
const accessOf = async (user: TestUser, id: string) => {
  const { status, body } = await meetings.get(user, id)
  return status === 200 ? body.access : status
}
const share = (user: TestUser, access: 'read' | 'write' = 'read') => ({ userId: user.id, access })
const follow = async (user: TestUser, meetingId: string): Promise<LiveClient> => {
  const client = await liveClient({ base, token: user.accessToken })
  client.send({ type: 'join', meetingId })
  await client.next('joined')
  return client
}
const list = async (user: TestUser, query: string): Promise<string[]> =>
  (await meetings.call(user, 'GET', query)).body.meetings.map(({ id }: { id: string }) => id)

describe('a meeting', () => {
  beforeEach(makeOrganization)

  test('with an organization is open to its members, unless it says otherwise', async () => {
    const { id, visibility, sharedWith, access } = await meetings.create(owner, { orgId })
    assert.deepEqual([visibility, sharedWith, access], ['org', [], 'owner'])
    for (const reader of [people.owner, people.admin, people.member, people.viewer]) {
      const { body } = await meetings.get(reader, id)
      assert.deepEqual([body.access, body.sharedWith, body.ownerId], ['read', null, owner.id])
    }
    assert.equal(await accessOf(people.stranger, id), 404)
    assert.equal((await meetings.create(owner, { orgId, visibility: 'private' })).visibility, 'private')
  })

  test('that is private is closed to every role, and one for listed members to all others', async () => {
    const closed = await meetings.create(owner, { orgId, visibility: 'private' })
    for (const person of Object.values(people)) assert.equal(await accessOf(person, closed.id), 404)
    const sharedWith = [share(people.member, 'write'), share(people.viewer, 'write')]
    const { id } = await meetings.create(owner, { orgId, visibility: 'members', sharedWith })
    assert.deepEqual(await Promise.all(Object.values(people).map((person) => accessOf(person, id))), [
      404,
      404,
      'write',
      'read', // a viewer never writes
      404,
    ])
    const { body } = await meetings.get(owner, id)
    assert.deepEqual(body.sharedWith.map(({ userId }: { userId: string }) => userId).sort(), [
      ...sharedWith.map(({ userId }) => userId).sort(),
    ])
  })

  test('takes no sharing that its organization does not allow, and names every wrong field', async () => {
    const { id } = await meetings.create(owner)
    const cases: [body: object, paths: string[]][] = [
      [{ visibility: 'org' }, ['/body/orgId']],
      [{ visibility: 'members', sharedWith: [share(people.member)] }, ['/body/orgId']],
      [{ orgId: newId(new Date()) }, ['/body/orgId']],
      [{ orgId: null, visibility: 'members' }, ['/body/orgId']],
      [{ orgId, visibility: 'private', sharedWith: [share(people.member)] }, ['/body/sharedWith']],
      [
        {
          orgId,
          sharedWith: [share(people.member), share(people.member), share(people.stranger), share(owner)],
          scheduledAt: '9999-12-31T23:59:59-01:00',
        },
        ['/body/scheduledAt', '/body/sharedWith/1/userId', '/body/sharedWith/2/userId', '/body/sharedWith/3/userId'],
      ],
    ]
    for (const [body, paths] of cases)
      for (const reply of [
        await change(owner, id, body),
        await meetings.call(owner, 'POST', '', { body: { title: 'Planning', ...body } }),
      ]) {
        assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'])
        assert.deepEqual(reply.body.errors.map(({ path }: { path: string }) => path).sort(), paths)
      }
    const foreign = (await orgs.create(people.stranger)).id
    for (const by of [owner, people.viewer]) {
      const body = { title: 'Planning', orgId: by === owner ? foreign : orgId }
      const reply = await meetings.call(by, 'POST', '', { body })
      assert.deepEqual([reply.status, reply.body.errors[0].path], [400, '/body/orgId'])
    }
    assert.equal((await meetings.get(owner, id)).body.orgId, null)
  })

  test('is changed by who may write, while sharing, retention and deletion stay with the owner', async () => {
    const sharedWith = [share(people.admin), share(people.member, 'write')]
    const { id } = await meetings.create(owner, { orgId, visibility: 'members', sharedWith })
    const { viewer: unlisted, admin: reader, member: writer } = people
    const file = { headers: { 'content-type': 'text/vtt' }, body: 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hello.\n' }
    const byWriters = [
      (by: TestUser) => change(by, id, { title: 'Changed' }),
      (by: TestUser) => meetings.call(by, 'PUT', `/${id}/settings`, { body: { personality: 'coach' } }),
      (by: TestUser) => meetings.call(by, 'POST', `/${id}/start`),
      (by: TestUser) => meetings.append(by, id, [said('one')]),
      (by: TestUser) => meetings.call(by, 'POST', `/${id}/transcript/import`, file),
      (by: TestUser) => meetings.call(by, 'POST', `/${id}/end`),
    ]
    const byOwner = [
      (by: TestUser) => change(by, id, { ttl_days: 5 }),
      (by: TestUser) => change(by, id, { visibility: 'org' }),
      (by: TestUser) => change(by, id, { sharedWith: [] }),
      (by: TestUser) => change(by, id, { orgId: null }),
      (by: TestUser) => meetings.remove(by, id),
    ]
    for (const [calls, isForWriters] of [
      [byWriters, true],
      [byOwner, false],
    ] as const)
      for (const call of calls) {
        assert.equal((await call(unlisted)).status, 404, `unlisted: ${call}`)
        for (const by of isForWriters ? [reader] : [reader, writer]) {
          const { status, body } = await call(by)
          assert.deepEqual([status, body.code], [403, 'INSUFFICIENT_ROLE'], String(call))
        }
        if (isForWriters) assert.equal((await call(writer)).status, 200, String(call))
      }
    for (const path of ['', '/transcript', '/transcript?limit=1', '/summary']) {
      assert.equal((await meetings.call(reader, 'GET', `/${id}${path}`)).status, 200)
      assert.equal((await meetings.call(unlisted, 'GET', `/${id}${path}`)).status, 404)
    }
    assert.equal((await byOwner[4]?.(owner))?.status, 204)
  })

  test('is listed as own, shared or both, to everybody as they may read it', async () => {
    const lister = await orgs.add(key, orgId, 'member')
    const own = await meetings.create(lister, { title: 'Own' })
    const open = await meetings.create(owner, { orgId })
    const listed = await meetings.create(owner, { orgId, visibility: 'members', sharedWith: [share(lister)] })
    await meetings.create(owner, { orgId, visibility: 'members', sharedWith: [share(people.admin)] })
    await meetings.create(owner, { orgId, visibility: 'private' })
    const ids = (...of: { id: string }[]) => of.map(({ id }) => id).sort()
    for (const [query, expected] of [
      ['', ids(own)],
      ['?scope=own', ids(own)],
      ['?scope=shared', ids(open, listed)],
      ['?scope=all', ids(own, open, listed)],
      [`?scope=all&orgId=${orgId}`, ids(open, listed)],
      [`?orgId=${orgId}`, []],
    ] as const)
      assert.deepEqual((await list(lister, query)).sort(), expected, query)
    const { body } = await meetings.call(lister, 'GET', '?scope=all&limit=2')
    assert.deepEqual(body.pagination, { page: 1, limit: 2, total: 3, totalPages: 2 })
  })

  test('loses its readers with its organization or with a change of it', async () => {
    const other = (await orgs.create(owner)).id
    const shared = { orgId, visibility: 'members', sharedWith: [share(people.member)] }
    for (const [body, visibility] of [
      [{ orgId: null }, 'private'],
      [{ visibility: 'private' }, 'private'],
      [{ orgId: other }, 'org'],
    ] as const) {
      const { id } = await meetings.create(owner, shared)
      const { body: changed } = await change(owner, id, body)
      assert.deepEqual([changed.visibility, changed.sharedWith], [visibility, []])
      assert.equal(await accessOf(people.member, id), 404)
    }
    const { id } = await meetings.create(owner, shared)
    assert.equal((await change(owner, id, { orgId })).body.visibility, 'members')
  })
})

describe('who leaves an organization', () => {
  beforeEach(makeOrganization)

  const leave = (user: TestUser) => orgs.call(user, 'DELETE', `/orgs/${orgId}/members/me`)

  test('takes their meetings along, private again, and loses what was shared with them, for good', async () => {
    const { member } = people
    const own = await meetings.create(member, { orgId, sharedWith: [share(owner, 'write')] })
    const open = await meetings.create(owner, { orgId })
    const listed = await meetings.create(owner, { orgId, visibility: 'members', sharedWith: [share(member)] })
    assert.equal((await leave(member)).status, 204)
    const { body } = await meetings.get(member, own.id)
    assert.deepEqual([body.orgId, body.visibility, body.sharedWith], [null, 'private', []])
    assert.equal(await accessOf(owner, own.id), 404)
    const { revision, sharedWith } = (await meetings.get(owner, listed.id)).body
    assert.deepEqual([revision, sharedWith], [listed.revision + 1, []])
    for (const { id } of [open, listed]) assert.equal(await accessOf(member, id), 404)
    await addMember(member, 'member')
    assert.equal(await accessOf(member, listed.id), 404)
    assert.equal(await accessOf(member, open.id), 'read')
  })

  test('can be relieved by an admin of what is open to the organization, and of nothing else', async () => {
    const { member, admin } = people
    const open = await meetings.create(member, { orgId, sharedWith: [share(owner, 'write')] })
    const closed = await meetings.create(member, { orgId, visibility: 'private' })
    const listed = await meetings.create(member, { orgId, visibility: 'members', sharedWith: [share(owner)] })
    const remove = (to: string) => orgs.call(admin, 'DELETE', `/orgs/${orgId}/members/${member.id}?meetingsTo=${to}`)
    for (const { id } of [member, people.stranger, people.viewer]) {
      const { status, body } = await remove(id)
      assert.deepEqual([status, body.errors[0].path], [400, '/query/meetingsTo'])
    }
    assert.equal((await remove(owner.id)).status, 204)
    const { body } = await meetings.get(owner, open.id)
    assert.deepEqual([body.access, body.visibility, body.sharedWith, body.ownerId], ['owner', 'org', [], owner.id])
    assert.equal(await accessOf(member, open.id), 404)
    for (const { id } of [closed, listed]) {
      assert.equal(await accessOf(member, id), 'owner')
      assert.equal(await accessOf(owner, id), 404)
    }
  })

  test('is shown nothing more of what was handed over, also not the answer that was being made', async () => {
    const scope = app.scopeOf(key.tenantId)
    const handOver = () =>
      orgs.call(people.owner, 'DELETE', `/orgs/${orgId}/members/${owner.id}?meetingsTo=${people.member.id}`)
    const isGone = (error: unknown) => error instanceof Refusal && error.code === 'NOT_FOUND'
    const { id } = await meetings.create(owner, { orgId })
    await assert.rejects(readMeeting(scope, { user: owner, id }, handOver), isGone)
    await addMember(owner, 'member')
    const meeting = await getMeeting(scope, owner, (await meetings.create(owner, { orgId })).id)
    const outcome = await new Promise<unknown>((resolve) => {
      const client = { scope, user: owner, connection: { send: resolve, refuse: resolve } }
      const answerQuestion = async () => {
        await handOver()
        return { found: true, parts: [{ text: 'Yes.', citations: [] }], engine: 'local', fallbackReason: null }
      }
      const deps = { ...client, answerQuestion } as unknown as Parameters<typeof questionQueue>[0]
      questionQueue(deps).ask({}, { meeting } as Parameters<ReturnType<typeof questionQueue>['ask']>[1])
    })
    assert.ok(isGone(outcome), JSON.stringify(outcome))
  })

  test('keeps their own meetings with a lower role, but shares no more of them', async () => {
    const { member } = people
    const { id } = await meetings.create(member, { orgId })
    await orgs.call(people.owner, 'PATCH', `/orgs/${orgId}/members/${member.id}`, { body: { role: 'viewer' } })
    assert.equal(await accessOf(member, id), 'owner')
    const refused = await change(member, id, { visibility: 'members', sharedWith: [share(owner)] })
    assert.equal(refused.body.code, 'INSUFFICIENT_ROLE')
    assert.equal((await change(member, id, { visibility: 'private' })).status, 200)
  })

  test('hears nothing more in live connections, nor does anybody after a removal or a deletion', async () => {
    const open = await meetings.create(owner, { orgId })
    const mine = await meetings.create(people.member, { orgId })
    const own = await meetings.create(people.admin)
    const [left, staying, ofLeaver] = await Promise.all([
      follow(people.member, open.id),
      follow(people.admin, open.id),
      follow(owner, mine.id),
    ])
    staying.send({ type: 'join', meetingId: own.id })
    await staying.next('joined')
    await leave(people.member)
    await meetings.append(owner, open.id, [said('secret')])
    for (const client of [left, ofLeaver]) assert.deepEqual(await client.closed, { code: 4404, reason: 'NOT_FOUND' })
    assert.ok(!left.frames.some(({ type }) => type === 'transcript.entry'))
    await staying.next('transcript.entry')
    const { name } = (await orgs.get(people.owner, orgId)).body.org
    const deleted = await orgs.call(people.owner, 'DELETE', `/orgs/${orgId}?confirm=${name}`)
    assert.equal(deleted.status, 204)
    assert.deepEqual(await staying.next('left'), { type: 'left', meetingId: open.id })
    const { body } = await meetings.get(owner, open.id)
    assert.deepEqual([body.access, body.orgId, body.visibility], ['owner', null, 'private'])
    await staying.close()
  })
})

test('sharing is the same in whatever order the members of a share come', () => {
  const sharing = { orgId, visibility: 'members' as const }
  const userId = owner.id
  const read = { ...sharing, sharedWith: [{ userId, access: 'read' as const }] }
  assert.equal(isSameSharing(read, { ...sharing, sharedWith: [{ access: 'read', userId }] }), true)
  assert.equal(isSameSharing(read, { ...sharing, sharedWith: [{ access: 'write', userId }] }), false)
})

test('lists and single meetings follow one rule, for every sharing and role', async () => {
  await makeOrganization()
  const { member, viewer } = people
  const own = await meetings.create(member)
  for (const visibility of ['private', 'org', 'members'])
    for (const sharedWith of [[], [share(member)], [share(viewer, 'write'), share(member, 'write')]])
      if (visibility !== 'private' || sharedWith.length === 0)
        await meetings.create(owner, { orgId, visibility, sharedWith })
  const scope = app.scopeOf(key.tenantId)
  for (const { id: userId } of [owner, ...Object.values(people)]) {
    const idsOf = async (from: Sql) =>
      (await many(scope, sql<{ id: string }>`select m.id ${from}`)).map(({ id }) => id).sort()
    const listed = (which: 'own' | 'shared' | 'all', newest: number) =>
      idsOf(readableMeetings(scope, { userId, which, condition: null }, newest))
    const single = await idsOf(sql`from meetings m where m.tenant_id = ${key.tenantId} and ${mayRead(userId)}`)
    assert.deepEqual(await listed('all', 1000), single)
    assert.deepEqual([...(await listed('own', 1000)), ...(await listed('shared', 1000))].sort(), single)
    assert.equal(single.includes(own.id), userId === member.id)
  }
})

test('whether a meeting is readable is asked for single rows, without reading the meetings of all tenants', async () => {
  const readable = isMeetingReadableBy(newId(app.clock.now()), { tenantId: sql`t.id`, id: sql`t.id` })
  const rows = sql`(select gen_random_uuid() as id from generate_series(1, 100000)) as t`
  const plan = await many(app.platform, sql`explain select from ${rows} where t.id is null or ${readable}`)
  assert.match(JSON.stringify(plan), /SubPlan/)
  assert.doesNotMatch(JSON.stringify(plan), /hashed/)
})

test('nobody is shown what they could not read when it was said, through random changes of roles, shares and members', async () => {
  const { leaks, ...seen } = await sharingStorm([{ app, base }], { changes: 60 })
  assert.deepEqual(leaks, [])
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, what)
})
