import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, describe, test } from 'node:test'
import {
  openRegistration,
  type Reply,
  type TestApp,
  type TestKey,
  type TestUser,
  testApp,
  unique,
} from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { type FakeGoogle, fakeGoogle, googleClientId, misbehaviours } from '../../../test/harness/google.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { waitingToken } from '../../../test/harness/mail.ts'
import { run, sql } from '../../storage/query.ts'

const clock = testClock()
let google: FakeGoogle
let app: TestApp
let open: TestApp
let key: TestKey

before(async () => {
  google = await fakeGoogle(clock)
  const settings = { clientIds: ['another-app', googleClientId], jwksUrl: google.jwksUrl }
  app = await testApp({ clock, google: settings })
  open = await testApp({ clock, google: settings, ...openRegistration() })
  key = await app.apiKey(await app.tenant())
})

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  app.call({ method: 'POST', url, headers, body })
const signIn = (body: Record<string, unknown>, at = key, more: Record<string, string> = {}) =>
  post('/vault/v1/auth/google', body, { 'x-api-key': at.key, ...more })
const login = (email: string, password: string, at = key) =>
  post('/vault/v1/auth/login', { email, password }, { 'x-api-key': at.key })
const usersWith = async (email: string, { tenantId } = key): Promise<number> => {
  const url = `/admin/users?tenantId=${tenantId}&email=${encodeURIComponent(email)}`
  return (await app.call({ url, headers: app.admin })).body.pagination.total
}
const newPassword = 'quiet-Lemur-48-anvil'
const person = () => ({ sub: unique('sub'), email: `${unique('g')}@gmail.example` })
const proven = (id: string) => run(app.platform, sql`update users set email_verified = true where id = ${id}`)

