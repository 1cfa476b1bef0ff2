import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  openRegistration,
  type TestApp,
  type TestKey,
  type TestUser,
  testApp,
  unique,
} from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { mailsTo, waitingToken } from '../../../test/harness/mail.ts'
import type { MailKind } from '../../mails/mail.rules.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})
const password = 'quiet-Lemur-48-anvil'

const keyOf = async () => app.apiKey(await app.tenant())
const post = ({ key }: { key: string }, path: string, body: unknown, more: Record<string, string> = {}) =>
  app.call({ method: 'POST', url: `/vault/v1/auth/${path}`, headers: { 'x-api-key': key, ...more }, body })
const login = (key: TestKey, { email }: { email: string }, word: string) =>
  post(key, 'login', { email, password: word })
const me = async ({ headers }: TestUser) => (await app.call({ url: '/v1/auth/me', headers })).body.user

async function tokenOf({ email }: { email: string }, kind: MailKind): Promise<string> {
  return (await waitingToken(app.platform, email, kind)) ?? assert.fail(`no ${kind} waits for ${email}`)
}

/** Requests a reset mail, and runs the job that writes it. */
async function forget(key: TestKey, email: string): Promise<void> {
  assert.equal((await post(key, 'password/forgot', { email })).status, 202)
  await app.settled()
}

async function resetTokenOf(key: TestKey, user: { email: string }): Promise<string> {
  await forget(key, user.email)
  return tokenOf(user, 'RESET_PASSWORD')
}

function assertBadToken(reply: { status: number; body: { code: string; errors: unknown } }): void {
  assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_ERROR'])
  const message = 'is not a valid token; request a new one'
  assert.deepEqual(reply.body.errors, [{ path: '/body/token', code: 'token', message }])
}

test('a reset replaces the password, ends every session, verifies the address and clears failed logins', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  for (let time = 0; time < 5; time += 1) await login(key, user, 'wrong-horse')
  assert.equal((await login(key, user, user.password)).body.code, 'LOGIN_THROTTLED')

  const token = await resetTokenOf(key, user)
  assert.equal((await post(key, 'password/reset', { token, password })).status, 204)
  assert.equal((await app.call({ url: '/v1/auth/me', headers: user.headers })).body.code, 'TOKEN_INVALID')
  const refreshed = await post(key, 'refresh', { refreshToken: user.refreshToken })
  assert.equal(refreshed.body.code, 'REFRESH_INVALID')
  const { status, body } = await login(key, user, password)
  assert.deepEqual([status, body.user?.emailVerified], [200, true])
  assert.equal((await login(key, user, user.password)).body.code, 'INVALID_CREDENTIALS')

  const actions = (await auditOfTenant(app.platform, key.tenantId)).map(({ action }) => action)
  assert.equal(actions.filter((action) => action === 'user.forgot_password').length, 1)
  assert.equal(actions.filter((action) => action === 'user.reset_password').length, 1)
})

test('of sixteen parallel uses of one token exactly one sets the password', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const token = await resetTokenOf(key, user)
  const words = Array.from({ length: 16 }, (_, at) => `quiet-Lemur-48-anvil-${at}`)
  const replies = await Promise.all(words.map((word) => post(key, 'password/reset', { token, password: word })))
  const winners = words.filter((_, at) => replies[at]?.status === 204)
  assert.equal(winners.length, 1)
  for (const reply of replies) if (reply.status !== 204) assertBadToken(reply)
  assert.equal((await login(key, user, winners[0] as string)).status, 200)
})

test('a token works once, within an hour, and only until the next one is sent', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const first = await resetTokenOf(key, user)
  const second = await resetTokenOf(key, user)
  assertBadToken(await post(key, 'password/reset', { token: first, password }))
  assert.equal((await post(key, 'password/reset', { token: second, password })).status, 204)
  assertBadToken(await post(key, 'password/reset', { token: second, password }))

  const late = await resetTokenOf(key, user)
  app.clock.advance({ seconds: 3600 })
  assertBadToken(await post(key, 'password/reset', { token: late, password }))
})

test('a rejected password does not use up the token', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const token = await resetTokenOf(key, user)
  const refused = await post(key, 'password/reset', { token, password: 'password' })
  assert.equal(refused.body.code, 'PASSWORD_REJECTED')
  assert.equal((await post(key, 'password/reset', { token, password })).status, 204)
})

