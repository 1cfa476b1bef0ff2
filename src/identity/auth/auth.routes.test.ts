import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { openRegistration, type TestApp, testApp, testPasswordCost, unique } from '../../../test/harness/app.ts'
import { many, one, run, sql } from '../../storage/query.ts'

let app: TestApp
let openApp: TestApp
let call: TestApp['call']
before(async () => {
  app = await testApp()
  openApp = await testApp(openRegistration())
  call = app.call
})
const registerAnywhere = (body: object) => openApp.call({ method: 'POST', url: '/v1/auth/register', body })
const password = 'plum-Kayak-73-otter'
const prefixes = ['/vault/v1/auth', '/v1/auth']

const newEmail = () => `${unique('u')}@example.com`
const newKey = async (limits: Record<string, number> = {}) => app.apiKey(await app.tenant({ limits }))
const keyHeader = ({ key }: { key: string }) => ({ 'x-api-key': key })
const post = (url: string, headers: Record<string, string>, body: unknown) =>
  call({ method: 'POST', url, headers, body })
const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status).sort()

test('a registration logs the user in, and no cache may store the answer', async () => {
  const key = await newKey()
  for (const prefix of prefixes) {
    const email = newEmail()
    const { status, headers, body } = await post(`${prefix}/register`, keyHeader(key), {
      email,
      password,
      name: ' Ana ',
    })
    assert.equal(status, 201)
    assert.equal(headers.location, `${prefix}/me`)
    assert.equal(headers['cache-control'], 'no-store')
    assert.deepEqual(Object.keys(body).sort(), ['accessToken', 'expiresIn', 'refreshToken', 'tokenType', 'user'])
    assert.deepEqual([body.tokenType, body.expiresIn], ['Bearer', 3600])
    const { id, createdAt, ...rest } = body.user
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.equal(createdAt, app.clock.now().toISOString())
    const unset = { emailVerified: false, googleLinked: false, lastLoginAt: null }
    assert.deepEqual(rest, { tenantId: key.tenantId, email, name: 'Ana', role: 'USER', status: 'ACTIVE', ...unset })

    const me = await call({
      url: `${prefix}/me`,
      headers: { ...keyHeader(key), authorization: `Bearer ${body.accessToken}` },
    })
    assert.deepEqual(me.body, { user: body.user })
  }
})

test('the audit log records a registration without a credential as anonymous, not as the system', async () => {
  const { body } = await registerAnywhere({ email: newEmail(), password })
  const url = `/admin/audit-logs?targetId=${body.user.id}`
  const [entry] = (await call({ url, headers: app.admin })).body.auditLogs
  assert.deepEqual([entry.action, entry.actor], ['user.register', { type: 'ANONYMOUS', id: null, label: 'anonymous' }])
})

test('both base paths serve the same users, and without an API key those of the built-in tenant', async () => {
  const key = await newKey()
  const user = await app.user(key)
  for (const prefix of prefixes) {
    assert.equal((await post(`${prefix}/login`, keyHeader(key), { email: user.email, password })).body.user.id, user.id)
  }
  assert.equal((await post('/v1/auth/login', {}, { email: user.email, password })).body.code, 'INVALID_CREDENTIALS')
  assert.equal((await post('/vault/v1/auth/login', {}, { email: user.email, password })).body.code, 'API_KEY_MISSING')

  const email = newEmail()
  const { body } = await registerAnywhere({ email, password })
  const platform = await one(
    app.platform,
    sql<{ slug: string }>`select slug from tenants where id = ${body.user.tenantId}`,
  )
  assert.equal(platform.slug, 'platform')
  const me = await call({ url: '/v1/auth/me', headers: { authorization: `Bearer ${body.accessToken}` } })
  assert.equal(me.body.user.email, email)
})

