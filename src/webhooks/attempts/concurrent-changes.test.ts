import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { behaviours, receivers } from '../../../test/harness/receiver.ts'
import { type Subscriber, type TestEndpoint, webhookCalls } from '../../../test/harness/webhooks.ts'
import { many, maybeOne, run, sql } from '../../storage/query.ts'

let app: TestApp
let hooks: ReturnType<typeof webhookCalls>
const { listen, close } = receivers()

before(async () => {
  app = await testApp()
  hooks = webhookCalls(app)
})
after(close)

/** A receiver that answers when the test says so. */
const slowReceiver = async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  const there = await listen((_request, response) => asked.resolve(response))
  const answer = async (status: number, headers: Record<string, string> = {}) =>
    void (await asked.promise).writeHead(status, headers).end()
  return { there, answer, asked: asked.promise }
}

/** A delivery whose try has reached its receiver; `ended` when what is due by the clock has been done. */
const inFlight = async (whose: Subscriber) => {
  const slow = await slowReceiver()
  const endpoint = await hooks.endpoint(whose, slow.there.url)
  const { messageId } = (await hooks.test(whose, endpoint)).body.delivery as { messageId: string }
  const ended = hooks.settled()
  await slow.asked
  return { ...slow, endpoint, messageId, ended }
}

const patch = async (whose: Subscriber, { id }: TestEndpoint, body: object) => {
  const reply = await hooks.call(whose, 'PATCH', `/endpoints/${id}`, body)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
}

describe('while a try is on its way', () => {
  test('an endpoint that has moved is not judged by what its old address answers, and is told at the new one', async () => {
    for (const [status, headers] of [[410], [503, { 'retry-after': '3600' }], [500]] as [number, object?][]) {
      const whose = await hooks.subscriber()
      const { answer, endpoint, ended } = await inFlight(whose)
      const next = await listen()
      await patch(whose, endpoint, { url: next.url })
      await answer(status, { ...headers })
      await ended
      const { status: state, failingSince } = await hooks.get(whose, endpoint)
      assert.deepEqual([state, failingSince], ['ACTIVE', null], `${status}`)
      app.clock.advance({ seconds: 6 })
      await hooks.settled()
      assert.equal(next.heard.length, 1, `${status}`)
    }
  })

  test('an endpoint that is deleted leaves nothing behind', async () => {
    const whose = await hooks.subscriber()
    const { answer, endpoint, messageId, ended } = await inFlight(whose)
    assert.equal((await hooks.call(whose, 'DELETE', `/endpoints/${endpoint.id}`)).status, 204)
    await answer(500)
    await ended
    for (const table of ['webhook_sends', 'webhook_attempts'])
      assert.equal(
        await maybeOne(app.platform, sql`select 1 from ${sql.raw(table)} where message_id = ${messageId}`),
        null,
      )
    const waiting = sql`select 1 from jobs.job_common where group_id = ${whose.tenant.id} and state < 'completed'`
    assert.equal(await maybeOne(app.platform, waiting), null)
  })

  test('a delivery that is asked for anew gets all its tries anew, also if this was to be the last', async () => {
    const whose = await hooks.subscriber()
    const slow = await slowReceiver()
    const endpoint = await hooks.endpoint(whose, slow.there.url)
    const { messageId } = (await hooks.test(whose, endpoint)).body.delivery
    await run(app.platform, sql`update webhook_sends set failures = 9 where message_id = ${messageId}`)
    const ended = hooks.settled()
    await slow.asked
    const resent = await hooks.call(whose, 'POST', `/endpoints/${endpoint.id}/deliveries/${messageId}/resend`)
    assert.equal(resent.status, 202)
    await slow.answer(500)
    await ended
    const [delivery] = await hooks.deliveries(whose, endpoint)
    assert.equal(delivery.status, 'PENDING')
    slow.there.answer(behaviours.status(200))
    app.clock.advance({ seconds: 6 })
    await hooks.settled()
    assert.equal((await hooks.deliveries(whose, endpoint))[0].status, 'DELIVERED')
  })

  test('a node that stops leaves it to the next, which makes it at once', async () => {
    const whose = await hooks.subscriber()
    const there = await listen(behaviours.hang)
    const endpoint = await hooks.endpoint(whose, there.url)
    const leaving = await testApp({ clock: app.clock })
    await hooks.test(whose, endpoint)
    const ended = leaving.settled()
    while (there.heard.length === 0) await new Promise(setImmediate)
    await leaving.app.jobs.stop(0)
    await ended
    there.answer(behaviours.status(200))
    await hooks.settled()
    const [{ status, attempts }] = await hooks.deliveries(whose, endpoint)
    assert.deepEqual([status, attempts, there.heard.length], ['DELIVERED', 1, 2])
  })
})

describe('many deliveries that wait for one endpoint', () => {
  test('look for their turn ever more seldom, and begin anew with the next try', async () => {
    const whose = await hooks.subscriber()
    const there = await listen(behaviours.status(500))
    const endpoint = await hooks.endpoint(whose, there.url, { ratePerMinute: 1 })
    for (let sent = 0; sent < 5; sent++) await hooks.test(whose, endpoint)
    await hooks.settled()
    const looks = async () => {
      const rows = sql<{ data: { attempt: number; looks?: number } }>`select data from jobs.job_common
        where group_id = ${whose.tenant.id} and name = 'webhooks.message.deliver' and state = 'created'`
      return (await many(app.platform, rows)).map(({ data }) => [data.attempt, data.looks ?? 0].join(':')).toSorted()
    }
    assert.deepEqual(await looks(), ['1:1', '1:1', '1:1', '1:1', '2:0'])
    // Past the longest wait after one look: of those that look in one minute again, one has its turn.
    app.clock.advance({ ms: 180_000 - (app.clock.now().getTime() % 60_000) })
    await app.settled()
    assert.ok((await looks()).includes('1:2'))
  })
})