describe('sign-in with Google', () => {
  test('a new person is registered with a verified address and no password, and later logged in', async () => {
    const ana = { ...person(), name: 'Ana López' }
    const first = await signIn({ idToken: google.idToken({ ...ana, email: ana.email.toUpperCase() }) })
    assert.equal(first.status, 201)
    assert.equal(first.headers['cache-control'], 'no-store')
    const { user } = first.body
    assert.deepEqual(
      [user.email, user.name, user.emailVerified, user.googleLinked, user.role, user.tenantId],
      [ana.email, 'Ana López', true, true, 'USER', key.tenantId],
    )
    const authorization = `Bearer ${first.body.accessToken}`
    const me = await app.call({ url: '/vault/v1/auth/me', headers: { 'x-api-key': key.key, authorization } })
    assert.deepEqual(me.body.user, user)

    clock.advance({ seconds: 1 })
    const second = await signIn({ idToken: google.idToken({ sub: ana.sub, email: 'moved@gmail.example' }) })
    assert.deepEqual([second.status, second.body.user.id, second.body.user.email], [200, user.id, ana.email])
    assert.equal(second.body.user.lastLoginAt, clock.now().toISOString())
    const entries = await auditOfTenant(app.platform, key.tenantId)
    const own = entries.filter(({ targetId }) => targetId === user.id)
    assert.deepEqual(
      own.map(({ action, changes }) => [action, changes]),
      [
        ['user.register', { with: 'google' }],
        ['user.login', { with: 'google' }],
      ],
    )
    for (const password of ['', 'null', 'plum-Kayak-73-otter'])
      assert.equal((await login(ana.email, password)).status, password === '' ? 400 : 401)
    assert.equal(
      (await login(ana.email, 'plum-Kayak-73-otter')).body.code,
      (await login('nobody@gmail.example', 'plum-Kayak-73-otter')).body.code,
    )
  })

  test('without an API key, sign-in uses the built-in tenant', async () => {
    const body = { idToken: google.idToken(person()) }
    const reply = await open.call({ method: 'POST', url: '/v1/auth/google', body })
    assert.equal(reply.status, 201)
    assert.notEqual(reply.body.user.tenantId, key.tenantId)
    assert.equal((await post('/v1/auth/google', body)).status, 200, 'a user that there is')
  })

  test('nobody new is registered without an API key, unless the installation has opened that', async () => {
    const { email, ...rest } = person()
    const reply = await post('/v1/auth/google', { idToken: google.idToken({ email, ...rest }) })
    assert.deepEqual(codeOf(reply), [403, 'REGISTRATION_CLOSED'])
    assert.equal((await app.call({ url: `/admin/users?email=${email}`, headers: app.admin })).body.pagination.total, 0)
  })

  test('a person is a separate user in each tenant', async () => {
    const bo = person()
    const other = await app.apiKey(await app.tenant())
    const ids = [
      (await signIn({ idToken: google.idToken(bo) })).body,
      (await signIn({ idToken: google.idToken(bo) }, other)).body,
    ]
    assert.notEqual(ids[0].user.id, ids[1].user.id)
  })

  test('of sixteen parallel first sign-ins one creates the user, and all are logged in', async () => {
    const cy = person()
    const answers = await Promise.all(Array.from({ length: 16 }, () => signIn({ idToken: google.idToken(cy) })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(15).fill(200), 201])
    assert.equal(new Set(answers.map(({ body }) => body.user.id)).size, 1)
    assert.equal(await usersWith(cy.email), 1)
  })

  test('one Idempotency-Key creates one session', async () => {
    const body = { idToken: google.idToken(person()) }
    const once = { 'idempotency-key': unique('once') }
    const [first, second] = [await signIn(body, key, once), await signIn(body, key, once)]
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.deepEqual(second.body, first.body)
  })

  test('a user with a verified address is linked once, also by sixteen parallel sign-ins', async () => {
    const user = await app.user(key)
    await proven(user.id)
    const dee = { ...person(), email: user.email }
    const answers = await Promise.all(Array.from({ length: 16 }, () => signIn({ idToken: google.idToken(dee) })))
    assert.deepEqual(
      new Set(answers.map(({ status, body }) => `${status} ${body.user.id}`)),
      new Set([`200 ${user.id}`]),
    )
    assert.equal((await login(user.email, user.password)).status, 200, 'the password goes on working')
    const actions = (await auditOfTenant(app.platform, key.tenantId)).filter(({ targetId }) => targetId === user.id)
    assert.equal(actions.filter(({ action }) => action === 'user.link_google').length, 1)
    const stranger = await signIn({ idToken: google.idToken({ ...person(), email: user.email }) })
    assert.deepEqual(
      codeOf(stranger),
      [409, 'ACCOUNT_LINK_REQUIRED'],
      'a second Google account does not take its place',
    )
  })

  test('an account with an unverified address is neither taken over nor linked', async () => {
    const squatter = await app.user(key)
    const owner = { ...person(), email: squatter.email }
    const refused = await signIn({ idToken: google.idToken(owner) })
    assert.deepEqual(codeOf(refused), [409, 'ACCOUNT_LINK_REQUIRED'])
    const me = await app.call({ url: '/vault/v1/auth/me', headers: squatter.headers })
    assert.deepEqual([me.body.user.googleLinked, me.body.user.emailVerified], [false, false])
    assert.equal(await usersWith(squatter.email), 1)
  })

  test('suspended users, suspended tenants and full tenants are refused as in any login', async () => {
    const full = await app.apiKey(await app.tenant({ limits: { maxUsers: 1 } }))
    const eve = person()
    const { user } = (await signIn({ idToken: google.idToken(eve) }, full)).body
    assert.deepEqual(codeOf(await signIn({ idToken: google.idToken() }, full)), [403, 'QUOTA_EXCEEDED'])
    const change = (url: string) =>
      app.call({ method: 'PATCH', url, headers: app.admin, body: { status: 'SUSPENDED' } })
    await change(`/admin/users/${user.id}`)
    assert.deepEqual(codeOf(await signIn({ idToken: google.idToken(eve) }, full)), [403, 'USER_SUSPENDED'])
    await change(`/admin/tenants/${full.tenantId}`)
    assert.deepEqual(codeOf(await signIn({ idToken: google.idToken() }, full)), [403, 'TENANT_SUSPENDED'])
  })
})