test('nobody registers without an API key, unless the installation has opened that', async () => {
  const account = { email: newEmail(), password }
  const refused = await post('/v1/auth/register', {}, account)
  assert.deepEqual([refused.status, refused.body.code], [403, 'REGISTRATION_CLOSED'])
  const keyed = await post('/v1/auth/register', { 'idempotency-key': unique('closed') }, account)
  assert.equal(keyed.body.code, 'REGISTRATION_CLOSED')
  const listed = await call({ url: `/admin/users?email=${account.email}`, headers: app.admin })
  assert.equal(listed.body.pagination.total, 0)

  // The users of the built-in tenant that there are remain, and an administrator may give its API key away.
  assert.equal((await registerAnywhere(account)).status, 201)
  assert.equal((await post('/v1/auth/login', {}, account)).status, 200)
  const found = await call({ url: '/admin/tenants?q=platform&limit=100', headers: app.admin })
  const builtIn = found.body.tenants.find(({ slug }: { slug: string }) => slug === 'platform')
  const key = await app.apiKey(builtIn)
  const { status, body } = await post('/v1/auth/register', keyHeader(key), { email: newEmail(), password })
  assert.deepEqual([status, body.user.tenantId], [201, builtIn.id])
})

test('a stranger costs no password hash', async () => {
  const weak = { email: newEmail(), password: 'password' }
  assert.equal((await registerAnywhere(weak)).body.code, 'PASSWORD_REJECTED')
  assert.equal((await post('/v1/auth/register', {}, weak)).body.code, 'REGISTRATION_CLOSED')
})

test('an address is one user in any spelling, and another user in another tenant', async () => {
  const [one, other] = [await newKey(), await newKey()]
  const email = newEmail()
  assert.equal(
    (await post('/v1/auth/register', keyHeader(one), { email: ` ${email.toUpperCase()} `, password })).body.user.email,
    email,
  )
  const again = await post('/v1/auth/register', keyHeader(one), { email: email.replace('@', '\uFF20'), password })
  assert.deepEqual([again.status, again.body.code], [409, 'EMAIL_TAKEN'])
  assert.equal((await post('/v1/auth/register', keyHeader(other), { email, password })).status, 201)
})

test('of twenty parallel registrations of one address, one succeeds', async () => {
  const key = await newKey()
  const email = newEmail()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => post('/v1/auth/register', keyHeader(key), { email, password })),
  )
  assert.deepEqual(statusesOf(replies), [201, ...Array(19).fill(409)])
})

test("a tenant's user limit holds for parallel registrations", async () => {
  const key = await newKey({ maxUsers: 3 })
  const replies = await Promise.all(
    Array.from({ length: 9 }, () => post('/v1/auth/register', keyHeader(key), { email: newEmail(), password })),
  )
  assert.deepEqual(statusesOf(replies), [201, 201, 201, ...Array(6).fill(403)])
  const refused = replies.find(({ status }) => status === 403)
  assert.equal(refused?.body.code, 'QUOTA_EXCEEDED')
  assert.match(refused?.body.detail, /maxUsers is 3/)
})

test('a registration repeated under one Idempotency-Key is one user and one answer', async () => {
  const key = await newKey()
  const body = { email: newEmail(), password }
  const headers = { ...keyHeader(key), 'idempotency-key': unique('i') }
  const first = await post('/v1/auth/register', headers, body)
  const second = await post('/v1/auth/register', headers, body)
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers['idempotent-replayed'], 'true')
})

test('a repeated registration of a removed user gets nothing of the old answer', async () => {
  const headers = { ...keyHeader(await newKey()), 'idempotency-key': unique('i') }
  const body = { email: newEmail(), password }
  const { user } = (await post('/v1/auth/register', headers, body)).body
  assert.equal((await call({ method: 'DELETE', url: `/admin/users/${user.id}`, headers: app.admin })).status, 204)
  const repeated = await post('/v1/auth/register', headers, body)
  assert.deepEqual([repeated.status, repeated.body.code], [404, 'NOT_FOUND'])
})

test('members that only the server sets are rejected in every body', async () => {
  const user = await app.user(await newKey())
  const writes = [
    ['POST', '/v1/auth/register', { email: newEmail(), password }],
    ['PATCH', '/v1/auth/me', { name: 'Ana' }],
    ['PATCH', `/admin/users/${user.id}`, { name: 'Ana' }],
  ] as const
  const owned = {
    id: user.id,
    tenantId: user.tenantId,
    googleId: '1',
    emailVerified: true,
    passwordHash: 'x',
    createdAt: null,
  }
  const own = { role: 'ADMIN', status: 'ACTIVE' }
  for (const [method, url, body] of writes) {
    for (const [name, value] of Object.entries(url.startsWith('/admin') ? owned : { ...owned, ...own })) {
      const headers = { ...user.headers, ...app.admin }
      const reply = await call({ method, url, headers, body: { ...body, [name]: value } })
      assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'], `${url} ${name}`)
      assert.equal(reply.body.errors[0].path, `/body/${name}`)
    }
  }
  const { body } = await call({ url: '/v1/auth/me', headers: user.headers })
  assert.deepEqual([body.user.role, body.user.emailVerified], ['USER', false])
})

