import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Reply, TestUser } from '../../../test/harness/app.ts'
import {
  createConnection,
  deliver,
  type InboundApp,
  inboundApp,
  signed,
  type TestConnection,
  tenantAdministrator,
  testScheme,
  webhooks,
} from '../../../test/harness/inbound.ts'
import { newId } from '../../kernel/ids.ts'
import type { Scheme } from '../scheme.ts'

const inbox = `${webhooks}/inbound/issue-tracker`

describe('receiving a delivery', () => {
  let app: InboundApp
  let owner: TestUser
  let connection: TestConnection
  before(async () => {
    app = await inboundApp()
    owner = await tenantAdministrator(app)
    connection = await createConnection(app, owner, { account: 'acme' })
  })

  const logged = async (query = '') => {
    const { body } = await app.call({ url: `${webhooks}/deliveries?limit=100${query}`, headers: owner.headers })
    return body.deliveries as { id: string; status: string; cause: string; detail: string; duplicates: number }[]
  }
  const did = (key: string) => app.done.filter((done) => done === key).length

  test('a verified delivery is stored and acknowledged first, and then has its effect', async () => {
    const reply = await deliver(app, connection.path, signed({ key: 'one', entity: 'a' }, connection.secret))
    assert.deepEqual([reply.status, reply.body.status], [200, 'accepted'])
    assert.equal(did('one'), 0)
    await app.settled()
    assert.equal(did('one'), 1)
    const { body } = await app.call({
      url: `${webhooks}/deliveries/${reply.body.deliveryId}`,
      headers: owner.headers,
    })
    const { status, attempts, effects, timeline } = body.delivery
    assert.deepEqual([status, attempts, effects.length], ['processed', 1, 1])
    assert.deepEqual(
      timeline.map(({ event }: { event: string }) => event),
      ['received', 'processed'],
    )
  })

  test('a connection is found by its path, by the query and by the account that the payload names', async () => {
    for (const url of [connection.path, `${inbox}?c=${connection.id}`, inbox]) {
      const sent = signed({ key: `by ${url}`, account: 'acme' }, connection.secret)
      assert.equal((await deliver(app, url, sent)).status, 200, url)
    }
  })

  test('of two connections with one account the one whose secret matches gets the delivery', async () => {
    const other = await tenantAdministrator(app)
    const theirs = await createConnection(app, other, { account: 'acme' })
    const reply = await deliver(app, inbox, signed({ key: 'theirs', account: 'acme' }, theirs.secret))
    const url = `${webhooks}/deliveries/${reply.body.deliveryId}`
    assert.equal((await app.call({ url, headers: other.headers })).status, 200)
    assert.equal((await app.call({ url, headers: owner.headers })).status, 404)
  })

  test('a delivery that is valid for two tenants with the same account goes to neither, also while one is paused, and each is reached by its path', async () => {
    const secret = 'one secret of two tenants'
    const stranger = await tenantAdministrator(app)
    const shared = { account: 'claimed', secret }
    const theirs = await createConnection(app, stranger, shared)
    const ours = await createConnection(app, owner, shared)
    const send = (url: string, key: string) => deliver(app, url, signed({ key, account: 'claimed' }, secret))
    assert.equal((await send(inbox, 'contested')).status, 401)
    await app.call({ method: 'POST', url: `${webhooks}/connections/${ours.id}/pause`, headers: owner.headers })
    assert.equal((await send(inbox, 'contested')).status, 401)
    await app.call({ method: 'POST', url: `${webhooks}/connections/${ours.id}/resume`, headers: owner.headers })
    const causes = async ({ headers }: TestUser, { id }: TestConnection) =>
      (await app.call({ url: `${webhooks}/deliveries?connectionId=${id}`, headers })).body.deliveries.map(
        ({ cause }: { cause: string }) => cause,
      )
    assert.deepEqual(await causes(owner, ours), ['ACCOUNT_SHARED'])
    assert.deepEqual(await causes(stranger, theirs), ['ACCOUNT_SHARED'])
    assert.equal((await send(ours.path, 'contested')).status, 200)
    await app.settled()
    assert.equal(did('contested'), 1)
  })

  test('each signature is verified once, also where two tenants share the account', async () => {
    const verified: string[] = []
    const counting: Scheme = {
      ...testScheme,
      verify: (delivery, context) => {
        verified.push(...context.secrets)
        return testScheme.verify(delivery, context)
      },
    }
    const other = await inboundApp({ inbound: { schemes: { github: counting } } })
    const connections = []
    for (let tenant = 0; tenant < 3; tenant++)
      connections.push(await createConnection(other, await tenantAdministrator(other), { account: 'counted' }))
    for (const { secret } of [...connections, { secret: 'of nobody' }]) {
      const { status } = await deliver(other, inbox, signed({ key: 'counted', account: 'counted' }, secret))
      assert.equal(status, secret === 'of nobody' ? 401 : 200)
      assert.deepEqual(verified.splice(0).sort(), connections.map((connection) => connection.secret).sort())
    }
  })

  test("a tenant that registers another's account many times does not displace its connection", async () => {
    const stranger = await tenantAdministrator(app)
    for (let count = 0; count < 12; count++) await createConnection(app, stranger, { account: 'crowded' })
    const { secret } = await createConnection(app, owner, { account: 'crowded' })
    assert.equal((await deliver(app, inbox, signed({ key: 'crowd', account: 'crowded' }, secret))).status, 200)
  })

  test('ten concurrent copies of one delivery have one effect, and nine get the answer duplicate', async () => {
    const sent = signed({ key: 'ten', entity: 'b' }, connection.secret)
    const replies = await Promise.all(Array.from({ length: 10 }, () => deliver(app, connection.path, sent)))
    assert.deepEqual(replies.map(({ body }) => body.status).sort(), ['accepted', ...Array(9).fill('duplicate')])
    assert.equal(new Set(replies.map(({ body }) => body.deliveryId)).size, 1)
    await app.settled()
    assert.equal(did('ten'), 1)
    const found = (await logged()).find(({ id }) => id === replies[0]?.body.deliveryId)
    assert.equal(found?.duplicates, 9)
  })

  test('every failed check gets the same bytes, nothing is processed, and only the log has the cause', async () => {
    const mine = await createConnection(app, owner, { account: 'flat' })
    const paused = await createConnection(app, owner)
    const deleted = await createConnection(app, owner)
    await app.call({ method: 'POST', url: `${webhooks}/connections/${paused.id}/pause`, headers: owner.headers })
    await app.call({ method: 'DELETE', url: `${webhooks}/connections/${deleted.id}`, headers: owner.headers })
    const good = signed({ key: 'flat', account: 'flat' }, mine.secret)
    const withHeader = (value: string | string[]) => ({
      ...good,
      headers: { ...good.headers, 'x-test-signature': value },
    })
    const { 'x-test-signature': _, ...unsigned } = good.headers
    const replies = await Promise.all([
      deliver(app, mine.path, signed({ key: 'flat' }, 'another secret')),
      deliver(app, mine.path, { ...good, headers: unsigned }),
      deliver(app, mine.path, withHeader('zz')),
      deliver(app, mine.path, withHeader([String(good.headers['x-test-signature']), '0'.repeat(64)])),
      deliver(app, mine.path, { ...good, body: Buffer.concat([good.body, Buffer.from(' ')]) }),
      deliver(app, inbox, signed({ key: 'flat', account: 'flat' }, 'another secret')),
      deliver(app, `${inbox}/${newId(app.clock.now())}`, good),
      deliver(app, `${inbox}?c=no-id`, good),
      deliver(app, `${webhooks}/inbound/email/${mine.id}`, good),
      deliver(app, inbox, signed({ key: 'flat', account: 'nobody' }, mine.secret)),
      deliver(app, inbox, { ...good, body: Buffer.from('{') }),
      deliver(app, paused.path, signed({ key: 'flat' }, paused.secret)),
      deliver(app, deleted.path, signed({ key: 'flat' }, deleted.secret)),
    ])
    const [first] = replies.map(comparable)
    for (const reply of replies) assert.deepEqual(comparable(reply), first)
    assert.equal(replies[0]?.status, 401)
    assert.equal(replies[0]?.body.code, 'SIGNATURE_INVALID')
    await app.settled()
    assert.equal(app.begun.includes('flat'), false)
    const causesOf = async ({ id }: TestConnection) =>
      (await logged(`&connectionId=${id}&status=rejected`)).map(({ cause }) => cause).sort()
    assert.deepEqual(await causesOf(mine), ['SIGNATURE_MALFORMED', 'SIGNATURE_MISMATCH', 'SIGNATURE_MISSING'])
    assert.deepEqual(await causesOf(paused), ['CONNECTION_PAUSED'])
    assert.deepEqual(await causesOf(deleted), ['CONNECTION_DELETED'])
  })

  test('a flood of refused deliveries is one row for each cause and minute, without a body', async () => {
    const flooded = await createConnection(app, owner)
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => deliver(app, flooded.path, signed({ key: `${index}` }, 'wrong'))),
    )
    const rows = await logged(`&connectionId=${flooded.id}`)
    assert.equal(rows.length, 1)
    assert.equal(rows[0]?.duplicates, 29)
    app.clock.advance({ seconds: 60 })
    await deliver(app, flooded.path, signed({ key: 'later' }, 'wrong'))
    assert.equal((await logged(`&connectionId=${flooded.id}`)).length, 2)
  })

  test('a handshake gets the answer that the provider expects, and only with a valid signature', async () => {
    const sent = signed({ challenge: 'say this' }, connection.secret)
    const reply = await deliver(app, connection.path, sent)
    assert.deepEqual([reply.status, reply.body], [200, 'say this'])
    assert.equal(reply.headers['content-type'], 'text/plain; charset=utf-8')
    assert.equal((await deliver(app, connection.path, signed({ challenge: 'say this' }, 'wrong'))).status, 401)
  })

  test('a verified delivery that cannot be used gets a 400 and is rejected in the log', async () => {
    const reply = await deliver(app, connection.path, signed({ unusable: 'No number.' }, connection.secret))
    assert.equal(reply.status, 400)
    const row = (await logged('&status=rejected')).find(({ cause }) => cause === 'UNUSABLE')
    assert.equal(row?.detail, 'No number.')
  })

  test("while the provider's keys cannot be fetched the answer is 503, so that it sends again", async () => {
    const reply = await deliver(app, connection.path, signed({ type: 'provider-is-away' }, connection.secret))
    assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '30'])
  })

  test('keys and names of any length and with any characters are stored and stay distinct', async () => {
    const long = 'k'.repeat(5000)
    const replies = []
    for (const key of [long, `${long}2`, 'a\0b', 'ab', '\ud800'])
      replies.push(await deliver(app, connection.path, signed({ key, entity: key, type: key }, connection.secret)))
    assert.deepEqual(
      replies.map(({ body }) => body.status),
      Array(5).fill('accepted'),
    )
  })

  test('the database contains no secret that a provider repeats in its payload', async () => {
    const sent = signed({ key: 'proof', proof: connection.secret }, connection.secret)
    const { body } = await deliver(app, connection.path, sent)
    await app.settled()
    assert.equal(did('proof'), 1)
    const { delivery } = (await app.call({ url: `${webhooks}/deliveries/${body.deliveryId}`, headers: owner.headers }))
      .body
    assert.equal(delivery.bodyBytes, sent.body.length)
  })
})

/** An answer without what names the single request. */
function comparable({ status, headers, bytes, body }: Reply) {
  const { date: _date, 'x-request-id': requestId, ...rest } = headers
  return {
    status,
    headers: rest,
    text: bytes.toString().replace(String(body.requestId), 'id'),
    isNamed: requestId === body.requestId,
  }
}
