import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestKey, TestUser } from '../../../test/harness/app.ts'
import { auditOfTarget } from '../../../test/harness/audit-log.ts'
import {
  integrationsBase as base,
  type ConnectOptions,
  connectAccount,
  type IntegrationLab,
  integrationLab,
  loggedIn,
} from '../../../test/harness/integrations.ts'
import { mailsTo } from '../../../test/harness/mail.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { receivers } from '../../../test/harness/receiver.ts'
import { eventTypes, webhookCalls } from '../../../test/harness/webhooks.ts'

let lab: IntegrationLab
let key: TestKey
let user: TestUser
before(async () => {
  lab = await integrationLab()
  key = await lab.app.apiKey(await lab.app.tenant())
  user = await organizationCalls(lab.app).person(key)
})
after(() => lab.close())

const post = (path: string, body?: object) =>
  lab.app.call({ method: 'POST', url: `${base}${path}`, headers: user.headers, ...(body && { body }) })
const connect = (options: ConnectOptions) => connectAccount(lab.app.call, user, options)
const read = async (id: string) =>
  (await lab.app.call({ url: `${base}/${id}`, headers: user.headers })).body.integration
const pass = async (seconds: number) => {
  lab.advance(seconds)
  user = await loggedIn(lab.app, user)
}
const tokenRequests = (provider: string) =>
  lab.emulators.journal.entries({ method: 'POST', path: 'token' }).filter((it) => it.provider === provider).length

test('the broker gives the access token alone, of an own app, to the owner, sixty times an hour', async () => {
  const admin = await lab.app.user(key)
  await lab.app.promote(admin)
  const { clientId, clientSecret } = lab.emulators.apps.github
  const app = { method: 'PUT', url: `${base}/apps/github`, headers: admin.headers, body: { clientId, clientSecret } }
  const github = { provider: 'github', features: ['tasks'] }
  const ofPlatform = await post('/github/connect', { features: ['tasks'], broker: true })
  assert.deepEqual([ofPlatform.status, ofPlatform.body.errors[0].path], [400, '/body/broker'])
  const set = await lab.app.call(app)
  assert.equal(set.status, 200)
  assert.ok(!JSON.stringify(set.body).includes(clientSecret))
  const plain = await connect(github)
  assert.equal((await post(`/${plain.id}/token`)).body.code, 'STATE_CONFLICT', 'not connected for it')
  const { id } = await connect({ ...github, integrationId: plain.id, broker: true })
  const first = await post(`/${id}/token`)
  assert.deepEqual(Object.keys(first.body).sort(), ['accessToken', 'expiresAt', 'scopes'])
  assert.equal(first.headers['cache-control'], 'no-store')
  const other = await lab.app.user(key)
  assert.equal((await lab.app.call({ method: 'POST', url: `${base}/${id}/token`, headers: other.headers })).status, 404)
  const more = await Promise.all(Array.from({ length: 70 }, () => post(`/${id}/token`)))
  assert.equal(more.filter(({ status }) => status === 200).length, 58, 'two were asked for before')
  assert.ok(
    more
      .filter(({ status }) => status !== 200)
      .every(({ status, headers }) => status === 429 && headers['retry-after']),
  )
  const given = (await auditOfTarget(lab.app, id)).filter(({ action }) => action === 'integration.token')
  assert.equal(given.length, 59)
  const removed = await lab.app.call({ ...app, method: 'DELETE', body: undefined })
  assert.equal(removed.status, 204)
})

test('a token that nobody uses is renewed once a week, and a dead one is not asked with', async () => {
  const { id } = await connect({ provider: 'linear', features: ['tasks'] })
  const keepAlive = async () => {
    const before = tokenRequests('linear')
    await lab.app.app.housekeep('integrations.tokens.keep-alive')
    return tokenRequests('linear') - before
  }
  await pass(6 * 86_400)
  assert.equal(await keepAlive(), 0)
  await pass(2 * 86_400)
  assert.equal(await keepAlive(), 1)
  assert.equal(await keepAlive(), 0)
  await pass(8 * 86_400)
  lab.emulators.revokeOutside('linear')
  assert.equal(await keepAlive(), 1)
  assert.equal((await read(id)).status, 'reauth_required')
  await pass(8 * 86_400)
  assert.equal(await keepAlive(), 0)
})

