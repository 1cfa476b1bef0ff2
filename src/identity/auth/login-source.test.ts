import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, type TestKey, testApp } from '../../../test/harness/app.ts'
import { many, maybeOne, sql } from '../../storage/query.ts'
import { deleteExpiredAuthData } from './auth-housekeeping.ts'
import { sourcesMax } from './login-source.rules.ts'

const trustedProxies = ['127.0.0.1']
let app: TestApp
before(async () => {
  app = await testApp({ trustedProxies })
})
const password = 'plum-Kayak-73-otter'
const [home, elsewhere] = ['198.51.100.7', '203.0.113.9']
const fromBrowser = { origin: 'https://app.example.com' }

type Attempt = { key: string; email: string; word?: string; from?: string; headers?: Record<string, string> }

async function login({ key, email, word = password, from = home, headers = {} }: Attempt, node = app) {
  const reply = await node.call({
    method: 'POST',
    url: '/v1/auth/login',
    headers: { 'x-api-key': key, 'x-forwarded-for': from, ...headers },
    body: { email, password: word },
  })
  const cookie = reply.headers['set-cookie']?.split(';')[0]
  return { code: reply.status === 200 ? 'OK' : (reply.body.code as string), reply, cookie }
}

/** A user who has logged in from home. */
async function owner(node = app, key?: TestKey) {
  const usedKey = key ?? (await node.apiKey(await node.tenant()))
  const user = await node.user(usedKey)
  const attempt = { key: usedKey.key, email: user.email }
  assert.equal((await login(attempt, node)).code, 'OK')
  return { ...attempt, user, apiKey: usedKey }
}

async function guess(attempt: Attempt, times: number) {
  const codes = []
  for (let time = 0; time < times; time++) codes.push((await login({ ...attempt, word: 'wrong-horse' })).code)
  return codes
}

const throttledAfterFive = [...Array(5).fill('INVALID_CREDENTIALS'), 'LOGIN_THROTTLED']

test('wrong guesses of a stranger do not delay the owner at an address from which the account has logged in before', async () => {
  const { key, email } = await owner()
  assert.deepEqual(await guess({ key, email, from: elsewhere }, 6), throttledAfterFive)
  assert.equal((await login({ key, email, from: '203.0.113.77' })).code, 'LOGIN_THROTTLED', 'another unknown address')
  assert.equal((await login({ key, email })).code, 'OK')
})

test('a browser that has logged in before is recognized at any address, for its own account only', async () => {
  const { key, email, apiKey } = await owner()
  const other = await owner(app, apiKey)
  const { cookie, reply } = await login({ key, email, headers: fromBrowser })
  assert.match(
    reply.headers['set-cookie'] ?? '',
    /^__Host-atrium_browser=[\w-]{22}; Path=\/; Max-Age=7776000; Secure; HttpOnly; SameSite=Strict$/,
  )
  const browser = { from: '203.0.113.1', headers: { cookie: `theme=dark; ${cookie}` } }
  for (const each of [email, other.email]) await guess({ key, email: each, from: elsewhere }, 6)
  const again = await login({ key, email, ...browser })
  assert.deepEqual([again.code, again.cookie], ['OK', cookie], 'it keeps its token')
  assert.equal((await login({ key, email: other.email, ...browser })).code, 'LOGIN_THROTTLED')
  for (const made of ['__Host-atrium_browser=AAAAAAAAAAAAAAAAAAAAAA', '__Host-atrium_browser=', `x${cookie}`])
    assert.equal((await login({ key, email, from: elsewhere, headers: { cookie: made } })).code, 'LOGIN_THROTTLED')
})

test('guesses from a known address or browser are limited as well, each by a counter of its own', async () => {
  const { key, email } = await owner()
  const { cookie = '' } = await login({ key, email, headers: fromBrowser })
  const browser = { headers: { cookie } }
  assert.deepEqual(await guess({ key, email }, 6), throttledAfterFive)
  assert.deepEqual(await guess({ key, email, ...browser }, 4), Array(4).fill('INVALID_CREDENTIALS'))
  assert.equal((await login({ key, email, ...browser })).code, 'OK', 'the browser comes before its address')
  assert.equal((await login({ key, email })).code, 'LOGIN_THROTTLED')
  assert.deepEqual(await guess({ key, email, ...browser }, 6), throttledAfterFive)
})

test("the owner's logins give a stranger no further guesses", async () => {
  const { key, email } = await owner()
  await guess({ key, email, from: elsewhere }, 4)
  assert.equal((await login({ key, email })).code, 'OK')
  assert.deepEqual(await guess({ key, email, from: elsewhere }, 2), ['INVALID_CREDENTIALS', 'LOGIN_THROTTLED'])
})

