import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { auditOfTarget } from '../../../test/harness/audit-log.ts'
import { newLink, ownPage, signIn } from '../../../test/harness/console.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database } from '../../storage/database.ts'
import { many, sql } from '../../storage/query.ts'

const sessionsUrl = '/v1/platform/admin/sessions'
const linksUrl = '/v1/platform/admin/sign-in-links'

let app: TestApp
// Of its own: the housekeeping of tests that live in the future would end the sessions.
let database: Database
before(async () => {
  database = await freshDatabase()
  app = await testApp({ database })
})

const post = (url: string, body: unknown, headers: Record<string, string> = ownPage) =>
  app.call({ method: 'POST', url, headers, body })
const namedKey = async (role: string): Promise<{ id: string; key: string }> =>
  (await post('/v1/platform/admin/keys', { name: 'Ana', role }, app.admin)).body.adminKey

describe('a session of the console', () => {
  test('is opened by an admin key, told with its ends, and ended by signing out', async () => {
    const { call, id } = await signIn(app)
    const { body } = await call({ url: '/console/session' })
    const { session } = body
    assert.deepEqual([session.id, session.role, session.keyId], [id, 'OWNER', null])
    const leftMs = (text: string) => Date.parse(text) - app.clock.now().getTime()
    assert.deepEqual([leftMs(session.expiresAt), leftMs(session.idleExpiresAt)], [12 * 3600_000, 3600_000])
    const signedOut = await call({ method: 'DELETE', url: '/console/session' })
    assert.equal(signedOut.status, 204)
    assert.match(String(signedOut.headers['set-cookie']), /^atrium-console=; Path=\/; Max-Age=0/)
    const after = await call({ url: '/console/session' })
    assert.deepEqual([after.status, after.body.code], [401, 'SESSION_INVALID'])
  })

  test('travels in a cookie that no script and no other site can use', async () => {
    const plain = await post('/console/session', { adminKey: app.admin['x-admin-key'] })
    const attributes = 'Path=/; Max-Age=43200; HttpOnly; SameSite=Strict'
    assert.match(String(plain.headers['set-cookie']), new RegExp(`^atrium-console=atrses_\\w+; ${attributes}$`))
    const proxied = await testApp({ database, trustedProxies: ['127.0.0.1'] })
    const overTls = await proxied.call({
      method: 'POST',
      url: '/console/session',
      headers: { ...ownPage, host: 'atrium.example.com', 'x-forwarded-proto': 'https' },
      body: { adminKey: app.admin['x-admin-key'] },
    })
    const expected = new RegExp(`^__Host-atrium-console=atrses_\\w+; ${attributes}; Secure$`)
    assert.match(String(overTls.headers['set-cookie']), expected)
  })

  test('ends after an hour without use; what a page asks by itself is no use', async () => {
    const [used, polled] = [await signIn(app), await signIn(app)]
    for (let minutes = 0; minutes < 90; minutes += 30) {
      app.clock.advance({ seconds: 30 * 60 - 1 })
      await used.call({ url: '/console/session' })
      await polled.call({ url: '/console/session', headers: { 'x-atrium-poll': '1' } })
    }
    assert.equal((await used.call({ url: '/console/session' })).status, 200)
    assert.equal((await polled.call({ url: '/console/session' })).status, 401)
  })

  test('ends after twelve hours, however much it is used', async () => {
    const { call } = await signIn(app)
    for (let hours = 0; hours < 12; hours += 0.5) {
      assert.equal((await call({ url: '/console/session' })).status, 200)
      app.clock.advance({ seconds: 1800 })
    }
    assert.equal((await call({ url: '/console/session' })).status, 401)
  })

  test('ends with the named key it was opened with, at the next request', async () => {
    const { id, key } = await namedKey('EDITOR')
    const { call } = await signIn(app, { adminKey: key })
    assert.equal((await call({ url: '/console/session' })).body.session.role, 'EDITOR')
    await app.call({ method: 'DELETE', url: `/v1/platform/admin/keys/${id}`, headers: app.admin })
    assert.equal((await call({ url: '/console/session' })).status, 401)
  })

  test('ends when the environment gets another key', async () => {
    const { call, headers } = await signIn(app)
    const renewed = await testApp({ database, adminKey: `atradmin_${'n3W-'.repeat(8)}`, clock: app.clock })
    assert.equal((await renewed.call({ url: '/console/session', headers })).status, 401)
    assert.equal((await call({ url: '/console/session' })).status, 200)
  })

  test('is listed for OWNERs, who can end it', async () => {
    const [owner, other] = [await signIn(app), await signIn(app)]
    const { body } = await owner.call({ url: `/console/api${sessionsUrl}?limit=100` })
    const listed = body.sessions.find(({ id }: { id: string }) => id === other.id)
    assert.deepEqual([listed.role, listed.keyId, listed.ip, listed.signInLinkId], ['OWNER', null, '127.0.0.1', null])
    const end = () => owner.call({ method: 'DELETE', url: `/console/api${sessionsUrl}/${other.id}` })
    assert.equal((await end()).status, 204)
    assert.equal((await end()).status, 404)
    assert.equal((await other.call({ url: '/console/session' })).status, 401)
  })

  test('and what was done in it are audited with the name of its key', async () => {
    const { key } = await namedKey('OWNER')
    const { call, id } = await signIn(app, { adminKey: key })
    await call({ method: 'POST', url: '/console/session/confirm', body: { adminKey: key } })
    await call({ method: 'DELETE', url: '/console/session' })
    const { body } = await app.call({ url: `/admin/audit-logs?targetId=${id}`, headers: app.admin })
    const entries = body.auditLogs.map((entry: { action: string; actor: { type: string; label: string } }) => [
      entry.action,
      `${entry.actor.type} ${entry.actor.label}`,
    ])
    assert.deepEqual(entries.sort(), [
      ['browserSession.confirm', 'ADMIN Ana'],
      ['browserSession.create', 'ADMIN Ana'],
      ['browserSession.end', 'ADMIN Ana'],
    ])
  })
})