describe('ID tokens', () => {
  const seconds = () => Math.floor(clock.now().getTime() / 1000)

  test('an invalid token is refused and creates no user', async () => {
    const fay = person()
    const wrong: [Record<string, unknown>, string][] = [
      [{ aud: 'somebody-else' }, 'another application'],
      [{ iss: 'https://accounts.google.com.evil.example' }, 'issued by Google'],
      [{ exp: seconds() - 1 }, 'expired'],
      [{ iat: seconds() - 7200 }, 'too long ago'],
      [{ iat: seconds() + 120 }, 'in the future'],
      [{ email_verified: false }, 'not verified'],
      [{ email: 'no address' }, 'not verified'],
    ]
    for (const [claims, reason] of wrong) {
      const reply = await signIn({ idToken: google.idToken({ ...fay, ...claims }) })
      assert.deepEqual(codeOf(reply), [401, 'INVALID_CREDENTIALS'])
      assert.ok(reply.body.detail.includes(reason), reply.body.detail)
    }
    const withNonce = google.idToken({ ...fay, nonce: 'right' })
    assert.deepEqual(codeOf(await signIn({ idToken: withNonce, nonce: 'wrong' })), [401, 'INVALID_CREDENTIALS'])
    assert.equal(await usersWith(fay.email), 0)
    assert.equal((await signIn({ idToken: withNonce, nonce: 'right' })).status, 201)
  })

  test('a token that is not signed with Google’s key and RS256 is refused', async () => {
    const hmac = (text: string) => createHmac('sha256', google.publicKeyPem()).update(text).digest()
    const [head, body, signature] = google.idToken().split('.')
    const [, otherBody] = google.idToken().split('.')
    for (const idToken of [
      google.forged({ alg: 'none' }, () => Buffer.alloc(0)),
      google.forged({ alg: 'HS256' }, hmac),
      google.forged({ alg: 'RS256' }, hmac),
      google.forged({ alg: 'RS256' }, () => Buffer.alloc(256)),
      google.forged({ alg: 'RS256', kid: 'made-up' }, () => Buffer.alloc(256)),
      `${head}.${otherBody}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      'a.b.c',
      '\u0001',
    ]) {
      assert.deepEqual(codeOf(await signIn({ idToken })), [401, 'INVALID_CREDENTIALS'], idToken.slice(0, 60))
    }
  })

  test('tokens are accepted as soon as their key is known, and not once it is withdrawn', async () => {
    const old = google.idToken()
    google.rotate()
    clock.advance({ seconds: 60 })
    assert.equal((await signIn({ idToken: google.idToken() })).status, 201)
    assert.deepEqual(codeOf(await signIn({ idToken: old })), [401, 'INVALID_CREDENTIALS'])
  })

  test('while Google is unreachable a node without its keys answers 503, and a node with them goes on', async () => {
    const idToken = google.idToken()
    await signIn({ idToken })
    google.misbehave(misbehaviours.fail)
    try {
      const fresh = await testApp({ clock, google: { clientIds: [googleClientId], jwksUrl: google.jwksUrl } })
      const reply = await fresh.call({
        method: 'POST',
        url: '/vault/v1/auth/google',
        headers: { 'x-api-key': key.key },
        body: { idToken },
      })
      assert.deepEqual(codeOf(reply), [503, 'UNAVAILABLE'])
      assert.ok(reply.headers['retry-after'])
      assert.equal((await signIn({ idToken })).status, 200)
    } finally {
      google.misbehave(null)
    }
  })

  test('without a client id the routes answer that sign-in is not set up', async () => {
    const plain = await testApp({ clock })
    for (const url of ['/vault/v1/auth/google', '/v1/auth/google']) {
      const body = { idToken: google.idToken() }
      const reply = await plain.call({ method: 'POST', url, headers: { 'x-api-key': key.key }, body })
      assert.deepEqual(codeOf(reply), [503, 'NOT_CONFIGURED'])
    }
  })
})

describe('the link to a Google account', () => {
  const url = '/vault/v1/auth/google/link'
  const unlink = (user: { headers: Record<string, string> }, currentPassword: string) =>
    app.call({ method: 'DELETE', url, headers: user.headers, body: { currentPassword } })

  test('a user links with the password, signs in either way, and unlinks', async () => {
    const user = await app.user(key)
    const gil = { ...person(), email: user.email }
    const idToken = google.idToken(gil)
    const link = (currentPassword: string) => post(url, { idToken, currentPassword }, user.headers)
    assert.deepEqual(codeOf(await link('wrong-password')), [401, 'INVALID_CREDENTIALS'])
    assert.deepEqual(codeOf(await signIn({ idToken })), [409, 'ACCOUNT_LINK_REQUIRED'])
    const linked = await link(user.password)
    assert.deepEqual(
      [linked.status, linked.body.user.googleLinked, linked.body.user.emailVerified],
      [200, true, true],
      'Google has proven the address that the account has',
    )
    assert.equal((await link(user.password)).status, 200)
    assert.equal((await signIn({ idToken })).body.user.id, user.id)

    assert.deepEqual(codeOf(await unlink(user, 'wrong-password')), [401, 'INVALID_CREDENTIALS'])
    assert.equal((await unlink(user, user.password)).status, 204)
    assert.deepEqual(codeOf(await unlink(user, user.password)), [404, 'NOT_FOUND'])
    assert.equal((await login(user.email, user.password)).status, 200)
  })

  const link = (who: TestUser, idToken: string) => post(url, { idToken, currentPassword: who.password }, who.headers)
  const reset = async ({ email }: { email: string }, password: string): Promise<void> => {
    await post('/vault/v1/auth/password/forgot', { email }, { 'x-api-key': key.key })
    await app.settled()
    const token = await waitingToken(app.platform, email, 'RESET_PASSWORD')
    const { status } = await post('/vault/v1/auth/password/reset', { token, password }, { 'x-api-key': key.key })
    assert.equal(status, 204)
  }

  test('a Google account with another address can only be linked to a verified user, and to one user', async () => {
    const [user, other] = [await app.user(key), await app.user(key)]
    const hal = google.idToken(person())
    const refused = await link(user, hal)
    assert.deepEqual(codeOf(refused), [409, 'STATE_CONFLICT'])
    assert.match(refused.body.detail, /Verify it first/)
    await proven(user.id)
    await proven(other.id)
    assert.equal((await link(user, hal)).body.user.googleLinked, true)
    assert.deepEqual(codeOf(await link(other, hal)), [409, 'STATE_CONFLICT'])
    const second = await link(user, google.idToken())
    assert.deepEqual(codeOf(second), [409, 'STATE_CONFLICT'])
    assert.match(second.body.detail, /Unlink that one first/)
  })

  test('after registering with a stranger’s address, an attacker cannot log in with Google once the stranger takes over the account', async () => {
    const mallory = google.idToken(person())
    const early = await app.user(key)
    assert.deepEqual(codeOf(await link(early, mallory)), [409, 'STATE_CONFLICT'], 'not before the address is proven')
    await reset(early, newPassword)
    clock.advance({ seconds: 1 })
    assert.notEqual((await signIn({ idToken: mallory })).body.user?.id, early.id)

    // Alternatively, link while having an own address, and then change to the stranger's.
    const squatter = await app.user(key)
    await proven(squatter.id)
    const eve = google.idToken(person())
    assert.equal((await link(squatter, eve)).status, 200)
    const email = `${unique('victim')}@example.com`
    const body = { email, currentPassword: squatter.password }
    const moved = await app.call({ method: 'PATCH', url: '/vault/v1/auth/me', headers: squatter.headers, body })
    assert.deepEqual([moved.status, moved.body.user.emailVerified, moved.body.user.googleLinked], [200, false, true])
    assert.equal((await link(squatter, eve)).status, 200, 'a link that is there stays as it is')
    await reset({ ...squatter, email }, newPassword)
    const owner = await login(email, newPassword)
    assert.deepEqual([owner.body.user.id, owner.body.user.googleLinked], [squatter.id, false])
    const back = await signIn({ idToken: eve })
    assert.equal(back.status, 201, 'the Google account is that of a new user')
    assert.notEqual(back.body.user.id, squatter.id)
    const resets = (await auditOfTenant(app.platform, key.tenantId)).filter(
      ({ action, targetId }) => action === 'user.reset_password' && [early.id, squatter.id].includes(targetId ?? ''),
    )
    assert.deepEqual(
      resets.map(({ targetId, changes }) => [targetId, changes]),
      [
        [early.id, null],
        [squatter.id, { googleLinked: false }],
      ],
    )
  })

  test('a reset also unlinks a verified user, and the owner’s Google account is linked again at the next sign-in', async () => {
    const ida = { ...person(), email: `${unique('ida')}@gmail.example` }
    const { user } = (await signIn({ idToken: google.idToken(ida) })).body
    await reset(user, newPassword)
    assert.equal((await login(ida.email, newPassword)).body.user.googleLinked, false)
    const again = await signIn({ idToken: google.idToken(ida) })
    assert.deepEqual([again.status, again.body.user.id, again.body.user.googleLinked], [200, user.id, true])
  })

  test('a user without a password cannot unlink Google', async () => {
    const { body } = await signIn({ idToken: google.idToken() })
    const headers = { 'x-api-key': key.key, authorization: `Bearer ${body.accessToken}` }
    assert.deepEqual(codeOf(await unlink({ headers }, 'anything-at-all')), [401, 'INVALID_CREDENTIALS'])
  })
})
