import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { newId } from '../../kernel/ids.ts'
import { many, sql } from '../../storage/query.ts'
import { newRefreshToken } from './refresh-token.rules.ts'
import { findUserCaller } from './session.store.ts'

let app: TestApp
let clock: TestApp['clock']
before(async () => {
  app = await testApp()
  clock = app.clock
})
const daySeconds = 24 * 3600

const keyOf = async (overrides: Record<string, unknown> = {}) => app.apiKey(await app.tenant(overrides))
const keyHeader = ({ headers }: TestUser) => ({ 'x-api-key': headers['x-api-key'] ?? '' })

const refresh = (user: TestUser, refreshToken: string, headers = keyHeader(user)) =>
  app.call({ method: 'POST', url: '/vault/v1/auth/refresh', headers, body: { refreshToken } })
const me = (accessToken: string) =>
  app.call({ url: '/v1/auth/me', headers: { authorization: `Bearer ${accessToken}` } })
const logIn = async ({ email, password, headers }: TestUser) =>
  (
    await app.call({
      method: 'POST',
      url: '/v1/auth/login',
      headers: { 'x-api-key': headers['x-api-key'] ?? '' },
      body: { email, password },
    })
  ).body

const sessionsOf = (user: TestUser) =>
  many(
    app.platform,
    sql<{ id: string; reason: string | null; tokens: number }>`select s.id, s.revoked_reason as reason,
        (select count(*)::int from refresh_tokens r where r.tenant_id = s.tenant_id and r.session_id = s.id) as tokens
      from user_sessions s where s.tenant_id = ${user.tenantId} and s.user_id = ${user.id} order by s.created_at`,
  )

test('a refresh token is exchanged for its successor, whose access token works', async () => {
  const user = await app.user(await keyOf())
  const { status, headers, body } = await refresh(user, user.refreshToken)
  assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
  assert.deepEqual(Object.keys(body).sort(), ['accessToken', 'expiresIn', 'refreshToken', 'tokenType', 'user'])
  assert.notEqual(body.refreshToken, user.refreshToken)
  assert.equal((await me(body.accessToken)).body.user.id, user.id)
  assert.equal((await refresh(user, body.refreshToken)).status, 200)
})

test('two parallel refreshes with one token get the same successor, and there is one chain', async () => {
  const user = await app.user(await keyOf())
  const replies = await Promise.all(Array.from({ length: 8 }, () => refresh(user, user.refreshToken)))
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(replies.map(({ body }) => body.refreshToken)).size, 1)
  assert.deepEqual(await sessionsOf(user).then((rows) => rows.map(({ tokens }) => tokens)), [2])
})

test('a refresh can be repeated within 30 seconds after a lost answer', async () => {
  const user = await app.user(await keyOf())
  const first = await refresh(user, user.refreshToken)
  clock.advance({ seconds: 30 })
  const again = await refresh(user, user.refreshToken)
  assert.equal(again.body.refreshToken, first.body.refreshToken)
})

test('a used token that is sent again after 30 seconds ends the whole session, for thief and owner alike', async () => {
  const user = await app.user(await keyOf())
  const other = await logIn(user)
  const first = (await refresh(user, user.refreshToken)).body
  const second = (await refresh(user, first.refreshToken)).body
  clock.advance({ ms: 30_001 })
  const reused = await refresh(user, user.refreshToken)
  assert.deepEqual([reused.status, reused.body.code], [401, 'REFRESH_REUSED'])

  for (const token of [user.refreshToken, first.refreshToken, second.refreshToken]) {
    assert.equal((await refresh(user, token)).body.code, 'REFRESH_INVALID')
  }
  for (const token of [user.accessToken, first.accessToken, second.accessToken]) {
    assert.equal((await me(token)).body.code, 'TOKEN_INVALID')
  }
  assert.equal((await me(other.accessToken)).status, 200)
  assert.deepEqual(await sessionsOf(user).then((rows) => rows.map(({ reason }) => reason).sort()), [
    'REFRESH_REUSED',
    null,
  ])
})

test('the audit log names the user and the session of a reused token', async () => {
  const user = await app.user(await keyOf())
  await refresh(user, user.refreshToken)
  clock.advance({ seconds: 31 })
  await Promise.all([refresh(user, user.refreshToken), refresh(user, user.refreshToken)])
  const entries = await many(
    app.platform,
    sql`select target_id as "userId", outcome, changes from audit_log where tenant_id = ${user.tenantId} and action = 'user.refresh_reused'`,
  )
  const [session] = await sessionsOf(user)
  assert.deepEqual(entries, [{ userId: user.id, outcome: 'DENIED', changes: { sessionId: session?.id } }])
})

