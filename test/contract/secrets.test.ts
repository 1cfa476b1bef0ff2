import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reply, type TestApp, type TestUser, testApp, unique } from '../harness/app.ts'
import { freshDatabase } from '../harness/database.ts'
import { waitingToken } from '../harness/mail.ts'
import { rowsWith } from '../harness/tables.ts'

test('no secret lies in the database, in the log or in an answer that does not hand it out', async (t) => {
  const log: string[] = []
  const write = (fields: Record<string, unknown>, message: string) => log.push(JSON.stringify([fields, message]))
  // To look for so many words among the rows of all other tests takes too long.
  const database = await freshDatabase()
  t.after(() => database.close())
  const app = await testApp({ database, log: { info: write, warn: write, error: write } })
  const secrets = await useEverything(app)

  assert.deepEqual(await rowsWith(app.platform, ...secrets.issued.map(([, secret]) => secret)), [])
  const answers = await readEverything(app, secrets.tenantId, secrets.headers)
  for (const [what, secret] of secrets.issued) {
    assert.ok(secret.length > 12, what)
    for (const line of log) assert.ok(!line.includes(secret), `${what} lies in the log`)
    // An administrator may read a license key again, and a person the configuration of a device.
    if (what === 'license key' || what.includes('shared') || what === 'private key') continue
    for (const answer of answers) assert.ok(!answer.includes(secret), `${what} lies in an answer`)
  }
  for (const answer of answers)
    assert.doesNotMatch(answer, /argon2|passwordHash|password_hash|keyHash|key_hash|tokenHash/)
})

/** One of each secret there is, and where it may be seen. */
async function useEverything(app: TestApp) {
  const tenant = await app.tenant()
  const key = await app.apiKey(tenant)
  const user = await app.user(key)
  const rotated = await app.call({
    method: 'POST',
    url: `/admin/tenants/${tenant.id}/api-keys/${key.id}/rotate`,
    headers: app.admin,
    body: {},
  })
  const named = await app.call({
    method: 'POST',
    url: '/v1/platform/admin/keys',
    headers: { ...app.admin, 'idempotency-key': unique('named') },
    body: { name: 'Ana', role: 'VIEWER' },
  })
  const refreshed = await app.call({
    method: 'POST',
    url: '/vault/v1/auth/refresh',
    headers: user.headers,
    body: { refreshToken: user.refreshToken },
  })
  const mailed = await mailedTokens(app, await app.user(key))
  const license = await app.license(tenant)
  const idempotencyKey = unique('a-key-of-the-caller')
  const registered = await app.call({
    method: 'POST',
    url: '/vault/v1/devices',
    headers: { ...user.headers, 'idempotency-key': idempotencyKey },
    body: { deviceName: 'laptop', deviceType: 'LINUX' },
  })
  await app.call({
    method: 'POST',
    url: '/vault/v1/vpn/connect',
    headers: user.headers,
    body: { deviceId: registered.body.device.id, licenseKey: license.key },
  })
  await app.call({
    method: 'POST',
    url: '/admin/access-check',
    headers: { 'x-admin-key': named.body.adminKey.key },
    body: { apiKey: key.key, licenseKey: license.key },
  })
  await app.call({
    method: 'POST',
    url: '/vault/v1/auth/login',
    headers: user.headers,
    body: { email: user.email, password: `${user.password}-wrong` },
  })
  const [, privateKey = '', presharedKey = ''] =
    /PrivateKey = (\S+)[\s\S]*PresharedKey = (\S+)/.exec(registered.body.config) ?? []
  const issued: [string, string][] = [
    ['admin key', app.admin['x-admin-key'] as string],
    ['named admin key', named.body.adminKey.key],
    ['API key', key.key],
    ['rotated API key', rotated.body.apiKey.key],
    ['password', user.password],
    ['wrong password', `${user.password}-wrong`],
    ['access token', user.accessToken],
    ['refresh token', user.refreshToken],
    ['next access token', refreshed.body.accessToken],
    ['next refresh token', refreshed.body.refreshToken],
    ['license key', license.key],
    ['private key', privateKey],
    ['preshared key', presharedKey],
    ['Idempotency-Key', idempotencyKey],
    ...mailed,
  ]
  return { issued, tenantId: tenant.id, headers: user.headers }
}

/** The tokens that a user finds in the mailbox: one that was used, and one of each purpose that waits. */
async function mailedTokens(app: TestApp, user: TestUser): Promise<[string, string][]> {
  const post = (path: string, body: unknown) =>
    app.call({ method: 'POST', url: `/vault/v1/auth/${path}`, headers: user.headers, body })
  const forgotten = async () => {
    await post('password/forgot', { email: user.email })
    await app.settled()
    return (await waitingToken(app.platform, user.email, 'RESET_PASSWORD')) ?? ''
  }
  const verification = (await waitingToken(app.platform, user.email, 'VERIFY_EMAIL')) ?? ''
  const used = await forgotten()
  const password = 'quiet-Lemur-48-anvil'
  assert.equal((await post('password/reset', { token: used, password })).status, 204)
  return [
    ['verification token', verification],
    ['used reset token', used],
    ['waiting reset token', await forgotten()],
    ['password that was set by a reset', password],
  ]
}

async function readEverything(app: TestApp, tenantId: string, headers: Record<string, string>): Promise<string[]> {
  const urls = [
    '/admin/tenants',
    `/admin/tenants/${tenantId}`,
    `/admin/tenants/${tenantId}/api-keys`,
    `/admin/users?tenantId=${tenantId}`,
    `/vault/v1/licenses?tenantId=${tenantId}`,
    '/admin/vpn/servers',
    `/v1/platform/admin/mails?tenantId=${tenantId}`,
    '/v1/platform/admin/keys',
    `/admin/audit-logs?tenantId=${tenantId}&limit=100`,
    '/admin/audit-logs?format=csv',
  ]
  const own = [
    '/vault/v1/auth/me',
    '/vault/v1/devices',
    '/vault/v1/vpn/sessions',
    '/vault/v1/vpn/servers',
    '/vault/v1/vpn/usage',
  ]
  const replies: Reply[] = [
    ...(await Promise.all(urls.map((url) => app.call({ url, headers: app.admin })))),
    ...(await Promise.all(own.map((url) => app.call({ url, headers })))),
  ]
  return replies.map(({ status, body }) => {
    assert.equal(status, 200)
    return JSON.stringify(body)
  })
}