test('of fifty parallel guesses from a known browser five are checked, also across two nodes', async () => {
  const { key, email } = await owner()
  const { cookie = '' } = await login({ key, email, headers: fromBrowser })
  const nodes = [app, await testApp({ clock: app.clock, trustedProxies })]
  const codes = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const from = `203.0.113.${at}`
      return (await login({ key, email, word: `wrong-${at}`, from, headers: { cookie } }, nodes[at % 2])).code
    }),
  )
  assert.equal(codes.filter((code) => code === 'INVALID_CREDENTIALS').length, 5)
  assert.equal(codes.filter((code) => code === 'LOGIN_THROTTLED').length, 45)
})

test('a known browser logs in where others have used up the failures of its address', async () => {
  const node = await testApp({
    trustedProxies,
    rateLimits: { requestsMax: 1_000_000, authFailuresMax: 4, windowSeconds: 900 },
  })
  const { key, email, apiKey } = await owner(node)
  const neighbour = await owner(node, apiKey)
  const { cookie = '' } = await login({ key, email, headers: fromBrowser }, node)
  for (let time = 0; time < 9; time++)
    await login({ key, email: `nobody-${time}@example.com`, word: 'wrong-horse' }, node)
  assert.equal((await login({ key, email: neighbour.email }, node)).code, 'LOGIN_THROTTLED')
  assert.equal((await login({ key, email, headers: { cookie } }, node)).code, 'OK')
  const foreign = await login({ key, email: neighbour.email, headers: { cookie } }, node)
  assert.equal(foreign.code, 'LOGIN_THROTTLED')
})

test('strangers do not keep a logged-in user from changing the password', async () => {
  const { key, email, user } = await owner()
  await guess({ key, email, from: elsewhere }, 6)
  const body = { currentPassword: password, newPassword: 'quiet-Lemur-48-anvil' }
  const headers = { ...user.headers, 'x-forwarded-for': elsewhere }
  assert.equal((await app.call({ method: 'POST', url: '/v1/auth/password', headers, body })).status, 200)
})

test('an address is known from the registration on, programs get no cookie, and the table reveals no address', async () => {
  const key = await app.apiKey(await app.tenant())
  const user = await app.user(key) // registers from 127.0.0.1
  assert.equal((await login({ key: key.key, email: user.email, from: home })).cookie, undefined)
  await guess({ key: key.key, email: user.email, from: elsewhere }, 6)
  assert.equal((await login({ key: key.key, email: user.email, from: '127.0.0.1' })).code, 'OK')
  const row = await maybeOne(
    app.platform,
    sql<{ text: string }>`select string_agg(s::text, ' ') as text from login_sources s where user_id = ${user.id}`,
  )
  assert.ok(row && !row.text.includes(home) && !row.text.includes('127.0.0.1'))
})

test('an account keeps its newest sources for ninety days, and none after its removal', async () => {
  const { key, email, user } = await owner()
  const sources = () =>
    many(app.platform, sql<{ at: Date }>`select seen_at as at from login_sources where user_id = ${user.id}`)
  for (let host = 0; host < sourcesMax + 3; host++) {
    app.clock.advance({ seconds: 1 })
    assert.equal((await login({ key, email, from: `192.0.2.${host}` })).code, 'OK')
  }
  assert.equal((await sources()).length, sourcesMax)
  await guess({ key, email, from: elsewhere }, 6)
  assert.equal((await login({ key, email, from: '192.0.2.2' })).code, 'LOGIN_THROTTLED', 'displaced by newer ones')
  assert.equal((await login({ key, email, from: '192.0.2.9' })).code, 'OK')

  app.clock.advance({ seconds: 90 * 24 * 3600 - 10 })
  await guess({ key, email, from: elsewhere }, 6)
  assert.equal((await login({ key, email, from: '192.0.2.3' })).code, 'LOGIN_THROTTLED', 'too long ago')
  await deleteExpiredAuthData(app.platform)(app.clock.now())
  assert.ok((await sources()).length < sourcesMax)
  const { accessToken } = (await login({ key, email, from: '192.0.2.9' })).reply.body
  const headers = { authorization: `Bearer ${accessToken}` }
  const removal = { method: 'DELETE', url: '/v1/auth/me', headers, body: { currentPassword: password } } as const
  assert.equal((await app.call(removal)).status, 204)
  assert.deepEqual(await sources(), [])
})
