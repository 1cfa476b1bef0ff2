import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { many, sql } from '../../storage/query.ts'
import { deleteExpiredAuthData } from './auth-housekeeping.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})
const daySeconds = 24 * 3600

test('sessions are deleted with their tokens a day after they ended, and active ones are kept', async () => {
  const user = await app.user(await app.apiKey(await app.tenant()))
  const login = { email: user.email, password: user.password }
  const living = await app.call({ method: 'POST', url: '/vault/v1/auth/login', headers: user.headers, body: login })
  await app.call({ method: 'POST', url: '/vault/v1/auth/logout', headers: user.headers, body: {} })
  const reasons = () =>
    many(
      app.platform,
      sql<{ reason: string | null }>`select s.revoked_reason as reason
        from user_sessions s join refresh_tokens r on r.tenant_id = s.tenant_id and r.session_id = s.id
        where s.tenant_id = ${user.tenantId} order by reason`,
    )

  const clean = deleteExpiredAuthData(app.platform)
  app.clock.advance({ seconds: daySeconds })
  await clean(app.clock.now())
  assert.deepEqual(await reasons(), [{ reason: 'LOGOUT' }, { reason: null }])
  app.clock.advance({ seconds: 1 })
  await clean(app.clock.now())
  assert.deepEqual(await reasons(), [{ reason: null }])

  const { refreshToken } = living.body
  const refreshed = await app.call({
    method: 'POST',
    url: '/vault/v1/auth/refresh',
    headers: user.headers,
    body: { refreshToken },
  })
  assert.equal(refreshed.status, 200)
})

test('the failures of an address are deleted a day after the last attempt', async () => {
  const { key } = await app.apiKey(await app.tenant())
  const body = { email: `${unique('u')}@example.com`, password: 'wrong-horse' }
  const codeOfLogin = async () =>
    (await app.call({ method: 'POST', url: '/vault/v1/auth/login', headers: { 'x-api-key': key }, body })).body.code
  const clean = () => deleteExpiredAuthData(app.platform)(app.clock.now())

  for (let failure = 1; failure <= 5; failure += 1) assert.equal(await codeOfLogin(), 'INVALID_CREDENTIALS')
  app.clock.advance({ seconds: daySeconds })
  await clean()
  assert.equal(await codeOfLogin(), 'INVALID_CREDENTIALS')
  assert.equal(await codeOfLogin(), 'LOGIN_THROTTLED', 'the sixth failure in a row, not the first')
  app.clock.advance({ seconds: daySeconds + 5 })
  await clean()
  for (let failure = 1; failure <= 5; failure += 1) assert.equal(await codeOfLogin(), 'INVALID_CREDENTIALS')
})