test('whoever connected a dead grant is told at once, and again once a week until it is connected', async () => {
  user = await organizationCalls(lab.app).person(key)
  const { id } = await connect({ provider: 'hubspot', features: ['crm'] })
  const mails = async () =>
    (await mailsTo(lab.app.platform, user.email)).filter(({ kind }) => kind === 'INTEGRATION_REAUTH').length
  const before = await mails()
  lab.emulators.revokeOutside('hubspot')
  await post(`/${id}/test`)
  assert.equal(await mails(), before + 1)
  const remind = () => lab.app.app.housekeep('integrations.owners.remind')
  await pass(6 * 86_400)
  await Promise.all([remind(), remind()])
  assert.equal(await mails(), before + 1)
  await pass(2 * 86_400)
  await Promise.all([remind(), remind(), remind()])
  const told = await mails()
  await pass(60)
  assert.equal(told, before + 2)
  await connect({ provider: 'hubspot', features: ['crm'], integrationId: id })
  lab.emulators.revokeOutside('hubspot')
  await post(`/${id}/test`)
  assert.equal(await mails(), told, 'dead again in the same week')
  await connect({ provider: 'hubspot', features: ['crm'], integrationId: id })
  await pass(8 * 86_400)
  await remind()
  assert.equal((await read(id)).status, 'active')
})

test('the grants of an organization go back with it, and the tenant is told', async (t) => {
  const orgs = organizationCalls(lab.app)
  const { id: orgId, name } = await orgs.create(user)
  const hooks = webhookCalls(lab.app)
  const subscriber = await lab.app.user(key)
  await lab.app.promote(subscriber)
  const { listen, close } = receivers()
  t.after(close)
  const there = await listen()
  const endpoint = { url: there.url, eventTypes: ['integration.*'] }
  assert.equal((await hooks.call(subscriber, 'POST', '/endpoints', endpoint)).status, 201)
  const shared = await connect({ provider: 'notion', features: ['export'], orgId })
  const grants = lab.emulators.grants('notion').length
  const url = `/assistant/v1/orgs/${orgId}?confirm=${encodeURIComponent(name)}`
  const gone = await lab.app.call({ method: 'DELETE', url, headers: user.headers })
  assert.equal(gone.status, 204, JSON.stringify(gone.body))
  assert.equal((await lab.app.call({ url: `${base}/${shared.id}`, headers: user.headers })).status, 404)
  await lab.app.settled()
  assert.equal(lab.emulators.grants('notion').length, grants - 1)
  await hooks.settled()
  // Deliveries keep no order.
  assert.deepEqual(eventTypes(there.heard).toSorted(), ['integration.connected', 'integration.disconnected'])
})

test('a grant goes back also where its access token has ended, and the provider was down for a while', async () => {
  const { id } = await connect({ provider: 'zoom', features: ['transcripts'] })
  lab.emulators.faults.add({ provider: 'zoom', path: '/oauth/revoke', status: 503, times: 3 })
  await lab.app.call({ method: 'DELETE', url: `${base}/${id}`, headers: user.headers })
  for (let i = 0; i < 5; i++) {
    await lab.app.settled()
    lab.advance(3600)
  }
  const ends = async () =>
    (await auditOfTarget(lab.app, id))
      .filter(({ action }) => action === 'integration.revoke')
      .map((it) => it.changes?.['outcome'])
  assert.deepEqual(await ends(), ['REVOKED'])
  assert.deepEqual(lab.emulators.grants('zoom'), [])
  user = await loggedIn(lab.app, user)
})

test('what waits for a dead grant goes on when its site is chosen again from the sites of an account', async () => {
  user = await organizationCalls(lab.app).person(key)
  const { id: orgId } = await organizationCalls(lab.app).create(user)
  lab.emulators.control('atlassian', 'setSiteCount', { count: 2 })
  const choose = async () => {
    const { id, status, choices } = await connect({ provider: 'atlassian', features: ['tasks'] })
    assert.equal(status, 'choosing')
    return (await post(`/${id}/account`, { accountId: choices[0].id })).body.integration
  }
  const { id } = await choose()
  const tasks = { method: 'POST', url: `/assistant/v1/orgs/${orgId}/tasks`, headers: user.headers }
  const { task } = (await lab.app.call({ ...tasks, body: { title: 'Order the parts' } })).body
  lab.emulators.revokeOutside('atlassian')
  const target = { projectId: '10000' }
  const asked = await post(`/${id}/actions`, { action: 'create_issue', taskId: task.id, target })
  await lab.app.settled()
  const action = async () =>
    (await lab.app.call({ url: `${base}/actions/${asked.body.action.id}`, headers: user.headers })).body.action
  assert.equal((await action()).cause, 'REAUTH_REQUIRED')
  assert.equal((await choose()).id, id, 'the same site is the same integration')
  await lab.app.settled()
  assert.equal((await action()).status, 'done')
})
