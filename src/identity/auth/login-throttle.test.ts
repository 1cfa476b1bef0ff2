import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { maybeOne, sql } from '../../storage/query.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})
const password = 'plum-Kayak-73-otter'

const newEmail = () => `${unique('u')}@example.com`
const keyOf = async () => app.apiKey(await app.tenant())

async function loginWith({ key }: { key: string }, email: string, word: string, node = app) {
  const { status, body, headers } = await node.call({
    method: 'POST',
    url: '/vault/v1/auth/login',
    headers: { 'x-api-key': key },
    body: { email, password: word },
  })
  return status === 200 ? 'OK' : status === 429 ? `${body.code} ${headers['retry-after']}` : body.code
}

async function failTimes(key: { key: string }, email: string, times: number) {
  for (let time = 0; time < times; time += 1)
    assert.equal(await loginWith(key, email, 'wrong-horse'), 'INVALID_CREDENTIALS')
}

test('after five failures in a row logins are refused for a while, even with the right password', async () => {
  const key = await keyOf()
  const { email } = await app.user(key)
  await failTimes(key, email, 5)
  assert.equal(await loginWith(key, email, password), 'LOGIN_THROTTLED 2')
  app.clock.advance({ ms: 1999 })
  assert.equal(await loginWith(key, email, password), 'LOGIN_THROTTLED 1')
  app.clock.advance({ ms: 1 })
  assert.equal(await loginWith(key, email, 'wrong-horse'), 'INVALID_CREDENTIALS')
  assert.equal(await loginWith(key, email, password), 'LOGIN_THROTTLED 4')
  app.clock.advance({ seconds: 4 })
  assert.equal(await loginWith(key, email, password), 'OK')
  await failTimes(key, email, 5)
  assert.equal(await loginWith(key, email, password), 'LOGIN_THROTTLED 2')
})

test('the delay stops growing at 15 minutes', async () => {
  const key = await keyOf()
  const { email } = await app.user(key)
  await failTimes(key, email, 5)
  for (let failure = 6; failure <= 16; failure += 1) {
    app.clock.advance({ seconds: 900 })
    await failTimes(key, email, 1)
  }
  assert.equal(await loginWith(key, email, password), 'LOGIN_THROTTLED 900')
})

test('an unknown address is delayed like a known one', async () => {
  const key = await keyOf()
  const email = newEmail()
  await failTimes(key, email, 5)
  assert.equal(await loginWith(key, email, password), 'LOGIN_THROTTLED 2')
})

test('all spellings of an address share one counter, and each tenant counts for itself', async () => {
  const [key, other] = [await keyOf(), await keyOf()]
  const email = newEmail()
  for (const spelling of [email, email.toUpperCase(), ` ${email}`, email.replace('@', '\uFF20'), email]) {
    await failTimes(key, spelling, 1)
  }
  assert.equal(await loginWith(key, email, password), 'LOGIN_THROTTLED 2')
  assert.equal(await loginWith(other, email, password), 'INVALID_CREDENTIALS')
})

test('of fifty parallel guesses five are checked, also across two nodes', async () => {
  const key = await keyOf()
  const { email } = await app.user(key)
  const nodes = [app, await testApp({ clock: app.clock })]
  const guesses = Array.from({ length: 50 }, (_, at) => loginWith(key, email, `wrong-horse-${at}`, nodes[at % 2]))
  const answers = await Promise.all(guesses)
  assert.equal(answers.filter((answer) => answer === 'INVALID_CREDENTIALS').length, 5)
  assert.equal(answers.filter((answer) => answer.startsWith('LOGIN_THROTTLED')).length, 45)
})

test('a user whose devices all log in at once is logged in on each of them', async () => {
  const key = await keyOf()
  const { email } = await app.user(key)
  const answers = await Promise.all(Array.from({ length: 12 }, () => loginWith(key, email, password)))
  assert.deepEqual(new Set(answers), new Set(['OK']))
})

test('the same limit holds where a logged-in user has to repeat the password', async () => {
  const user = await app.user(await keyOf())
  const guess = () =>
    app.call({ method: 'DELETE', url: '/v1/auth/me', headers: user.headers, body: { currentPassword: 'wrong-horse' } })
  for (let time = 0; time < 5; time += 1) assert.equal((await guess()).body.code, 'INVALID_CREDENTIALS')
  const body = { currentPassword: password, newPassword: 'quiet-Lemur-48-anvil' }
  const reply = await app.call({ method: 'POST', url: '/v1/auth/password', headers: user.headers, body })
  assert.equal(reply.body.code, 'LOGIN_THROTTLED')
})

test('the audit log reports guessing once per address, and the table does not reveal the address', async () => {
  const key = await keyOf()
  const user = await app.user(key)
  await failTimes(key, user.email, 5)
  app.clock.advance({ seconds: 2 })
  await failTimes(key, user.email, 1)
  const entry = await maybeOne(
    app.platform,
    sql<{
      times: number
      outcome: string
      targetId: string
    }>`select count(*)::int as times, min(outcome) as outcome, min(target_id) as "targetId"
      from audit_log where tenant_id = ${key.tenantId} and action = 'user.login_throttled'`,
  )
  assert.deepEqual(entry, { times: 1, outcome: 'DENIED', targetId: user.id })
  const row = await maybeOne(
    app.platform,
    sql<{ row: string }>`select f::text as row from login_failures f where tenant_id = ${key.tenantId}`,
  )
  assert.ok(row && !row.row.includes(user.email.split('@')[0] ?? user.email))
})