test('every text that is not a refresh token of this tenant gets the same answer', async () => {
  const user = await app.user(await keyOf())
  const stranger = await app.user(await keyOf())
  const texts = [
    '',
    'x',
    user.accessToken,
    newRefreshToken((bytes) => Buffer.alloc(bytes, 9)),
    `${user.refreshToken}0`,
    stranger.refreshToken,
  ]
  for (const text of texts) {
    const { status, body } = await refresh(user, text)
    assert.deepEqual([status, body.code], [401, 'REFRESH_INVALID'], text)
  }
  assert.equal(
    (await refresh(stranger, stranger.refreshToken)).status,
    200,
    'the attempt of another tenant has used nothing up',
  )
})

test('a session ends after 30 days without a refresh, and after 90 days in any case', async () => {
  const key = await keyOf()
  const idle = await app.user(key)
  clock.advance({ seconds: 30 * daySeconds })
  assert.equal((await refresh(idle, idle.refreshToken)).body.code, 'REFRESH_INVALID')

  const busy = await app.user(key)
  let token = busy.refreshToken
  for (const days of [29, 29, 29]) {
    clock.advance({ seconds: days * daySeconds })
    const { status, body } = await refresh(busy, token)
    assert.equal(status, 200)
    token = body.refreshToken
  }
  clock.advance({ seconds: 3 * daySeconds })
  assert.equal((await refresh(busy, token)).body.code, 'REFRESH_INVALID')
})

test('an access token expires after an hour and says so', async () => {
  const user = await app.user(await keyOf())
  clock.advance({ seconds: 3599 })
  assert.equal((await me(user.accessToken)).status, 200)
  clock.advance({ seconds: 1 })
  assert.equal((await me(user.accessToken)).body.code, 'TOKEN_EXPIRED')
})

test('a logout ends this session, or with `all` every session', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const [second, third] = [await logIn(user), await logIn(user)]
  const logOut = (accessToken: string, body: unknown) =>
    app.call({ method: 'POST', url: '/v1/auth/logout', headers: { authorization: `Bearer ${accessToken}` }, body })
  assert.equal((await logOut(user.accessToken, {})).status, 204)
  assert.equal((await me(user.accessToken)).body.code, 'TOKEN_INVALID')
  assert.equal((await refresh(user, user.refreshToken)).body.code, 'REFRESH_INVALID')
  assert.equal((await me(second.accessToken)).status, 200)
  assert.equal((await logOut(second.accessToken, { all: true })).status, 204)
  assert.equal((await me(third.accessToken)).body.code, 'TOKEN_INVALID')
})

test('a logout needs no body', async () => {
  const user = await app.user(await keyOf())
  assert.equal((await app.call({ method: 'POST', url: '/vault/v1/auth/logout', headers: user.headers })).status, 204)
})

test('findUserCaller returns what the access check needs, and null once the session has ended', async () => {
  const key = await keyOf({ limits: { requestsPerWindow: 50 } })
  const user = await app.user(key)
  const [session] = await sessionsOf(user)
  assert.ok(session)
  const find = (sessionId = session.id, tenantId = key.tenantId) =>
    findUserCaller(app.platform, sessionId, tenantId, clock.now())
  const caller = {
    id: user.id,
    sessionId: session.id,
    tenantId: key.tenantId,
    email: user.email,
    role: 'USER',
    tenantProducts: ['assistant-ai', 'editing-sdk', 'vault-vpn'],
    isUserSuspended: false,
    isTenantSuspended: false,
    requestsPerWindow: 50,
  }
  assert.deepEqual(await find(), caller)
  assert.equal(await find(newId(clock.now())), null)
  assert.equal(await find(session.id, newId(clock.now())), null)

  await app.call({
    method: 'PATCH',
    url: `/admin/tenants/${key.tenantId}`,
    headers: app.admin,
    body: { status: 'SUSPENDED' },
  })
  assert.deepEqual(await find(), { ...caller, isTenantSuspended: true })
  await app.call({
    method: 'PATCH',
    url: `/admin/tenants/${key.tenantId}`,
    headers: app.admin,
    body: { status: 'ACTIVE' },
  })

  clock.advance({ seconds: 90 * daySeconds })
  assert.equal(await find(), null)
})
