import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { documentCalls } from '../../../test/harness/documents.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { behaviours, type Receiver, receiver } from '../../../test/harness/receiver.ts'
import { propose, taskCalls } from '../../../test/harness/tasks.ts'
import { erase, exportTenant, readTenantFile } from '../../../test/harness/tenant-files.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { eventTypes, type Subscriber, webhookCalls } from '../../../test/harness/webhooks.ts'
import { jobQueue } from '../../jobs/queue.ts'
import { newId } from '../../kernel/ids.ts'
import { eventBus } from '../../storage/events.ts'
import { maybeOne, one, run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { deliveryJob } from '../delivery-job.ts'
import { eventTypes as documented, type EventType } from '../event-types/event-types.ts'
import { eventPublisher } from './publish.ts'
import { publishTenantEvents } from './subscriptions.ts'

let app: TestApp
let hooks: ReturnType<typeof webhookCalls>
let there: Receiver
let whose: Subscriber

before(async () => {
  app = await testApp()
  hooks = webhookCalls(app)
  there = await receiver()
  whose = await hooks.subscriber()
  await hooks.endpoint(whose, there.url)
})
after(() => there.close())

/** What was told since the last call. */
const told = async (): Promise<{ type: string; data: Record<string, string> }[]> => {
  await hooks.settled()
  return there.heard.splice(0).map(({ body }) => {
    const { type, data } = JSON.parse(body)
    // What the reference and the documentation say of it.
    assert.deepEqual(Object.keys(data), Object.keys(documented[type as EventType].data), type)
    return { type, data }
  })
}
const sorted = (types: string[]) => [...types].sort()
const set = (path: string, status: string) =>
  app.call({ method: 'PATCH', url: `/admin/${path}`, headers: app.admin, body: { status } })

describe('events', () => {
  test('tenants are told of their users, and of their own suspension', async () => {
    const user = await app.user(whose.key)
    assert.deepEqual(await told(), [{ type: 'tenant.user.created', data: { userId: user.id } }])
    await set(`users/${user.id}`, 'SUSPENDED')
    await set(`users/${user.id}`, 'ACTIVE')
    await app.call({ method: 'DELETE', url: `/admin/users/${user.id}`, headers: app.admin })
    await set(`tenants/${whose.tenant.id}`, 'SUSPENDED')
    await set(`tenants/${whose.tenant.id}`, 'ACTIVE')
    assert.deepEqual(
      sorted((await told()).map(({ type }) => type)),
      sorted([
        'tenant.user.suspended',
        'tenant.user.activated',
        'tenant.user.removed',
        'tenant.suspended',
        'tenant.activated',
      ]),
    )
  })

  test('tenants are told of devices and sessions, and why a session ended', async () => {
    const vpn = vpnCalls(app)
    const { region } = await vpn.server()
    await app.license(whose.tenant)
    const user = await app.user(whose.key)
    await told()
    const device = await app.device(user, { region })
    const { session } = (await vpn.connect(user, device.id)).body
    await app.call({ method: 'DELETE', url: `/vault/v1/devices/${device.id}`, headers: user.headers })
    const news = await told()
    const data = { sessionId: session.id, deviceId: device.id, path: `/vault/v1/vpn/sessions/${session.id}` }
    const expected = [
      {
        type: 'vault.device.registered',
        data: { deviceId: device.id, userId: user.id, path: `/vault/v1/devices/${device.id}` },
      },
      { type: 'vault.device.revoked', data: { deviceId: device.id } },
      { type: 'vault.session.ended', data: { ...data, reason: 'DEVICE_REVOKED' } },
      { type: 'vault.session.started', data },
    ]
    news.sort((a, b) => (a.type < b.type ? -1 : 1))
    assert.deepEqual(news, expected)
    const shown = await app.call({ url: data.path, headers: user.headers })
    assert.equal(shown.status, 200, 'the path leads to it')
  })

  test('tenants are told of licenses, and once when the last use is taken, however it was', async () => {
    const license = await app.license(whose.tenant, { product: 'editing-sdk', plan: 'STARTER', maxUses: 3 })
    const body = { licenseKey: license.key, consume: true }
    const validate = () =>
      app.call({ method: 'POST', url: '/vault/v1/licenses/validate', headers: whose.headers, body })
    const outcomes = await Promise.all(Array.from({ length: 6 }, validate))
    assert.equal(outcomes.filter(({ body }) => body.valid).length, 3, JSON.stringify(outcomes[0]?.body))
    await app.app.housekeep('licensing.')
    await app.app.housekeep('licensing.')
    await app.call({ method: 'POST', url: `/vault/v1/licenses/${license.key}/revoke`, headers: app.admin })
    const news = await told()
    assert.deepEqual(sorted(news.map(({ type }) => type)), ['license.exhausted', 'license.issued', 'license.revoked'])
    for (const { data } of news) assert.equal(data.licenseId, license.id)
  })

  test('a license that an administrator leaves no use is told of, once, but not one that is revoked', async () => {
    const subscriber = await hooks.subscriber()
    await hooks.endpoint(subscriber, there.url, { eventTypes: ['license.exhausted'] })
    const used = async () => {
      const license = await app.license(subscriber.tenant, { product: 'editing-sdk', plan: 'STARTER', maxUses: 5 })
      const body = { licenseKey: license.key, consume: true }
      const url = '/vault/v1/licenses/validate'
      for (const _use of [1, 2]) await app.call({ method: 'POST', url, headers: subscriber.headers, body })
      return license
    }
    const lower = ({ key }: { key: string }, maxUses: number) =>
      app.call({ method: 'PATCH', url: `/vault/v1/licenses/${key}`, headers: app.admin, body: { maxUses } })
    const [license, revoked] = [await used(), await used()]
    await app.call({ method: 'POST', url: `/vault/v1/licenses/${revoked.key}/revoke`, headers: app.admin })
    assert.equal((await lower(license, 3)).status, 200)
    await lower(revoked, 2)
    assert.deepEqual(await told(), [])
    for (const maxUses of [2, 1]) await lower(license, maxUses)
    await app.app.housekeep('licensing.')
    assert.deepEqual(await told(), [{ type: 'license.exhausted', data: { licenseId: license.id } }])
  })

  test('a session that takes the last use tells of it too', async () => {
    const vpn = vpnCalls(app)
    const { region } = await vpn.server()
    const subscriber = await hooks.subscriber()
    await hooks.endpoint(subscriber, there.url, { eventTypes: ['license.exhausted'] })
    const license = await app.license(subscriber.tenant, { plan: 'STARTER', maxUses: 1 })
    const user = await app.user(subscriber.key)
    await vpn.connect(user, (await app.device(user, { region })).id)
    await app.app.housekeep('licensing.')
    assert.deepEqual(await told(), [{ type: 'license.exhausted', data: { licenseId: license.id } }])
  })

  test('tenants are told of meetings without a word of what was said', async () => {
    const meetings = meetingCalls(app)
    const user = await app.user(whose.key)
    await told()
    const { id } = await meetings.create(user, { title: 'The merger with Umbra' })
    await meetings.append(user, id, [said('Nobody may know of the merger.')])
    await meetings.append(user, id, [said('Nobody at all.')])
    const path = `/assistant/v1/meetings/${id}`
    await meetings.call(user, 'GET', `/${id}/summary`)
    await meetings.call(user, 'POST', `/${id}/end`)
    await meetings.remove(user, id)
    const soon = await told()
    assert.deepEqual(sorted(soon.map(({ type }) => type)), [
      'meeting.completed',
      'meeting.created',
      'meeting.deleted',
      'meeting.summary.ready',
    ])
    app.clock.advance({ seconds: 66 })
    const later = await told()
    assert.deepEqual(later, [
      { type: 'meeting.transcript.updated', data: { meetingId: id, path: `${path}/transcript` } },
    ])
    assert.doesNotMatch(JSON.stringify([soon, later]), /merger|Umbra|Nobody/)
  })

  test('of a meeting that is spoken in all the time one event a minute is told', async () => {
    const meetings = meetingCalls(app)
    const user = await app.user(whose.key)
    const { id } = await meetings.create(user)
    app.clock.advance({ ms: 60_000 - (app.clock.now().getTime() % 60_000) })
    await told()
    for (let tenth = 0; tenth < 30; tenth++) {
      const reply = await meetings.append(user, id, [said(`sentence ${tenth}`)])
      assert.equal(reply.status, 200, JSON.stringify(reply.body))
      app.clock.advance({ seconds: 6 })
    }
    app.clock.advance({ seconds: 60 })
    assert.deepEqual(
      (await told()).map(({ type }) => type),
      Array.from({ length: 3 }, () => 'meeting.transcript.updated'),
    )
  })

  test('tenants are told of documents that were read, could not be read or were erased, and of no word in them', async () => {
    const orgs = organizationCalls(app)
    const owner = await orgs.person(whose.key)
    const { id: orgId } = await orgs.create(owner)
    const documents = documentCalls(app, orgId)
    await told()
    const { id } = await documents.add(owner, 'The merger is secret.', { title: 'Umbra' })
    const blank = await documents.add(owner, '  ')
    const path = `/assistant/v1/orgs/${orgId}/documents`
    const read = await told()
    assert.deepEqual(
      read.toSorted((a, b) => a.type.localeCompare(b.type)),
      [
        {
          type: 'org.document.failed',
          data: { orgId, documentId: blank.id, version: 1, path: `${path}/${blank.id}` },
        },
        { type: 'org.document.ready', data: { orgId, documentId: id, version: 1, path: `${path}/${id}` } },
      ],
    )
    await documents.call(owner, 'DELETE', `/documents/${id}`)
    assert.deepEqual(await told(), [{ type: 'org.document.deleted', data: { orgId, documentId: id } }])
    assert.doesNotMatch(JSON.stringify(read), /merger|Umbra/)
  })

  test('of a task one event a minute is told when the minute is over, also if nobody changed it by hand', async () => {
    const orgs = organizationCalls(app)
    const owner = await orgs.person(whose.key)
    const { id: orgId } = await orgs.create(owner)
    const member = await orgs.add(whose.key, orgId, 'member')
    const tasks = taskCalls(app, orgId)
    const { id: meetingId } = await meetingCalls(app).create(owner)
    const accepted = await propose(app, { tenantId: whose.tenant.id, orgId, meetingId })
    const { id } = await tasks.create(owner, { assigneeId: member.id })
    const changedIn = async (seconds: number) => {
      app.clock.advance({ seconds })
      return (await told()).filter(({ type }) => type === 'org.task.changed').map(({ data }) => data['taskId'])
    }
    app.clock.advance({ ms: 60_000 - (app.clock.now().getTime() % 60_000) })
    await tasks.change(owner, id, { title: 'First' })
    assert.deepEqual(await changedIn(30), [])
    await tasks.change(owner, id, { title: 'Last' })
    await tasks.change(owner, accepted.id, { status: 'open' })
    assert.deepEqual((await changedIn(36)).sort(), [id, accepted.id].sort())
    assert.equal((await orgs.call(member, 'DELETE', `/orgs/${orgId}/members/me`)).status, 204)
    assert.equal((await meetingCalls(app).remove(owner, meetingId)).status, 204)
    assert.deepEqual((await changedIn(60)).sort(), [id, accepted.id].sort())
  })

  test('a user who is removed takes devices and meetings along, and each is told of', async () => {
    const meetings = meetingCalls(app)
    const user: TestUser = await app.user(whose.key)
    await app.device(user)
    await meetings.create(user)
    await meetings.create(user)
    await told()
    await app.call({ method: 'DELETE', url: `/admin/users/${user.id}`, headers: app.admin })
    assert.deepEqual(sorted((await told()).map(({ type }) => type)), [
      'meeting.deleted',
      'meeting.deleted',
      'tenant.user.removed',
      'vault.device.revoked',
    ])
  })
})

describe('telling', () => {
  const wired = () => {
    const events = eventBus()
    const jobs = jobQueue(app.clock)
    jobs.declare([deliveryJob])
    publishTenantEvents({ events, publish: eventPublisher({ clock: app.clock, jobs }).publish, clock: app.clock })
    return events
  }
  const messagesOf = async (tenantId: string) =>
    (
      await one(
        app.platform,
        sql<{ total: number }>`select count(*)::int as total from webhook_messages where tenant_id = ${tenantId}`,
      )
    ).total

  test('a change that is undone tells nobody', async () => {
    const subscriber = await hooks.subscriber()
    await hooks.endpoint(subscriber, there.url)
    const scope = app.scopeOf(subscriber.tenant.id)
    const event = { tenantId: subscriber.tenant.id, licenseId: newId(app.clock.now()), product: 'vault-vpn' }
    const undone = transaction(scope, async (tx) => {
      await wired().emit(tx, 'license.issued', event)
      throw new Error('something after it')
    })
    await assert.rejects(undone, /something after it/)
    assert.equal(await messagesOf(subscriber.tenant.id), 0)
    assert.deepEqual(await told(), [])
  })

  test('what was committed is sent although the process that did it is gone', async () => {
    const subscriber = await hooks.subscriber()
    await hooks.endpoint(subscriber, there.url)
    const scope = app.scopeOf(subscriber.tenant.id)
    const event = { tenantId: subscriber.tenant.id, licenseId: newId(app.clock.now()), product: 'vault-vpn' }
    // A queue that nobody works on: as when the process ends after its commit.
    await transaction(scope, (tx) => wired().emit(tx, 'license.issued', event))
    const another = await testApp({ clock: app.clock })
    await another.settled()
    assert.deepEqual(eventTypes(there.heard.splice(0)), ['license.issued'])
  })

  test('where a tenant has no endpoint nothing is written', async () => {
    const { tenant, key } = await hooks.subscriber()
    await app.license(tenant)
    await app.user(key)
    assert.equal(await messagesOf(tenant.id), 0)
  })

  test('where no endpoint wants to hear it nothing is written', async () => {
    const subscriber = await hooks.subscriber()
    await hooks.endpoint(subscriber, there.url, { eventTypes: ['meeting.*'] })
    await app.license(subscriber.tenant)
    assert.equal(await messagesOf(subscriber.tenant.id), 0)
  })

  test('a tenant that is deleted is told of that and of nothing else, although receivers fail at first', async () => {
    const subscriber = await hooks.subscriber()
    const endpoint = await hooks.endpoint(subscriber, there.url)
    await app.license(subscriber.tenant)
    await told()
    await hooks.test(subscriber, endpoint)
    const { id, slug } = subscriber.tenant
    const gone = await app.call({ method: 'DELETE', url: `/admin/tenants/${id}?confirm=${slug}`, headers: app.admin })
    assert.equal(gone.status, 204, JSON.stringify(gone.body))
    there.answer(behaviours.status(500))
    const news = { type: 'tenant.removed', data: { tenantId: id } }
    assert.deepEqual(await told(), [news])
    there.answer(behaviours.status(204))
    app.clock.advance({ seconds: 6 })
    assert.deepEqual(await told(), [news])
    app.clock.advance({ seconds: 600 })
    assert.deepEqual(await told(), [])
  })

  test("a tenant's file holds its endpoints and what was sent, without secrets, and erasure leaves nothing", async () => {
    const subscriber = await hooks.subscriber()
    const endpoint = await hooks.endpoint(subscriber, there.url)
    await hooks.test(subscriber, endpoint)
    await told()
    const { rows } = readTenantFile((await exportTenant(app, subscriber.tenant.id)).bytes)
    const tables = ['webhook_endpoints', 'webhook_messages', 'webhook_sends', 'webhook_attempts']
    const held = Map.groupBy(rows, ({ table }) => table)
    for (const table of ['webhookEndpoints', 'webhookMessages', 'webhookSends', 'webhookAttempts'])
      assert.equal(held.get(table)?.length, 1, table)
    assert.ok(!JSON.stringify(rows).includes(endpoint.secret))
    await set(`tenants/${subscriber.tenant.id}`, 'SUSPENDED')
    assert.equal((await erase(app, subscriber.tenant)).status, 200)
    for (const table of tables)
      assert.equal(
        await maybeOne(app.platform, sql`select 1 from ${sql.raw(table)} where tenant_id = ${subscriber.tenant.id}`),
        null,
      )
  })

  test('an endpoint that is deleted while something happens keeps the change from nothing', async () => {
    const subscriber = await hooks.subscriber()
    const { id: tenantId } = subscriber.tenant
    for (let round = 0; round < 5; round++) {
      const endpoint = await hooks.endpoint(subscriber, there.url)
      const [gone, license] = await Promise.all([
        hooks.call(subscriber, 'DELETE', `/endpoints/${endpoint.id}`),
        app.license(subscriber.tenant),
      ])
      assert.equal(gone.status, 204)
      assert.ok(license.id)
    }
    await run(app.platform, sql`delete from webhook_messages where tenant_id = ${tenantId}`)
  })
})
