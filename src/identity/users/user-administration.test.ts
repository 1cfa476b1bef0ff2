import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, type TestUser, testApp, testSecrets, unique } from '../../../test/harness/app.ts'
import { newId } from '../../kernel/ids.ts'
import { eventBus } from '../../storage/events.ts'
import { one, sql } from '../../storage/query.ts'
import { auditRecorder } from '../audit/audit.store.ts'
import { endUserSessions } from '../tokens/session.store.ts'
import { userAdministration } from './user-administration.service.ts'

let app: TestApp
let clock: TestApp['clock']
let audit: ReturnType<typeof auditRecorder>
before(async () => {
  app = await testApp()
  clock = app.clock
  audit = auditRecorder(clock, testSecrets.derive('audit-chain'))
})

const keyOf = async () => app.apiKey(await app.tenant())
const get = (path: string) => app.call({ url: `/admin/users${path}`, headers: app.admin })
const patch = (id: string, body: unknown) =>
  app.call({ method: 'PATCH', url: `/admin/users/${id}`, headers: app.admin, body })
const me = ({ headers }: TestUser) => app.call({ url: '/vault/v1/auth/me', headers })
const logIn = ({ email, password, headers }: TestUser) =>
  app.call({
    method: 'POST',
    url: '/v1/auth/login',
    headers: { 'x-api-key': headers['x-api-key'] ?? '' },
    body: { email, password },
  })

test('users are listed newest first, by tenant, a page at a time', async () => {
  const [key, other] = [await keyOf(), await keyOf()]
  const ids: string[] = []
  for (let user = 0; user < 3; user += 1) {
    clock.advance({ ms: 1 })
    ids.unshift((await app.user(key)).id)
  }
  await app.user(other)
  const { status, body } = await get(`?tenantId=${key.tenantId}&limit=2`)
  assert.equal(status, 200)
  assert.deepEqual(body.pagination, { page: 1, limit: 2, total: 3, totalPages: 2 })
  assert.deepEqual(
    body.users.map(({ id }: { id: string }) => id),
    ids.slice(0, 2),
  )
  assert.deepEqual(
    (await get(`?tenantId=${key.tenantId}&limit=2&page=2`)).body.users.map(({ id }: { id: string }) => id),
    ids.slice(2),
  )
  assert.deepEqual((await get(`?tenantId=${key.tenantId}&page=9`)).body.users, [])
  assert.deepEqual((await get(`?tenantId=${newId(clock.now())}`)).body.users, [])
})

test('a user is found by the complete address or its start, whatever characters it contains', async () => {
  const key = await keyOf()
  const start = unique('find')
  const emails = [`${start}_a@example.com`, `${start}-b@example.com`, `${start}_a@example.com.au`]
  for (const email of emails) await app.user(key, { email })
  const found = async (email: string) => {
    const { body } = await get(`?email=${encodeURIComponent(email)}&tenantId=${key.tenantId}`)
    return body.users.map((user: { email: string }) => user.email).sort()
  }
  const [a, b, au] = emails
  assert.deepEqual(await found(`${start}_A@Example.com`), [a])
  assert.deepEqual(await found(`${start}_a@example.com*`), [a, au])
  assert.deepEqual(await found(start), [b, a, au])
  assert.deepEqual(await found(`${start}_`), [a, au])
  assert.deepEqual(await found(`${start}%`), [])
  assert.deepEqual(await found('nobody@example.com'), [])
})

test('invalid filters and pages are rejected', async () => {
  const cases = [
    ['?tenantId=x', 'VALIDATION_ERROR'],
    ['?email=', 'VALIDATION_ERROR'],
    ['?role=ADMIN', 'VALIDATION_ERROR'],
    ['?page=0', 'INVALID_PAGINATION'],
    ['?limit=101', 'INVALID_PAGINATION'],
    ['?limit=x', 'INVALID_PAGINATION'],
  ] as const
  for (const [query, code] of cases) assert.equal((await get(query)).body.code, code, query)
})

test('administrators and users see the same view of a user', async () => {
  const user = await app.user(await keyOf())
  assert.deepEqual((await get(`/${user.id}`)).body, (await me(user)).body)
})

test('an unknown user, a malformed id and a user of a deleted tenant are all not found', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const { slug } = await one(app.platform, sql<{ slug: string }>`select slug from tenants where id = ${key.tenantId}`)
  await app.call({ method: 'DELETE', url: `/admin/tenants/${key.tenantId}?confirm=${slug}`, headers: app.admin })
  const bodies = []
  for (const id of [newId(clock.now()), 'x', user.id]) {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'x' } : undefined
      const reply = await app.call({ method, url: `/admin/users/${id}`, headers: app.admin, ...(body ? { body } : {}) })
      assert.equal(reply.status, 404, `${method} ${id}`)
      bodies.push({ ...reply.body, requestId: '' })
    }
  }
  assert.equal(new Set(bodies.map((body) => JSON.stringify(body))).size, 1)
  assert.deepEqual((await get(`?tenantId=${key.tenantId}`)).body.users, [])
})

