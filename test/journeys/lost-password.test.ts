import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createMigratedDatabase } from '../harness/database.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../harness/mail-server.ts'
import { type Service, startService, temporaryFolder } from '../harness/service.ts'

const adminKey = `atradmin_${randomBytes(24).toString('base64url')}`
const person = { email: 'ada@northwind.example', password: 'three-otters-and-a-kayak' }
const newPassword = 'quiet-Lemur-48-anvil'

async function serviceWith(mailServer: MailServer): Promise<Service> {
  const isServer = process.env['ATRIUM_TEST_DATABASE'] === 'postgres'
  return startService({
    DATA_DIR: await temporaryFolder(),
    ADMIN_KEY: adminKey,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'no-reply@atrium.example',
    LOG_LEVEL: 'debug',
    ...(isServer ? { DATABASE_URL: await createMigratedDatabase(), MASTER_KEY: 'ab'.repeat(32) } : {}),
  })
}

function tokenIn({ text }: ReceivedMail): string {
  return /^atr[vp]_\w+$/m.exec(text)?.[0] ?? assert.fail(`no token in ${text}`)
}

test('a person proves the address, loses the password, and gets back in by mail; whoever had the old one is out', async () => {
  const mailServer = await startMailServer()
  const service = await serviceWith(mailServer)
  const send = async (method: string, path: string, { headers = {}, body }: { headers?: object; body?: unknown }) => {
    const init = { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
    const reply = await fetch(service.base + path, init)
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? null : JSON.parse(text) }
  }
  const admin = { 'x-admin-key': adminKey }
  const whitelabelConfig = { displayName: 'Northwind VPN', customDomain: 'vpn.northwind.example' }
  const tenant = { name: 'Northwind', slug: 'northwind', contactEmail: 'ops@northwind.example', whitelabelConfig }
  const { body: made } = await send('POST', '/admin/tenants', { headers: admin, body: tenant })
  const keys = `/admin/tenants/${made.tenant.id}/api-keys`
  const { body: key } = await send('POST', keys, { headers: admin, body: { name: 'app', products: ['vault-vpn'] } })
  const headers = { 'x-api-key': key.apiKey.key }
  const auth = (path: string, body: unknown) => send('POST', `/vault/v1/auth/${path}`, { headers, body })

  const registered = await auth('register', person)
  assert.equal(registered.body.user.emailVerified, false)
  const verification = tokenIn(await mailServer.mailTo(person.email))
  assert.equal((await auth('verify-email', { token: verification })).status, 204)
  const before = await auth('login', person)
  assert.equal(before.body.user.emailVerified, true)

  assert.equal((await auth('password/forgot', { email: person.email })).status, 202)
  const mail = await mailServer.mailTo(person.email)
  assert.equal(mail.headers['subject'], 'Reset your Northwind VPN password')
  const token = tokenIn(mail)
  assert.ok(mail.text.includes(`https://vpn.northwind.example/reset-password?token=${token}`))
  assert.equal((await auth('password/reset', { token, password: newPassword })).status, 204)

  assert.equal((await auth('password/reset', { token, password: newPassword })).body.code, 'VALIDATION_ERROR')
  assert.equal((await auth('login', person)).body.code, 'INVALID_CREDENTIALS')
  for (const session of [registered, before]) {
    const { refreshToken, accessToken } = session.body
    assert.equal((await auth('refresh', { refreshToken })).body.code, 'REFRESH_INVALID')
    const bearer = { ...headers, authorization: `Bearer ${accessToken}` }
    const reply = await fetch(`${service.base}/vault/v1/auth/me`, { headers: bearer })
    assert.equal(reply.status, 401)
    await reply.body?.cancel()
  }
  assert.equal((await auth('login', { ...person, password: newPassword })).status, 200)

  const listed = await fetch(`${service.base}/v1/platform/admin/mails`, { headers: admin })
  const { mails } = (await listed.json()) as { mails: { status: string; kind: string }[] }
  assert.deepEqual(
    mails.map(({ kind, status }) => [kind, status]),
    [
      ['RESET_PASSWORD', 'SENT'],
      ['VERIFY_EMAIL', 'SENT'],
    ],
  )
  assert.equal(await service.stop('SIGTERM'), 0)
  for (const secret of [token, verification, newPassword]) assert.ok(!service.output().includes(secret))
  await mailServer.close()
})
