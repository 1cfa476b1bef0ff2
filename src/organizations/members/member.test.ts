import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { organizationCalls, type TestRole } from '../../../test/harness/organizations.ts'
import type { Handle } from '../../storage/handle.ts'
import { many, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { compile } from '../../storage/sql.ts'
import { orgRoles } from '../role.rules.ts'
import type { Members } from './member.service.ts'
import { membershipEnder } from './user-removal.ts'

describe('members of an organization', () => {
  let app: TestApp
  let calls: ReturnType<typeof organizationCalls>
  let key: TestKey
  let owner: TestUser
  let orgId: string

  before(async () => {
    app = await testApp()
    calls = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
  })
  beforeEach(async () => {
    owner = await calls.person(key)
    orgId = (await calls.create(owner)).id
  })

  const setRole = (by: TestUser, who: TestUser, role: TestRole) =>
    calls.call(by, 'PATCH', `/orgs/${orgId}/members/${who.id}`, { body: { role } })
  const remove = (by: TestUser, who: TestUser) => calls.call(by, 'DELETE', `/orgs/${orgId}/members/${who.id}`)
  const leave = (who: TestUser) => calls.call(who, 'DELETE', `/orgs/${orgId}/members/me`)

  test('are seen by every member, and counted', async () => {
    const viewer = await calls.add(key, orgId, 'viewer')
    assert.deepEqual(await calls.roles(viewer, orgId), { [owner.id]: 'owner', [viewer.id]: 'viewer' })
    assert.equal((await calls.get(viewer, orgId)).body.org.memberCount, 2)
  })

  test('are managed by the table of roles: admins manage members and viewers, owners everybody', async () => {
    const managed: TestRole[] = ['member', 'viewer']
    for (const by of ['admin', 'member', 'viewer'] as const) {
      const actor = await calls.add(key, orgId, by)
      for (const from of orgRoles) {
        const target = await calls.add(key, orgId, from)
        const isManaged = by === 'admin' && managed.includes(from)
        for (const to of orgRoles) {
          const { status } = await setRole(actor, target, to)
          assert.equal(status, isManaged && managed.includes(to) ? 200 : 403, `${by} makes ${from} ${to}`)
          await setRole(owner, target, from)
        }
        assert.equal((await remove(actor, target)).status, isManaged ? 204 : 403, `${by} removes ${from}`)
      }
    }
    const target = await calls.add(key, orgId, 'viewer')
    for (const role of orgRoles.toReversed()) assert.equal((await setRole(owner, target, role)).status, 200)
    assert.equal((await remove(owner, target)).status, 204)
    assert.equal((await remove(owner, target)).status, 404)
  })

  test('include an owner, always', async () => {
    await calls.add(key, orgId, 'admin')
    for (const reply of [await leave(owner), await remove(owner, owner), await setRole(owner, owner, 'admin')])
      assert.deepEqual([reply.status, reply.body.code], [409, 'STATE_CONFLICT'])
    assert.equal((await calls.roles(owner, orgId))[owner.id], 'owner')
  })

  test('include an owner also after two owners left at once, or one left while the other was lowered', async () => {
    for (let round = 0; round < 25; round++) {
      const [one, two] = [await calls.person(key), await calls.person(key)]
      orgId = (await calls.create(one)).id
      const url = `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`
      await app.call({ method: 'POST', url, headers: app.admin, body: { userId: two.id, role: 'owner' } })
      const other = [leave, () => remove(one, two), () => setRole(one, two, 'viewer')][round % 3] as typeof leave
      const replies = await Promise.all([leave(one), other(two)])
      assert.ok(replies.every(({ status }) => status < 500))
      const owners = await many(
        app.platform,
        sql<{ id: string }>`select user_id as id from organization_members where org_id = ${orgId} and role = 'owner'`,
      )
      assert.ok(owners.length >= 1, JSON.stringify(replies.map(({ status }) => status)))
    }
  })

  test('become owner by a transfer, which makes the owner before an admin', async () => {
    const heir = await calls.add(key, orgId, 'viewer')
    const transfer = (by: TestUser, to: string) =>
      calls.call(by, 'POST', `/orgs/${orgId}/transfer`, { body: { userId: to } })
    assert.equal((await transfer(heir, heir.id)).body.code, 'INSUFFICIENT_ROLE')
    const stranger = await calls.person(key)
    for (const to of [stranger.id, owner.id]) {
      const { status, body } = await transfer(owner, to)
      assert.deepEqual([status, body.errors[0].path], [400, '/body/userId'])
    }
    assert.equal((await transfer(owner, heir.id)).status, 200)
    assert.deepEqual(await calls.roles(heir, orgId), { [owner.id]: 'admin', [heir.id]: 'owner' })
  })

  test('who are removed while the organization is handed to them leave it with an owner', async () => {
    for (let round = 0; round < 15; round++) {
      const heir = await calls.add(key, orgId, 'member')
      const admin = await calls.add(key, orgId, 'admin')
      const transfer = calls.call(owner, 'POST', `/orgs/${orgId}/transfer`, { body: { userId: heir.id } })
      const [handed, removed] = await Promise.all([transfer, remove(admin, heir)])
      const isHanded = handed.status === 200
      assert.equal(removed.status, isHanded ? 403 : 204, `${handed.status} ${removed.status}`)
      if (isHanded) owner = heir
      assert.equal((await calls.roles(owner, orgId))[owner.id], 'owner')
    }
  })

  test('get no more seats than the limit, however many are added at once', async () => {
    const limited = await app.apiKey(await app.tenant({ limits: { maxOrgMembers: 4 } }))
    const first = await calls.person(limited)
    const org = await calls.create(first)
    const users = await Promise.all(Array.from({ length: 8 }, () => calls.person(limited)))
    const url = `/admin/tenants/${limited.tenantId}/orgs/${org.id}/members`
    const replies = await Promise.all(
      users.map(({ id }) =>
        app.call({ method: 'POST', url, headers: app.admin, body: { userId: id, role: 'member' } }),
      ),
    )
    assert.equal(replies.filter(({ status }) => status === 201).length, 3)
    assert.ok(replies.every(({ status, body }) => status === 201 || body.code === 'QUOTA_EXCEEDED'))
    assert.equal(Object.keys(await calls.roles(first, org.id)).length, 4)
    assert.equal((await calls.get(first, org.id)).body.org.memberCount, 4)
  })

  test('who left see nothing of it any more, and their seat is free', async () => {
    const member = await calls.add(key, orgId, 'member')
    assert.equal((await leave(member)).status, 204)
    assert.equal((await calls.get(member, orgId)).status, 404)
    assert.equal((await calls.get(owner, orgId)).body.org.memberCount, 1)
  })

  test('who are none any more are in no answer that is repeated', async () => {
    const user = await calls.person(key)
    const administrator = await calls.person(key)
    await app.promote(administrator)
    const body = { userId: user.id, role: 'member' }
    const byPlatform = (headers: object) =>
      app.call({
        method: 'POST',
        url: `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`,
        headers: { ...app.admin, ...headers },
        body,
      })
    const byTenant = (headers: object) => calls.call(administrator, 'POST', `/orgs/${orgId}/members`, { body, headers })
    const handOver = (headers: object) =>
      calls.call(owner, 'POST', `/orgs/${orgId}/transfer`, { body: { userId: user.id }, headers })
    const repeated = [byPlatform, byTenant, handOver].map((ask) => {
      const headers = { 'idempotency-key': unique('k') }
      return () => ask(headers)
    })
    const statuses = async () => {
      const found: number[] = []
      for (const ask of repeated) found.push((await ask()).status)
      return found
    }
    assert.deepEqual(await statuses(), [201, 200, 200])
    assert.deepEqual(await statuses(), [201, 200, 200])
    const another = await calls.person(key)
    const url = `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`
    await app.call({ method: 'POST', url, headers: app.admin, body: { userId: another.id, role: 'owner' } })
    assert.equal((await leave(user)).status, 204)
    assert.deepEqual(await statuses(), [404, 404, 404])
    assert.equal((await byPlatform({ 'idempotency-key': unique('k') })).status, 201, 'another request')
    assert.deepEqual(await statuses(), [201, 200, 200], 'a member again')
    assert.equal((await remove(another, owner)).status, 204)
    assert.deepEqual(await statuses(), [201, 200, 404], 'no answer to who was removed')
    assert.equal((await calls.call(another, 'DELETE', `/orgs/${orgId}?confirm=Research`)).status, 204)
    assert.deepEqual(await statuses(), [404, 404, 404])
  })

  test('who leave keep the stored answers of what has nothing to do with the organization', async () => {
    const headers = { 'x-api-key': key.key, 'idempotency-key': unique('k') }
    const body = { email: `${unique('person')}@example.com`, password: 'correct horse battery staple' }
    const register = () => app.call({ method: 'POST', url: '/v1/auth/register', headers, body })
    const first = (await register()).body
    await app.call({
      method: 'POST',
      url: `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`,
      headers: app.admin,
      body: { userId: first.user.id, role: 'member' },
    })
    assert.equal((await remove(owner, first.user)).status, 204)
    const again = await register()
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true'])
    assert.deepEqual(again.body, first)
  })

  test('who left get no answer again that shows the organization, also not to creating or joining it', async () => {
    const [creator, guest] = [await calls.person(key), await calls.person(key)]
    const headers = { 'idempotency-key': unique('k') }
    const create = () => calls.call(creator, 'POST', '/orgs', { body: { name: 'Research' }, headers })
    const { id } = (await create()).body.org
    await calls.invite(creator, id, guest.email, 'admin')
    const body = { token: await calls.token(guest.email) }
    const accept = () => calls.call(guest, 'POST', '/invitations/accept', { body, headers })
    for (const repeat of [create, accept, create, accept]) assert.ok((await repeat()).status < 300)
    await calls.call(creator, 'POST', `/orgs/${id}/transfer`, { body: { userId: guest.id } })
    await calls.call(creator, 'DELETE', `/orgs/${id}/members/me`)
    assert.deepEqual([(await create()).status, (await accept()).status], [404, 200])
    await calls.call(guest, 'DELETE', `/orgs/${id}?confirm=Research`)
    assert.equal((await accept()).status, 404)
  })

  test('who are no users of the tenant are not added', async () => {
    const foreigner = await calls.person(await app.apiKey(await app.tenant()))
    const url = `/admin/tenants/${key.tenantId}/orgs/${orgId}/members`
    for (const userId of [foreigner.id, '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57']) {
      const { status, body } = await app.call({
        method: 'POST',
        url,
        headers: app.admin,
        body: { userId, role: 'member' },
      })
      assert.deepEqual([status, body.errors[0].path], [400, '/body/userId'])
    }
  })
})

describe('a user who is removed', () => {
  let app: TestApp
  let calls: ReturnType<typeof organizationCalls>
  let key: TestKey

  before(async () => {
    app = await testApp()
    calls = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
  })

  const removeUser = async (user: TestUser) => {
    const { status } = await app.call({ method: 'DELETE', url: `/admin/users/${user.id}`, headers: app.admin })
    assert.equal(status, 204)
  }

  test('is succeeded, as the only owner, by the admin who joined first, and else by such a member', async () => {
    for (const [roles, heir] of [
      [['viewer', 'member', 'admin', 'admin'], 2],
      [['viewer', 'member', 'member'], 1],
    ] as const) {
      const owner = await calls.person(key)
      const { id } = await calls.create(owner)
      const others: TestUser[] = []
      for (const role of roles) {
        others.push(await calls.add(key, id, role))
        app.clock.advance({ seconds: 1 })
      }
      await removeUser(owner)
      const after = await calls.roles(others[0] as TestUser, id)
      assert.equal(after[(others[heir] as TestUser).id], 'owner')
      assert.equal(Object.values(after).filter((role) => role === 'owner').length, 1)
      const entries = await app.call({ url: `/admin/audit-logs?tenantId=${key.tenantId}&limit=20`, headers: app.admin })
      const change = entries.body.auditLogs.find(
        ({ action, target }: { action: string; target: { id: string } }) =>
          action === 'org.member.change' && target.id === id,
      )
      assert.equal(change.actor.type, 'SYSTEM')
    }
  })

  test('has all organizations locked before a membership ends, for that locks meetings', async () => {
    const user = await calls.person(key)
    for (let n = 0; n < 3; n++) {
      const owner = await calls.person(key)
      const url = `/admin/tenants/${key.tenantId}/orgs/${(await calls.create(owner)).id}/members`
      await app.call({ method: 'POST', url, headers: app.admin, body: { userId: user.id, role: 'member' } })
    }
    const steps: string[] = []
    const end = membershipEnder({
      members: { end: async () => void steps.push('end') } as unknown as Members,
      eraseOrganization: () => assert.fail('each has another owner'),
    })
    await transaction(app.scopeOf(key.tenantId), (tx) => {
      const execute: Handle['execute'] = (statement) => {
        if (compile(statement).sql.includes('for no key update')) steps.push('lock')
        return tx.handle.execute(statement)
      }
      return end({ ...tx, handle: { ...tx.handle, execute } }, { tenantId: key.tenantId, userId: user.id })
    })
    assert.deepEqual(steps, ['lock', 'end', 'end', 'end'])
  })

  test('takes an organization along in which only viewers would be left', async () => {
    const owner = await calls.person(key)
    const { id } = await calls.create(owner)
    const viewer = await calls.add(key, id, 'viewer')
    await removeUser(owner)
    assert.equal((await calls.get(viewer, id)).status, 404)
  })

  test('leaves an organization that has another owner as it is', async () => {
    const [owner, other] = [await calls.person(key), await calls.person(key)]
    const { id } = await calls.create(owner)
    const url = `/admin/tenants/${key.tenantId}/orgs/${id}/members`
    await app.call({ method: 'POST', url, headers: app.admin, body: { userId: other.id, role: 'owner' } })
    await removeUser(owner)
    assert.deepEqual(await calls.roles(other, id), { [other.id]: 'owner' })
    assert.equal((await calls.get(other, id)).body.org.memberCount, 1)
  })
})
