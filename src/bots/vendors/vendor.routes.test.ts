import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestUser } from '../../../test/harness/app.ts'
import { links, type VendorTest, vendorTest } from '../../../test/harness/vendors.ts'

let at: VendorTest
let admin: TestUser

before(async () => {
  at = await vendorTest()
  admin = (await at.admin()).user
})
after(() => at.close())

const apiKey = 'a-key-of-an-account'
const put = (user: TestUser, vendor: string, body: unknown) => at.bots.call(user, 'PUT', `/vendors/${vendor}`, body)
const list = async (user: TestUser) => (await at.bots.call(user, 'GET', '/vendors')).body.vendors

test('a vendor is set up where it has a region, or at its address, and its key is shown to nobody', async () => {
  const recall = await put(admin, 'recall', { apiKey, region: 'eu-central-1' })
  assert.equal(recall.status, 200, JSON.stringify(recall.body))
  assert.equal(recall.body.vendor.baseUrl, 'https://eu-central-1.recall.ai')
  assert.equal(recall.body.vendor.webhookPath, null)
  const own = await put(admin, 'vexa', { apiKey, baseUrl: 'https://vexa.example.com/api/' })
  assert.equal(own.body.vendor.baseUrl, 'https://vexa.example.com/api')
  assert.ok(!JSON.stringify([recall.body, await list(admin)]).includes(apiKey))
})

test('settings that cannot work are refused with the field', async () => {
  const cases: [string, object, string][] = [
    ['recall', { apiKey }, '/body/region'],
    ['recall', { apiKey, region: 'mars' }, '/body/region'],
    ['recall', { apiKey, region: '__proto__' }, '/body/region'],
    ['recall', { apiKey, region: 'eu-central-1', baseUrl: 'https://example.com' }, '/body/baseUrl'],
    ['attendee', { apiKey, region: 'eu-central-1' }, '/body/region'],
    ['attendee', { apiKey, baseUrl: 'nowhere' }, '/body/baseUrl'],
    ['attendee', { apiKey, baseUrl: 'https://example.com/?a=1' }, '/body/baseUrl'],
    ['attendee', { apiKey: 'with\nlines in it' }, '/body/apiKey'],
    ['attendee', { apiKey, webhookSecret: 'short' }, '/body/webhookSecret'],
  ]
  for (const [vendor, body, path] of cases) {
    const { status, body: answer } = await put(admin, vendor, body)
    assert.deepEqual([status, answer.errors?.[0]?.path], [400, path], JSON.stringify(body))
  }
  assert.equal((await put(admin, 'attendee', { apiKey: 'nul\u0000nulnul' })).status, 400)
  for (const unknown of ['zoom', 'toString', 'a%00b']) assert.equal((await put(admin, unknown, { apiKey })).status, 404)
})

test('only administrators of the tenant see and change it, and another tenant has its own', async () => {
  await put(admin, 'attendee', { apiKey })
  const { user: other } = await at.bots.tenantWithUser()
  assert.equal((await put(other, 'attendee', { apiKey })).status, 403)
  await at.app.promote(other)
  assert.deepEqual(await list(other), [])
  assert.equal((await at.bots.call(other, 'DELETE', '/vendors/attendee')).status, 404)
  assert.equal(
    (await list(admin)).some(({ vendor }: { vendor: string }) => vendor === 'attendee'),
    true,
  )
})

test('ten at once make one account with one address for webhooks', async () => {
  const { user } = await at.admin()
  const body = { apiKey, webhookSecret: 'a-secret-of-ours' }
  const replies = await Promise.all(Array.from({ length: 10 }, () => put(user, 'vexa', body)))
  for (const { status } of replies) assert.equal(status, 200)
  const paths = new Set(replies.map(({ body: answer }) => answer.vendor.webhookPath))
  assert.equal(paths.size, 1)
  const { body: found } = await at.app.call({
    method: 'GET',
    url: '/assistant/v1/webhooks/connections?channel=bot',
    headers: user.headers,
  })
  assert.equal(found.connections.length, 1)
})

test('a vendor stays while its bots live; without one, nobody can be sent', async () => {
  const { user } = await at.admin()
  const before = await at.bots.call(user, 'POST', '', { meetingUrl: links.attendee, provider: 'attendee' })
  assert.deepEqual([before.status, before.body.code], [503, 'NOT_CONFIGURED'])
  await at.setUp(user, 'attendee', { hasHook: false })
  // The first that is set up and can join there.
  const { bot } = await at.sent(user, 'attendee', { provider: undefined })
  assert.equal(bot.provider, 'attendee')
  const deleted = await at.bots.call(user, 'DELETE', '/vendors/attendee')
  assert.deepEqual([deleted.status, deleted.body.code], [409, 'STATE_CONFLICT'])
  assert.equal((await put(user, 'attendee', { apiKey, baseUrl: 'https://example.com' })).status, 409)
  assert.equal((await at.bots.call(user, 'POST', '/stop-all', { reason: 'over' })).status, 200)
  await at.pass(5)
  assert.equal((await at.bots.call(user, 'DELETE', '/vendors/attendee')).status, 204)
  assert.equal((await at.bots.call(user, 'DELETE', '/vendors/attendee')).status, 404)
})