test('an invalid body is rejected with the path of the wrong member', async () => {
  const headers = keyHeader(await newKey())
  const email = newEmail()
  const cases = [
    ['register', { email: 'ana', password }, 'VALIDATION_ERROR', '/body/email'],
    ['register', { email: 'a@b@c.example', password }, 'VALIDATION_ERROR', '/body/email'],
    ['register', { email }, 'VALIDATION_ERROR', '/body/password'],
    ['register', { email, password: 7 }, 'VALIDATION_ERROR', '/body/password'],
    ['register', { email, password, name: '  ' }, 'VALIDATION_ERROR', '/body/name'],
    ['register', { email, password: '' }, 'PASSWORD_REJECTED', '/body/password'],
    ['register', { email, password: 'short' }, 'PASSWORD_REJECTED', '/body/password'],
    ['register', { email, password: 'password123' }, 'PASSWORD_REJECTED', '/body/password'],
    ['register', { email, password: email }, 'PASSWORD_REJECTED', '/body/password'],
    ['register', { email, password: 'ab'.repeat(65) }, 'PASSWORD_REJECTED', '/body/password'],
    ['register', { email, password: 'ab'.repeat(2000) }, 'VALIDATION_ERROR', '/body/password'],
    ['login', { email: 'ana', password }, 'VALIDATION_ERROR', '/body/email'],
    ['login', { email, password: '' }, 'VALIDATION_ERROR', '/body/password'],
    ['refresh', {}, 'VALIDATION_ERROR', '/body/refreshToken'],
  ] as const
  for (const [operation, body, code, path] of cases) {
    const reply = await post(`/v1/auth/${operation}`, headers, body)
    assert.deepEqual(
      [reply.status, reply.body.code, reply.body.errors[0].path],
      [400, code, path],
      JSON.stringify(body).slice(0, 80),
    )
  }
})

test('an unknown address gets the same answer as a wrong password', async () => {
  const key = await newKey()
  const user = await app.user(key)
  const known = await post('/v1/auth/login', keyHeader(key), { email: user.email, password: 'wrong-horse' })
  const unknown = await post('/v1/auth/login', keyHeader(key), { email: newEmail(), password: 'wrong-horse' })
  assert.equal(known.status, 401)
  assert.equal(known.body.code, 'INVALID_CREDENTIALS')
  for (const { body } of [known, unknown]) delete body.requestId
  assert.deepEqual(unknown.body, known.body)
  assert.deepEqual(Object.keys(unknown.headers).sort(), Object.keys(known.headers).sort())
})

