import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { behaviours, receivers } from '../../../test/harness/receiver.ts'
import { eventTypes, goodSignatures, type Subscriber, webhookCalls } from '../../../test/harness/webhooks.ts'
import { maybeOne, one, run, sql } from '../../storage/query.ts'

let app: TestApp
let hooks: ReturnType<typeof webhookCalls>
const { listen, close } = receivers()

before(async () => {
  app = await testApp()
  hooks = webhookCalls(app)
})
after(close)

const failing = async (whose: Subscriber, status = 500, headers: Record<string, string> = {}) => {
  const there = await listen(behaviours.status(status, headers))
  return { there, endpoint: await hooks.endpoint(whose, there.url) }
}

describe('deliveries', () => {
  test('an event reaches every endpoint that wants it, signed, with one id, and no other', async () => {
    const whose = await hooks.subscriber()
    const [all, licenses, users] = [await listen(), await listen(), await listen()]
    const everything = await hooks.endpoint(whose, all.url)
    await hooks.endpoint(whose, licenses.url, { eventTypes: ['license.*'] })
    await hooks.endpoint(whose, users.url, { eventTypes: ['tenant.user.created', 'vault.*'] })
    const issuedAt = app.clock.now()
    const { id: licenseId } = await app.license(whose.tenant)
    await hooks.settled()
    assert.deepEqual(eventTypes(all.heard), ['license.issued'])
    assert.deepEqual(eventTypes(licenses.heard), ['license.issued'])
    assert.deepEqual(users.heard, [])
    const [heard] = all.heard
    assert.ok(heard)
    assert.equal(goodSignatures(heard, everything.secret), 1)
    assert.equal(heard.headers['webhook-id'], licenses.heard[0]?.headers['webhook-id'])
    assert.equal(heard.body, licenses.heard[0]?.body)
    const { type, timestamp, data } = JSON.parse(heard.body)
    assert.equal(type, 'license.issued')
    assert.equal(timestamp, issuedAt.toISOString())
    assert.deepEqual(data, { licenseId, product: 'vault-vpn' })
  })

  test('what failed is tried ten times by the schedule, with one id and one body, and each try is kept', async () => {
    const whose = await hooks.subscriber()
    const { there, endpoint } = await failing(whose)
    await hooks.test(whose, endpoint)
    await hooks.settled()
    const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [index, seconds] of waits.entries()) {
      assert.equal(there.heard.length, index + 1)
      const [{ nextAttemptAt }] = await hooks.deliveries(whose, endpoint)
      const waitMs = Date.parse(nextAttemptAt) - app.clock.now().getTime()
      assert.ok(waitMs >= seconds * 1000 && waitMs <= seconds * 1100, `${index}: ${waitMs}`)
      app.clock.advance({ ms: waitMs - 1 })
      await app.settled()
      assert.equal(there.heard.length, index + 1, 'not before its time')
      app.clock.advance({ ms: 1 })
      await app.settled()
    }
    const [delivery] = await hooks.deliveries(whose, endpoint)
    assert.equal(delivery.status, 'FAILED')
    assert.equal(delivery.attempts, 10)
    assert.equal(delivery.nextAttemptAt, null)
    assert.equal(delivery.tries.length, 10)
    const { number, result, statusCode, answer } = delivery.tries[0]
    assert.deepEqual(
      { number, result, statusCode, answer },
      { number: 10, result: 'STATUS', statusCode: 500, answer: 'as it was told' },
    )
    assert.equal(there.heard.length, 10)
    assert.equal(new Set(there.heard.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size, 1)
    assert.equal(new Set(there.heard.map(({ headers }) => headers['webhook-timestamp'])).size, 10)
    for (const heard of there.heard) assert.equal(goodSignatures(heard, endpoint.secret), 1)
  })

  test('a receiver that asks for a pause gets it for everything that is sent to it', async () => {
    const whose = await hooks.subscriber()
    const { there, endpoint } = await failing(whose, 429, { 'retry-after': '600' })
    await hooks.test(whose, endpoint)
    await hooks.settled()
    await hooks.test(whose, endpoint)
    await hooks.settled()
    there.answer(behaviours.status(200))
    app.clock.advance({ seconds: 599 })
    await app.settled()
    assert.equal(there.heard.length, 1)
    // After the pause within a minute, and one at a time: it was failing.
    for (const seconds of [62, 10]) {
      app.clock.advance({ seconds })
      await app.settled()
    }
    assert.equal(there.heard.length, 3)
    assert.deepEqual(
      (await hooks.deliveries(whose, endpoint)).map(({ status }: { status: string }) => status),
      ['DELIVERED', 'DELIVERED'],
    )
  })

  test('an endpoint that says it is gone is disabled at once, which is audited and told to the others', async () => {
    const whose = await hooks.subscriber()
    const { endpoint } = await failing(whose, 410)
    const other = await listen()
    await hooks.endpoint(whose, other.url, { eventTypes: ['webhook.*'] })
    await hooks.test(whose, endpoint)
    await hooks.settled()
    const { status, disabledReason } = await hooks.get(whose, endpoint)
    assert.deepEqual([status, disabledReason], ['DISABLED', 'GONE'])
    assert.deepEqual(eventTypes(other.heard), ['webhook.endpoint.disabled'])
    assert.equal(JSON.parse(other.heard[0]?.body ?? '').data.endpointId, endpoint.id)
    const entry = await one(
      app.platform,
      sql<{
        tenant: string
      }>`select tenant_id as tenant from audit_log where action = 'webhook.endpoint.disabled' and target_id = ${endpoint.id}`,
    )
    assert.equal(entry.tenant, whose.tenant.id)
    assert.equal((await hooks.test(whose, endpoint)).body.code, 'STATE_CONFLICT')
  })

  test('an endpoint with nothing but failures for five days is disabled; a single success begins anew', async () => {
    const whose = await hooks.subscriber()
    const { there, endpoint } = await failing(whose)
    const tryOn = async (days: number) => {
      app.clock.advance({ seconds: days * 86_400 })
      await hooks.test(whose, endpoint)
      await hooks.settled()
      return (await hooks.get(whose, endpoint)).status
    }
    assert.equal(await tryOn(0), 'ACTIVE')
    assert.equal(await tryOn(4.9), 'ACTIVE')
    there.answer(behaviours.status(200))
    assert.equal(await tryOn(0), 'ACTIVE')
    there.answer(behaviours.status(500))
    assert.equal(await tryOn(0.2), 'ACTIVE')
    assert.equal(await tryOn(4.9), 'ACTIVE')
    assert.equal(await tryOn(0.2), 'DISABLED')
    assert.equal((await hooks.get(whose, endpoint)).disabledReason, 'FAILING')
  })

  test('what an endpoint missed while it was disabled is sent when the tenant asks for it', async () => {
    const whose = await hooks.subscriber()
    const { there, endpoint } = await failing(whose, 410)
    const since = app.clock.now().toISOString()
    await hooks.test(whose, endpoint)
    await hooks.settled()
    const license = await app.license(whose.tenant)
    await hooks.settled()
    assert.equal(there.heard.length, 1)
    const recover = (at: string) => hooks.call(whose, 'POST', `/endpoints/${endpoint.id}/recover`, { since: at })
    assert.equal((await recover(since)).body.code, 'STATE_CONFLICT')
    there.answer(behaviours.status(200))
    assert.equal((await hooks.call(whose, 'POST', `/endpoints/${endpoint.id}/enable`)).body.endpoint.status, 'ACTIVE')
    const later = new Date(app.clock.now().getTime() + 1).toISOString()
    assert.equal((await recover(later)).body.recovered, 0)
    const reply = await recover(since)
    assert.deepEqual([reply.status, reply.body.recovered, reply.body.remaining], [202, 2, 0])
    await hooks.settled()
    assert.deepEqual(eventTypes(there.heard).sort(), ['license.issued', 'webhook.test', 'webhook.test'])
    const issued = there.heard.find(({ body }) => body.includes('license.issued'))
    assert.equal(JSON.parse(issued?.body ?? '').data.licenseId, license.id)
    assert.equal((await recover(since)).body.recovered, 0)
  })

  test('a delivery is sent again under its id when the tenant asks, whatever became of it', async () => {
    const whose = await hooks.subscriber()
    const there = await listen()
    const endpoint = await hooks.endpoint(whose, there.url)
    const { messageId } = (await hooks.test(whose, endpoint)).body.delivery
    await hooks.settled()
    const path = `/endpoints/${endpoint.id}/deliveries/${messageId}/resend`
    const reply = await hooks.call(whose, 'POST', path)
    assert.equal(reply.body.delivery.status, 'PENDING')
    await hooks.settled()
    assert.deepEqual(
      there.heard.map(({ headers }) => headers['webhook-id']),
      [messageId, messageId],
    )
    const [delivery] = await hooks.deliveries(whose, endpoint, '?status=DELIVERED')
    assert.equal(delivery.attempts, 2)
    assert.deepEqual(await hooks.deliveries(whose, endpoint, '?status=FAILED'), [])
    const unknown = `/endpoints/${endpoint.id}/deliveries/${endpoint.id}/resend`
    assert.equal((await hooks.call(whose, 'POST', unknown)).status, 404)
  })

  test('during a rotation both secrets are good, a day later only the new one', async () => {
    const whose = await hooks.subscriber()
    const there = await listen()
    const endpoint = await hooks.endpoint(whose, there.url)
    const rotated = (await hooks.call(whose, 'POST', `/endpoints/${endpoint.id}/rotate-secret`)).body
    assert.notEqual(rotated.secret, endpoint.secret)
    await hooks.test(whose, endpoint)
    await hooks.settled()
    app.clock.advance({ seconds: 86_400 })
    await hooks.test(whose, endpoint)
    await hooks.settled()
    const [during, later] = there.heard
    assert.ok(during && later)
    const goodOf = (secret: string) => [goodSignatures(during, secret), goodSignatures(later, secret)]
    assert.deepEqual(goodOf(endpoint.secret), [1, 0])
    assert.deepEqual(goodOf(rotated.secret), [1, 1])
  })

  test('an endpoint gets no more in a minute than it wants, and the rest in the next', async () => {
    const whose = await hooks.subscriber()
    const there = await listen()
    const endpoint = await hooks.endpoint(whose, there.url, { ratePerMinute: 3 })
    // From the beginning of a minute, so that all of the first are in one.
    app.clock.advance({ ms: 60_000 - (app.clock.now().getTime() % 60_000) })
    for (let sent = 0; sent < 7; sent++) await hooks.test(whose, endpoint)
    await app.settled()
    assert.equal(there.heard.length, 3)
    for (let minute = 0; minute < 6; minute++) {
      app.clock.advance({ seconds: 60 })
      await app.settled()
      assert.ok(there.heard.length <= 3 * (minute + 2))
    }
    assert.equal(there.heard.length, 7)
  })

  test('a try that is running is not made a second time, and one whose process died is made again', async () => {
    const whose = await hooks.subscriber()
    const there = await listen()
    const endpoint = await hooks.endpoint(whose, there.url)
    await hooks.test(whose, endpoint)
    const until = new Date(app.clock.now().getTime() + 60_000)
    await run(app.platform, sql`update webhook_sends set claimed_until = ${until} where tenant_id = ${whose.tenant.id}`)
    await hooks.settled()
    assert.equal(there.heard.length, 0)
    app.clock.advance({ seconds: 61 })
    await hooks.settled()
    assert.equal(there.heard.length, 1)
  })

  test('a delivery whose job was lost is found and made', async () => {
    const whose = await hooks.subscriber()
    const there = await listen()
    const endpoint = await hooks.endpoint(whose, there.url)
    await hooks.test(whose, endpoint)
    await run(app.platform, sql`delete from jobs.job_common where group_id = ${whose.tenant.id}`)
    await hooks.settled()
    assert.equal(there.heard.length, 0)
    app.clock.advance({ seconds: 901 })
    await app.app.housekeep('webhooks.')
    await hooks.settled()
    assert.equal(there.heard.length, 1)
  })

  test('messages are forgotten after 30 days, with their deliveries', async () => {
    const whose = await hooks.subscriber()
    const there = await listen()
    const endpoint = await hooks.endpoint(whose, there.url)
    await hooks.test(whose, endpoint)
    await hooks.settled()
    app.clock.advance({ seconds: 29 * 86_400 })
    await app.app.housekeep('webhooks.')
    assert.equal((await hooks.deliveries(whose, endpoint)).length, 1)
    app.clock.advance({ seconds: 2 * 86_400 })
    await app.app.housekeep('webhooks.')
    assert.deepEqual(await hooks.deliveries(whose, endpoint), [])
    assert.equal(
      await maybeOne(app.platform, sql`select 1 from webhook_attempts where tenant_id = ${whose.tenant.id}`),
      null,
    )
  })

  test("one tenant's endpoint that hangs keeps nobody else's events waiting", async () => {
    const [stuck, well] = [await hooks.subscriber(), await hooks.subscriber()]
    const dead = await listen(behaviours.hang)
    const there = await listen()
    const [hanging, working] = [await hooks.endpoint(stuck, dead.url), await hooks.endpoint(well, there.url)]
    for (let sent = 0; sent < 12; sent++) await hooks.test(stuck, hanging)
    await hooks.test(well, working)
    const running = hooks.settled()
    // Fulfilled while the others hang: they are ended only afterwards.
    while (there.heard.length === 0) await new Promise(setImmediate)
    assert.ok(dead.heard.length <= 5, 'no more at once than an endpoint may have')
    await dead.close()
    await running
    assert.equal((await hooks.deliveries(well, working))[0].status, 'DELIVERED')
    assert.equal(
      (await hooks.deliveries(stuck, hanging)).filter(({ status }: { status: string }) => status === 'DELIVERED')
        .length,
      0,
    )
  })
})