test('role and name are changed, and absent members keep their value', async () => {
  const user = await app.user(await keyOf(), { name: 'Ana' })
  assert.equal((await patch(user.id, {})).body.user.name, 'Ana')
  const { body } = await patch(user.id, { role: 'ADMIN' })
  assert.deepEqual([body.user.role, body.user.name, body.user.status], ['ADMIN', 'Ana', 'ACTIVE'])
  assert.equal((await patch(user.id, { name: null })).body.user.name, null)
  assert.equal((await me(user)).body.user.role, 'ADMIN')
  assert.equal((await patch(user.id, { role: 'OWNER' })).body.code, 'VALIDATION_ERROR')
})

test('a suspended user is refused from the next request on with the reason, and sessions do not come back', async () => {
  const user = await app.user(await keyOf())
  assert.equal((await patch(user.id, { status: 'SUSPENDED' })).body.user.status, 'SUSPENDED')
  const refused = await me(user)
  assert.deepEqual([refused.status, refused.body.code], [403, 'USER_SUSPENDED'])
  assert.equal((await logIn(user)).body.code, 'USER_SUSPENDED')

  await patch(user.id, { status: 'ACTIVE' })
  assert.equal((await me(user)).body.code, 'TOKEN_INVALID')
  assert.equal((await logIn(user)).status, 200)
})

test('a login in parallel with a suspension leaves no active session', async () => {
  for (let round = 0; round < 5; round += 1) {
    const user = await app.user(await keyOf())
    const [, { body }] = await Promise.all([patch(user.id, { status: 'SUSPENDED' }), logIn(user)])
    if (body.accessToken === undefined) continue
    const headers = { authorization: `Bearer ${body.accessToken}` }
    assert.equal((await app.call({ url: '/v1/auth/me', headers })).body.code, 'USER_SUSPENDED')
    await patch(user.id, { status: 'ACTIVE' })
    assert.equal((await app.call({ url: '/v1/auth/me', headers })).body.code, 'TOKEN_INVALID')
  }
})

test('each suspension, activation and removal emits one event, in the same transaction', async () => {
  const heard: unknown[] = []
  const events = eventBus()
  for (const name of ['user.suspended', 'user.activated', 'user.removed'] as const) {
    events.on(name, async (tx, event) => {
      assert.ok(tx.handle.inTransaction)
      heard.push([name, event])
    })
  }
  const users = userAdministration({ clock, events, audit, endSessions: endUserSessions })
  const { id, tenantId } = await app.user(await keyOf())
  for (const status of ['SUSPENDED', 'SUSPENDED', 'ACTIVE', 'ACTIVE'] as const)
    await users.update(app.platform, id, { status })
  await users.update(app.platform, id, { role: 'ADMIN' })
  await users.remove(app.platform, id)
  const event = { tenantId, userId: id }
  assert.deepEqual(heard, [
    ['user.suspended', event],
    ['user.activated', event],
    ['user.removed', event],
  ])
})

test('a change is rolled back if an event listener fails', async () => {
  const events = eventBus()
  events.on('user.suspended', () => Promise.reject(new Error('no')))
  const users = userAdministration({ clock, events, audit, endSessions: endUserSessions })
  const user = await app.user(await keyOf())
  await assert.rejects(users.update(app.platform, user.id, { status: 'SUSPENDED' }), /no/)
  assert.equal((await me(user)).body.user.status, 'ACTIVE')
})

test('a removed user is gone with every session, and a second removal is 404', async () => {
  const user = await app.user(await keyOf())
  const remove = () => app.call({ method: 'DELETE', url: `/admin/users/${user.id}`, headers: app.admin })
  assert.equal((await remove()).status, 204)
  assert.equal((await remove()).status, 404)
  assert.equal((await me(user)).body.code, 'TOKEN_INVALID')
  assert.equal((await logIn(user)).body.code, 'INVALID_CREDENTIALS')
})

test('the audit log has the values before and after a change by an administrator', async () => {
  const user = await app.user(await keyOf())
  await patch(user.id, { status: 'SUSPENDED', role: 'ADMIN' })
  await patch(user.id, { status: 'SUSPENDED' })
  const { changes, times } = await one(
    app.platform,
    sql<{ changes: unknown; times: number }>`select changes, count(*) over ()::int as times from audit_log
      where tenant_id = ${user.tenantId} and target_id = ${user.id} and action = 'user.suspend'`,
  )
  assert.equal(times, 1)
  assert.deepEqual(changes, { role: { from: 'USER', to: 'ADMIN' }, status: { from: 'ACTIVE', to: 'SUSPENDED' } })
})