test('a login is recorded, and a password hash with outdated parameters is replaced', async () => {
  const key = await newKey()
  const user = await app.user(key)
  const stale = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  await run(
    app.platform,
    sql`update users set password_hash = ${stale} where tenant_id = ${key.tenantId} and id = ${user.id}`,
  )
  app.clock.advance({ seconds: 60 })
  for (let round = 0; round < 2; round += 1) {
    const { status, body } = await post('/v1/auth/login', keyHeader(key), { email: user.email, password })
    assert.deepEqual([status, body.user.lastLoginAt], [200, app.clock.now().toISOString()])
  }
  const stored = await one(
    app.platform,
    sql<{
      hash: string
    }>`select password_hash as hash from users where tenant_id = ${key.tenantId} and id = ${user.id}`,
  )
  const { memoryCost, timeCost, parallelism } = testPasswordCost
  assert.ok(stored.hash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`), stored.hash)
})

test('only a caller with the right password learns that a user is suspended', async () => {
  const key = await newKey()
  const user = await app.user(key)
  await call({ method: 'PATCH', url: `/admin/users/${user.id}`, headers: app.admin, body: { status: 'SUSPENDED' } })
  const right = await post('/v1/auth/login', keyHeader(key), { email: user.email, password })
  assert.deepEqual([right.status, right.body.code], [403, 'USER_SUSPENDED'])
  const wrong = await post('/v1/auth/login', keyHeader(key), { email: user.email, password: 'wrong-horse' })
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'INVALID_CREDENTIALS'])
})

test('an access token is refused together with the API key of another tenant', async () => {
  const [own, foreign] = [await newKey(), await newKey()]
  const user = await app.user(own)
  const headers = { ...user.headers, ...keyHeader(foreign) }
  for (const prefix of prefixes) {
    const reply = await call({ url: `${prefix}/me`, headers })
    assert.deepEqual([reply.status, reply.body.code], [401, 'TOKEN_INVALID'])
  }
  const login = await post('/vault/v1/auth/login', keyHeader(foreign), { email: user.email, password })
  assert.equal(login.body.code, 'INVALID_CREDENTIALS')
})

test('every change of an account is in the audit log once, with its actor', async () => {
  const key = await newKey()
  const user = await app.user(key)
  const steps = [
    () => post('/v1/auth/login', keyHeader(key), { email: user.email, password }),
    () => call({ method: 'PATCH', url: '/v1/auth/me', headers: user.headers, body: { name: 'Ana' } }),
    () => call({ method: 'PATCH', url: '/v1/auth/me', headers: user.headers, body: { name: 'Ana' } }),
    () => post('/v1/auth/password', user.headers, { currentPassword: password, newPassword: 'quiet-Lemur-48-anvil' }),
    () => post('/v1/auth/logout', user.headers, {}),
    () => call({ method: 'DELETE', url: `/admin/users/${user.id}`, headers: app.admin }),
  ]
  for (const step of steps) {
    app.clock.advance({ ms: 1 }) // entries of one millisecond have no order
    await step()
  }
  const entries = await many(
    app.platform,
    sql<{
      action: string
      actor: string
      actorId: string | null
    }>`select action, actor_type as actor, actor_id as "actorId" from audit_log
      where tenant_id = ${key.tenantId} and target_id = ${user.id} order by at, id`,
  )
  assert.deepEqual(entries, [
    { action: 'user.register', actor: 'API_KEY', actorId: key.id },
    { action: 'user.login', actor: 'API_KEY', actorId: key.id },
    { action: 'user.update', actor: 'USER', actorId: user.id },
    { action: 'user.change_password', actor: 'USER', actorId: user.id },
    { action: 'user.logout', actor: 'USER', actorId: user.id },
    { action: 'user.remove', actor: 'ADMIN', actorId: null },
  ])
})

test('no table contains a password or a token, and no answer a hash', async () => {
  const key = await newKey()
  const email = newEmail()
  const headers = { ...keyHeader(key), 'idempotency-key': unique('i') }
  const registered = await post('/v1/auth/register', headers, { email, password })
  const refreshed = await post('/v1/auth/refresh', keyHeader(key), { refreshToken: registered.body.refreshToken })
  const authorization = `Bearer ${refreshed.body.accessToken}`
  const newPassword = 'quiet-Lemur-48-anvil'
  await post('/v1/auth/login', keyHeader(key), { email, password: 'wrong-horse-72' })
  const changed = await post('/v1/auth/password', { authorization }, { currentPassword: password, newPassword })
  const listed = await call({ url: `/admin/users?tenantId=${key.tenantId}`, headers: app.admin })

  const tables = ['users', 'user_sessions', 'refresh_tokens', 'login_failures', 'audit_log', 'idempotency_keys']
  const rows = await Promise.all(
    tables.map((table) => many(app.platform, sql<{ row: string }>`select t::text as row from ${sql.raw(table)} t`)),
  )
  const stored = rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
  const hidden = [password, newPassword, 'wrong-horse-72']
  for (const { body } of [registered, refreshed]) hidden.push(body.accessToken, body.refreshToken)
  for (const text of hidden) {
    assert.ok(!stored.includes(text))
    assert.ok(!stored.includes(Buffer.from(text).toString('hex')))
  }
  for (const { body } of [registered, refreshed, changed, listed])
    assert.doesNotMatch(JSON.stringify(body), /argon2|hash/i)
})