describe('signing in', () => {
  test('takes either a key or a link', async () => {
    for (const body of [{}, { adminKey: 'a', link: 'b' }]) {
      const reply = await post('/console/session', body)
      assert.deepEqual([reply.status, reply.body.errors[0].path], [400, '/body'])
    }
  })

  test('refuses wrong keys and links alike, and after too many also tells no more', async () => {
    const limited = await testApp({
      database,
      rateLimits: { requestsMax: 1000, authFailuresMax: 3, windowSeconds: 900 },
    })
    const { link: used } = await newLink(app)
    await signIn(app, { link: used })
    const tries = [{ adminKey: 'atradmin_wrong' }, { link: used }, { link: 'atrlink_unknown' }, { adminKey: 'x' }]
    const codes: string[] = []
    for (const body of tries)
      codes.push((await limited.call({ method: 'POST', url: '/console/session', headers: ownPage, body })).body.code)
    assert.deepEqual(codes, [...Array(3).fill('INVALID_CREDENTIALS'), 'RATE_LIMITED'])
  })

  test('over plain HTTP from another machine is refused, unless the operator allows it', async () => {
    const body = { adminKey: app.admin['x-admin-key'] }
    const headers = { host: 'atrium.example.com', origin: 'http://atrium.example.com', 'x-atrium-door': '1' }
    const refused = await post('/console/session', body, headers)
    assert.deepEqual([refused.status, refused.body.code], [403, 'INSECURE_TRANSPORT'])
    const open = await testApp({ database, door: { isInsecureAllowed: true } })
    const signedIn = await open.call({ method: 'POST', url: '/console/session', headers, body })
    assert.equal(signedIn.status, 201)
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    const read = (headers: Record<string, string>) =>
      open.call({ url: '/console/session', headers: { host: 'atrium.example.com', cookie, ...headers } })
    assert.equal((await read({ 'x-atrium-door': '1' })).status, 200)
    assert.equal((await read({ origin: headers.origin })).body.errors[0].path, '/headers/x-atrium-door')
    for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost', 'atrium.localhost'])
      assert.equal((await post('/console/session', body, { ...ownPage, host })).status, 201, host)
    for (const host of ['127.0.0.1.example.com', 'localhost.example.com'])
      assert.equal((await post('/console/session', body, { ...ownPage, host })).status, 403, host)
  })
})

describe('a sign-in link', () => {
  test('opens one session, however many use it at once', async () => {
    const { id, link } = await newLink(app)
    const replies = await Promise.all(Array.from({ length: 50 }, () => post('/console/session', { link })))
    const statuses = replies.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array(49).fill(401)])
    const { body } = await app.call({ url: `${linksUrl}?limit=100`, headers: app.admin })
    assert.equal(body.signInLinks.find((each: { id: string }) => each.id === id).status, 'USED')
  })

  test('expires, can be deleted, and ends with its key', async () => {
    const refused = async ({ link }: { link: string }) =>
      assert.equal((await post('/console/session', { link })).body.code, 'INVALID_CREDENTIALS')
    const [expiring, deleted] = [await newLink(app, { role: 'OWNER', expiresInSeconds: 60 }), await newLink(app)]
    const url = `${linksUrl}/${deleted.id}`
    assert.equal((await app.call({ method: 'DELETE', url, headers: app.admin })).status, 204)
    assert.equal((await app.call({ method: 'DELETE', url, headers: app.admin })).status, 404)
    app.clock.advance({ seconds: 60 })
    await refused(expiring)
    await refused(deleted)
    const { id } = await namedKey('VIEWER')
    const ofKey = await newLink(app, { role: 'VIEWER', keyId: id })
    await app.call({ method: 'DELETE', url: `/v1/platform/admin/keys/${id}`, headers: app.admin })
    await refused(ofKey)
  })

  test('gives at most the role of its key', async () => {
    const { id } = await namedKey('EDITOR')
    const above = await post(linksUrl, { role: 'OWNER', keyId: id }, app.admin)
    assert.deepEqual([above.status, above.body.code], [403, 'INSUFFICIENT_ROLE'])
    const { call } = await signIn(app, { link: (await newLink(app, { role: 'VIEWER', keyId: id })).link })
    const { session } = (await call({ url: '/console/session' })).body
    assert.deepEqual([session.role, session.keyId, session.keyName], ['VIEWER', id, 'Ana'])
    const unknown = await post(linksUrl, { role: 'VIEWER', keyId: newId(new Date()) }, app.admin)
    assert.equal(unknown.status, 400)
  })

  test('leads to the address that its maker used', async () => {
    const headers = { ...app.admin, host: 'atrium.test:8080' }
    const { body } = await app.call({ method: 'POST', url: linksUrl, headers, body: { role: 'OWNER' } })
    assert.match(body.signInLink.url, /^http:\/\/atrium\.test:8080\/console#link=atrlink_\w+$/)
  })
})