test('a token works only for its purpose and its tenant, and every invalid one gets the same answer', async () => {
  const [key, other] = [await keyOf(), await keyOf()]
  const user = await app.user(key)
  const verification = await tokenOf(user, 'VERIFY_EMAIL')
  const token = await resetTokenOf(key, user)
  assertBadToken(await post(other, 'password/reset', { token, password }))
  assertBadToken(await post(key, 'password/reset', { token: verification, password }))
  assertBadToken(await post(other, 'verify-email', { token: verification }))
  assertBadToken(await post(key, 'verify-email', { token }))
  for (const garbage of ['x', `${token}0`, token.replace(/.$/, '-'), 'atrp_'.padEnd(54, '0')])
    assertBadToken(await post(key, 'password/reset', { token: garbage, password }))
  assert.equal((await post(key, 'password/reset', { token, password })).status, 204)
})

test('a request for a mail reveals nothing about the address, and an unknown address gets no mail', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const nobody = `${unique('u')}@example.com`
  const known = await post(key, 'password/forgot', { email: user.email.toUpperCase() })
  const unknown = await post(key, 'password/forgot', { email: nobody })
  await app.settled()
  assert.deepEqual([known.status, known.body], [unknown.status, unknown.body])
  assert.deepEqual(await mailsTo(app.platform, nobody), [])
  assert.notEqual(await waitingToken(app.platform, user.email, 'RESET_PASSWORD'), null)
})

test('an account gets at most three reset mails an hour; the fourth request gets the same answer, and the last token works', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const resets = async () => (await mailsTo(app.platform, user.email)).filter(({ kind }) => kind === 'RESET_PASSWORD')
  for (let time = 0; time < 3; time += 1) await forget(key, user.email)
  const token = await tokenOf(user, 'RESET_PASSWORD')
  await Promise.all(Array.from({ length: 8 }, () => forget(key, user.email)))
  assert.deepEqual((await resets()).map(({ status }) => status).sort(), ['DISCARDED', 'DISCARDED', 'PENDING'])
  assert.equal((await post(key, 'password/reset', { token, password })).status, 204)
  app.clock.advance({ seconds: 3600 })
  await forget(key, user.email)
  assert.equal((await resets()).length, 4)
})

test('eight parallel requests for one account send three mails', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  await Promise.all(Array.from({ length: 8 }, () => post(key, 'password/forgot', { email: user.email })))
  await app.settled()
  const resets = (await mailsTo(app.platform, user.email)).filter(({ kind }) => kind === 'RESET_PASSWORD')
  assert.equal(resets.length, 3)
})

test('a client address that requests too many mails is refused, for known and unknown accounts alike', async () => {
  const node = await testApp({ rateLimits: { requestsMax: 1000, authFailuresMax: 5, windowSeconds: 900 } })
  const { key } = await keyOf()
  const ask = (email: string) =>
    node.call({ method: 'POST', url: '/v1/auth/password/forgot', headers: { 'x-api-key': key }, body: { email } })
  for (let time = 0; time < 5; time += 1) assert.equal((await ask(`${unique('u')}@example.com`)).status, 202)
  const { status, body, headers } = await ask(`${unique('u')}@example.com`)
  assert.deepEqual([status, body.code], [429, 'RATE_LIMITED'])
  assert.ok(Number(headers['retry-after']) > 0)
  await node.settled()
})

test('a suspended user gets no mail, and an earlier token works only after the user is active again', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const token = await resetTokenOf(key, user)
  const set = (status: string) =>
    app.call({ method: 'PATCH', url: `/admin/users/${user.id}`, headers: app.admin, body: { status } })
  await set('SUSPENDED')
  assertBadToken(await post(key, 'password/reset', { token, password }))
  await forget(key, user.email)
  assert.equal(await tokenOf(user, 'RESET_PASSWORD'), token)
  await set('ACTIVE')
  assert.equal((await post(key, 'password/reset', { token, password })).status, 204)
})

