import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { many, sql } from '../../storage/query.ts'

let app: TestApp
let call: TestApp['call']
before(async () => {
  app = await testApp()
  call = app.call
})
const password = 'plum-Kayak-73-otter'

const newEmail = () => `${unique('u')}@example.com`
const newKey = async () => app.apiKey(await app.tenant())
const keyHeader = ({ key }: { key: string }) => ({ 'x-api-key': key })
const post = (url: string, headers: Record<string, string>, body: unknown) =>
  call({ method: 'POST', url, headers, body })

test('users change and clear their own name without a password', async () => {
  const user = await app.user(await newKey(), { name: 'Ana' })
  const patch = async (body: unknown) =>
    (await call({ method: 'PATCH', url: '/v1/auth/me', headers: user.headers, body })).body.user.name
  assert.equal(await patch({}), 'Ana')
  assert.equal(await patch({ name: ' Ana López ' }), 'Ana López')
  assert.equal(await patch({ email: user.email.toUpperCase() }), 'Ana López')
  assert.equal(await patch({ name: null }), null)
})

test('a new address requires the current password, and is then used to log in', async () => {
  const key = await newKey()
  const user = await app.user(key)
  const email = newEmail()
  const patch = (body: unknown) => call({ method: 'PATCH', url: '/vault/v1/auth/me', headers: user.headers, body })
  assert.equal((await patch({ email })).body.errors[0].path, '/body/currentPassword')
  assert.equal((await patch({ email, currentPassword: 'wrong-horse' })).body.code, 'INVALID_CREDENTIALS')
  assert.equal((await patch({ email, currentPassword: password })).body.user.email, email)
  assert.equal((await post('/v1/auth/login', keyHeader(key), { email: user.email, password })).status, 401)
  assert.equal((await post('/v1/auth/login', keyHeader(key), { email, password })).status, 200)
})

test('of two users who change to one address in parallel, one succeeds', async () => {
  const key = await newKey()
  const users = [await app.user(key), await app.user(key)]
  const body = { email: newEmail(), currentPassword: password }
  const replies = await Promise.all(
    users.map(({ headers }) => call({ method: 'PATCH', url: '/v1/auth/me', headers, body })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
  assert.equal(replies.find(({ status }) => status === 409)?.body.code, 'EMAIL_TAKEN')
})

test('a new password ends every other session and keeps this one', async () => {
  const key = await newKey()
  const user = await app.user(key)
  const other = (await post('/v1/auth/login', keyHeader(key), { email: user.email, password })).body
  const change = (body: unknown) => post('/v1/auth/password', user.headers, body)
  const newPassword = 'quiet-Lemur-48-anvil'
  assert.equal((await change({ currentPassword: 'wrong-horse', newPassword })).body.code, 'INVALID_CREDENTIALS')
  assert.equal((await change({ currentPassword: password, newPassword: 'short' })).body.code, 'PASSWORD_REJECTED')
  assert.equal((await change({ currentPassword: password, newPassword })).body.user.id, user.id)

  const me = (accessToken: string) => call({ url: '/v1/auth/me', headers: { authorization: `Bearer ${accessToken}` } })
  assert.equal((await me(user.accessToken)).status, 200)
  assert.equal((await me(other.accessToken)).body.code, 'TOKEN_INVALID')
  assert.equal(
    (await post('/v1/auth/refresh', keyHeader(key), { refreshToken: other.refreshToken })).body.code,
    'REFRESH_INVALID',
  )
  assert.equal((await post('/v1/auth/refresh', keyHeader(key), { refreshToken: user.refreshToken })).status, 200)
  assert.equal((await post('/v1/auth/login', keyHeader(key), { email: user.email, password })).status, 401)
  assert.equal((await post('/v1/auth/login', keyHeader(key), { email: user.email, password: newPassword })).status, 200)
})

test('a deleted user leaves neither account nor session, and the address is free again', async () => {
  const key = await newKey()
  const user = await app.user(key)
  const remove = (currentPassword: string) =>
    call({ method: 'DELETE', url: '/vault/v1/auth/me', headers: user.headers, body: { currentPassword } })
  assert.equal((await remove('wrong-horse')).body.code, 'INVALID_CREDENTIALS')
  assert.equal((await remove(password)).status, 204)
  assert.equal((await call({ url: '/v1/auth/me', headers: user.headers })).body.code, 'TOKEN_INVALID')
  assert.equal(
    (await post('/v1/auth/refresh', keyHeader(key), { refreshToken: user.refreshToken })).body.code,
    'REFRESH_INVALID',
  )
  const left = await many(
    app.platform,
    sql`select 1 from user_sessions where tenant_id = ${key.tenantId}
    union all select 1 from refresh_tokens where tenant_id = ${key.tenantId}`,
  )
  assert.deepEqual(left, [])
  assert.equal((await post('/v1/auth/register', keyHeader(key), { email: user.email, password })).status, 201)
})