test('whoever starts the service is given a link while no administrator has a named key', async () => {
  const own = await testApp({ database: await freshDatabase() })
  const link = (await own.app.firstSignInLink('http://127.0.0.1:8080')) ?? assert.fail()
  assert.match(link, /^http:\/\/127\.0\.0\.1:8080\/console#link=atrlink_\w+$/)
  const { call } = await signIn(own, { link: link.split('#link=')[1] ?? '' })
  const { session } = (await call({ url: '/console/session' })).body
  assert.deepEqual([session.role, session.keyId], ['OWNER', null])
  const create = { method: 'POST', url: '/v1/platform/admin/keys', headers: own.admin }
  const { body } = await own.call({ ...create, body: { name: 'Ana', role: 'OWNER' } })
  assert.equal(await own.app.firstSignInLink('http://127.0.0.1:8080'), null)
  await own.call({ method: 'DELETE', url: `/v1/platform/admin/keys/${body.adminKey.id}`, headers: own.admin })
  assert.notEqual(await own.app.firstSignInLink('http://127.0.0.1:8080'), null)
})

describe('a sensitive operation', () => {
  const create = { method: 'POST', url: '/console/api/v1/platform/admin/keys', body: { name: 'Ben', role: 'VIEWER' } }

  test('needs a confirmation at the console alone, which holds for ten minutes', async () => {
    const { call } = await signIn(app)
    const before = await call(create)
    assert.deepEqual([before.status, before.body.code], [403, 'CONFIRMATION_REQUIRED'])
    const invalid = await call({ ...create, body: {} })
    assert.equal(invalid.body.code, 'CONFIRMATION_REQUIRED', 'before the body is looked at')
    const adminKey = app.admin['x-admin-key']
    const confirmed = await call({ method: 'POST', url: '/console/session/confirm', body: { adminKey } })
    assert.equal(confirmed.status, 200)
    assert.equal((await call(create)).status, 201)
    app.clock.advance({ seconds: 600 })
    assert.equal((await call(create)).status, 403)
    assert.equal((await post('/v1/platform/admin/keys', create.body, app.admin)).status, 201)
  })

  test("is confirmed with the session's own key or an OWNER's, and with no other", async () => {
    const [owner, own, other] = [await namedKey('OWNER'), await namedKey('OWNER'), await namedKey('EDITOR')]
    const { call } = await signIn(app, { adminKey: own.key })
    const confirm = async (adminKey: string) =>
      (await call({ method: 'POST', url: '/console/session/confirm', body: { adminKey } })).status
    assert.deepEqual(
      [await confirm(own.key), await confirm(owner.key), await confirm(other.key), await confirm('atradmin_wrong')],
      [200, 200, 403, 401],
    )
  })

  test('is confirmed for whoever has just come by a link', async () => {
    const { call, id } = await signIn(app, { link: (await newLink(app)).link })
    assert.equal((await call(create)).status, 201)
    const [entry] = await auditOfTarget(app, id)
    assert.equal(entry?.action, 'browserSession.create')
    app.clock.advance({ seconds: 600 })
    assert.equal((await call(create)).status, 403)
  })
})

test('sessions and links that are over for 30 days are deleted', async () => {
  const own = await testApp({ database, clock: app.clock })
  const { link } = await newLink(own)
  const { id } = await signIn(own, { link })
  own.clock.advance({ seconds: 31 * 24 * 3600 })
  await own.app.housekeep()
  const { body } = await own.call({ url: `${linksUrl}?limit=100`, headers: own.admin })
  assert.equal(body.pagination.total, 0)
  assert.deepEqual(await many(own.platform, sql`select 1 from browser_sessions where id = ${id}`), [])
})

test('the page isolates itself from others, where a browser takes its word: not over plain HTTP from another machine', async () => {
  const policyAt = async (host: string) =>
    (await app.call({ url: '/console', headers: { host } })).headers['cross-origin-opener-policy']
  assert.equal(await policyAt('127.0.0.1:8080'), 'same-origin')
  assert.equal(await policyAt('atrium.example.com'), undefined)
})