test('a registration sends a token that verifies the address once', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  assert.equal((await me(user)).emailVerified, false)
  const token = await tokenOf(user, 'VERIFY_EMAIL')
  const replies = await Promise.all(Array.from({ length: 16 }, () => post(key, 'verify-email', { token })))
  assert.equal(replies.filter(({ status }) => status === 204).length, 1)
  assert.equal((await me(user)).emailVerified, true)
  const actions = (await auditOfTenant(app.platform, key.tenantId)).map(({ action }) => action)
  assert.equal(actions.filter((action) => action === 'user.verify_email').length, 1)
})

test('a registration that fails sends nothing', async () => {
  const key = await app.apiKey(await app.tenant({ limits: { maxUsers: 0 } }))
  const email = `${unique('u')}@example.com`
  assert.equal((await post(key, 'register', { email, password })).body.code, 'QUOTA_EXCEEDED')
  assert.deepEqual(await mailsTo(app.platform, email), [])
})

test('another token is sent on demand until the address is verified, at most three an hour', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const first = await tokenOf(user, 'VERIFY_EMAIL')
  for (let time = 0; time < 4; time += 1)
    assert.equal((await post(key, 'verify-email/resend', undefined, user.headers)).status, 202)
  assert.equal((await mailsTo(app.platform, user.email)).length, 3)
  assertBadToken(await post(key, 'verify-email', { token: first }))
  assert.equal((await post(key, 'verify-email', { token: await tokenOf(user, 'VERIFY_EMAIL') })).status, 204)
  app.clock.advance({ seconds: 3600 })
  assert.equal((await me(await relogged(key, user))).emailVerified, true)
  assert.equal((await mailsTo(app.platform, user.email)).length, 3)
})

async function relogged(key: TestKey, user: TestUser): Promise<TestUser> {
  const { body } = await login(key, user, user.password)
  const headers = { 'x-api-key': key.key, authorization: `Bearer ${body.accessToken}` }
  assert.equal((await post(key, 'verify-email/resend', undefined, headers)).status, 202)
  return { ...user, headers }
}

test('a change of the address revokes the tokens sent to the old one, and the new one has to be verified', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const verification = await tokenOf(user, 'VERIFY_EMAIL')
  const reset = await resetTokenOf(key, user)
  const email = `${unique('u')}@example.com`
  const body = { email, currentPassword: user.password }
  const changed = await app.call({ method: 'PATCH', url: '/v1/auth/me', headers: user.headers, body })
  assert.equal(changed.status, 200)
  assertBadToken(await post(key, 'verify-email', { token: verification }))
  assertBadToken(await post(key, 'password/reset', { token: reset, password }))
  for (const { status } of await mailsTo(app.platform, user.email)) assert.equal(status, 'DISCARDED')
  assert.equal((await me(user)).emailVerified, false)
  assert.equal((await post(key, 'verify-email', { token: await tokenOf({ email }, 'VERIFY_EMAIL') })).status, 204)
  assert.equal((await me(user)).emailVerified, true)
})

test('a change of the password revokes a reset token, and removing the user revokes all tokens', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  const token = await resetTokenOf(key, user)
  const change = { currentPassword: user.password, newPassword: password }
  assert.equal((await post(key, 'password', change, user.headers)).status, 200)
  assertBadToken(await post(key, 'password/reset', { token, password }))

  const left = await tokenOf(user, 'VERIFY_EMAIL')
  const gone = { method: 'DELETE', url: '/v1/auth/me', headers: user.headers, body: { currentPassword: password } }
  assert.equal((await app.call(gone)).status, 204)
  assertBadToken(await post(key, 'verify-email', { token: left }))
  assert.deepEqual(await mailsTo(app.platform, user.email), [])
})

test('users of the built-in tenant recover their accounts without an API key', async () => {
  const email = `${unique('u')}@example.com`
  const open = await testApp(openRegistration())
  const call = (path: string, body: unknown) => open.call({ method: 'POST', url: `/v1/auth/${path}`, body })
  assert.equal((await call('register', { email, password: 'plum-Kayak-73-otter' })).status, 201)
  assert.equal((await call('password/forgot', { email })).status, 202)
  await app.settled()
  const token = await tokenOf({ email }, 'RESET_PASSWORD')
  assert.equal((await call('password/reset', { token, password })).status, 204)
  assert.equal((await call('login', { email, password })).status, 200)
})
