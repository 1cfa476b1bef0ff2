import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { before, describe, test } from 'node:test'
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

describe('the size and type of a delivery', () => {
  let app: InboundApp
  let connection: TestConnection
  before(async () => {
    app = await inboundApp()
    connection = await createConnection(app, await tenantAdministrator(app))
  })

  const post = (url: string, headers: Record<string, string>, body: string | Buffer) =>
    app.call({ method: 'POST', url, headers, body })

  test('a body over the limit of its channel is refused before it is parsed, also a form', async () => {
    const over = (mebibytes: number) => Buffer.alloc(mebibytes * 1024 * 1024 + 1, 'x')
    const json = { 'content-type': 'application/json' }
    assert.equal((await post(inbox, json, over(1))).status, 413)
    assert.equal((await post(`${webhooks}/inbound/email`, json, over(25))).status, 413)
    const form = { 'content-type': 'multipart/form-data; boundary=b' }
    assert.equal((await post(`${webhooks}/inbound/email`, form, over(25))).status, 413)
    assert.equal((await post(`${webhooks}/inbound/email/${connection.id}`, form, over(25))).status, 413)
  })

  test('large bodies of strangers are not kept: the plain address accepts 1 MiB, and a body for an unknown connection is discarded as it arrives', async () => {
    const email = `${webhooks}/inbound/email`
    const large = Buffer.alloc(2 * 1024 * 1024, 'x')
    for (const type of ['application/json', 'multipart/form-data; boundary=b']) {
      const headers = { 'content-type': type }
      assert.equal((await post(email, headers, large)).status, 413)
      const answers = [
        await post(`${email}/${newId(app.clock.now())}`, headers, large),
        await post(`${email}?c=none`, headers, large),
        await post(email, headers, 'x'),
      ]
      const told = answers.map(({ status, body: { requestId: _, ...body } }) => ({ status, body }))
      assert.equal(told[0]?.status, 401)
      assert.deepEqual(told, [told[0], told[0], told[0]])
    }
    const packed = { 'content-type': 'application/xml' }
    assert.equal((await post(`${email}/${newId(app.clock.now())}`, packed, large)).status, 415)
  })

  test('a body without a length is counted as it arrives and refused before its end', async (t) => {
    const { app: other } = await inboundApp()
    await other.server.listen({ port: 0, host: '127.0.0.1' })
    t.after(() => other.server.close())
    const { port } = other.server.server.address() as AddressInfo
    for (const [path, type, mebibytes] of [
      [inbox, 'application/json', 1],
      [`${webhooks}/inbound/email`, 'multipart/form-data; boundary=b', 25],
    ] as const) {
      const socket = connect(port, '127.0.0.1')
      const head = `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
      socket.on('error', () => undefined).write(head)
      const answered = once(socket, 'data')
      const chunk = Buffer.from(`100000\r\n${'x'.repeat(1024 * 1024)}\r\n`)
      for (let index = 0; index <= mebibytes; index++) socket.write(chunk)
      assert.match(String((await answered)[0]), /^HTTP\/1\.1 413 /, path)
      socket.destroy()
    }
  })

  test('a body larger than the scheme allows is rejected before anything reads it, and the tenant sees the cause', async () => {
    const read: string[] = []
    const watched: Scheme = {
      ...testScheme,
      account: async () => {
        read.push('account')
        return null
      },
      verify: async () => {
        read.push('signature')
        return { isVerified: true }
      },
    }
    const other = await inboundApp({ inbound: { schemes: { github: watched } } })
    const owner = await tenantAdministrator(other)
    const { id, path, secret } = await createConnection(other, owner)
    const large = signed({ key: 'large', proof: 'x'.repeat(600 * 1024) }, secret)
    assert.equal((await deliver(other, path, large)).status, 401)
    assert.equal((await deliver(other, inbox, large)).status, 401)
    assert.deepEqual(read, [])
    const url = `${webhooks}/deliveries?connectionId=${id}`
    const { body } = await other.call({ url, headers: owner.headers })
    assert.deepEqual(
      body.deliveries.map(({ cause }: { cause: string }) => cause),
      ['BODY_TOO_LARGE'],
    )
  })

  test('JSON with very many members is refused with a code of its own once its signature is valid', async () => {
    const crowded = {
      unusable: 'Too many.',
      ...Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`n${n}`, n])),
    }
    const reply = await deliver(app, connection.path, signed(crowded, connection.secret))
    assert.deepEqual([reply.status, reply.body.code], [400, 'BODY_TOO_MANY_MEMBERS'])
    assert.equal((await deliver(app, connection.path, signed(crowded, 'wrong'))).status, 401)
  })

  test('other content types and encoded bodies are 415', async () => {
    const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    assert.equal((await post(inbox, packed, '{}')).status, 415)
    assert.equal((await post(inbox, { 'content-type': 'application/xml' }, '<a/>')).status, 415)
    assert.equal((await post(inbox, { 'content-type': 'multipart/form-data; boundary=b' }, 'b')).status, 415)
    const sent = signed({ key: 'typed' }, connection.secret)
    const typed = { ...sent.headers, 'content-type': 'application/x-www-form-urlencoded' } as Record<string, string>
    const reply = await post(connection.path, typed, sent.body)
    assert.equal(reply.status, 415)
    assert.match(reply.body.detail, /the scheme accepts application\/json/)
  })
})

describe('the limit of a connection', () => {
  const limits = { connectionMax: 5, strangersMax: 3 }
  const rateLimits = { requestsMax: 40, authFailuresMax: 40, windowSeconds: 900 }

  const statusesOf = async (app: InboundApp, path: string, { secret, count }: { secret: string; count: number }) => {
    const statuses = []
    for (let index = 0; index < count; index++)
      statuses.push((await deliver(app, path, signed({ key: `${index}`, account: 'busy' }, secret))).status)
    return statuses
  }

  test('each connection has its own bucket of verified deliveries, and the answer has Retry-After', async () => {
    const app = await inboundApp({ inbound: { limits } })
    const owner = await tenantAdministrator(app)
    const [full, other] = [await createConnection(app, owner), await createConnection(app, owner)]
    assert.deepEqual(
      await statusesOf(app, full.path, { secret: full.secret, count: 7 }),
      [200, 200, 200, 200, 200, 429, 429],
    )
    const refused = await deliver(app, full.path, signed({ key: 'x' }, full.secret))
    assert.equal(refused.body.code, 'RATE_LIMITED')
    assert.equal(refused.body.limit.counted, 'CONNECTION')
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal((await deliver(app, other.path, signed({ key: 'y' }, other.secret))).status, 200)
    app.clock.advance({ seconds: 1800 })
    assert.equal((await deliver(app, full.path, signed({ key: 'z' }, full.secret))).status, 200)
  })

  test('deliveries to unknown connections are counted by address and do not block a connection', async () => {
    const app = await inboundApp({ inbound: { limits } })
    const mine = await createConnection(app, await tenantAdministrator(app), { account: 'busy' })
    const statuses = []
    for (let index = 0; index < 5; index++)
      statuses.push((await deliver(app, inbox, signed({ account: `nobody ${index}` }, 'x'))).status)
    assert.deepEqual(statuses, [401, 401, 401, 429, 429])
    assert.equal((await deliver(app, inbox, signed({ key: 'k', account: 'busy' }, mine.secret))).status, 200)
  })

  test('a stranger cannot silence a provider, neither at the plain address nor at that of the connection', async () => {
    const app = await inboundApp({ inbound: { limits } })
    const mine = await createConnection(app, await tenantAdministrator(app), { account: 'busy' })
    for (const path of [inbox, mine.path]) {
      assert.deepEqual(await statusesOf(app, path, { secret: 'wrong', count: 5 }), [401, 401, 401, 429, 429])
      const counted = (await deliver(app, path, signed({ key: 'k', account: 'busy' }, 'wrong'))).body.limit.counted
      assert.equal(counted, 'ADDRESS')
      // From the same address, too: all customers of a provider share its addresses.
      assert.equal((await deliver(app, path, signed({ key: path, account: 'busy' }, mine.secret))).status, 200)
    }
  })

  test('a wrong secret at one connection hides nothing from the log of another', async () => {
    const app = await inboundApp({ inbound: { limits } })
    const owner = await tenantAdministrator(app)
    const [one, other] = [await createConnection(app, owner), await createConnection(app, owner)]
    assert.deepEqual(await statusesOf(app, one.path, { secret: 'wrong', count: 4 }), [401, 401, 401, 429])
    assert.deepEqual(await statusesOf(app, other.path, { secret: 'wrong', count: 1 }), [401])
    const url = `${webhooks}/deliveries?connectionId=${other.id}&status=rejected`
    assert.equal((await app.call({ url, headers: owner.headers })).body.deliveries.length, 1)
  })

  test('handshakes that anybody may send take nothing from the bucket of verified deliveries', async () => {
    const anybody: Scheme = { ...testScheme, verify: async () => ({ isVerified: true, isUnsigned: true }) }
    let scheme = anybody
    const switched: Scheme = { ...testScheme, verify: (...sent) => scheme.verify(...sent) }
    const app = await inboundApp({ inbound: { limits, schemes: { github: switched } } })
    const mine = await createConnection(app, await tenantAdministrator(app))
    const sent = signed({ challenge: 'say this' }, 'wrong')
    const statuses = []
    for (let index = 0; index < 10; index++) statuses.push((await deliver(app, mine.path, sent)).status)
    assert.deepEqual(statuses, [200, 200, 200, ...Array(7).fill(429)])
    scheme = testScheme
    assert.deepEqual(await statusesOf(app, mine.path, { secret: mine.secret, count: 1 }), [200])
  })

  test('deliveries do not count against the request limit of their address', async () => {
    const app = await inboundApp({ rateLimits })
    const owner = await tenantAdministrator(app)
    const mine = await createConnection(app, owner)
    const replies = []
    for (let index = 0; index < 60; index++)
      replies.push(await deliver(app, mine.path, signed({ key: `${index}` }, index % 2 ? mine.secret : 'wrong')))
    assert.ok(replies.every(({ status }) => status === 200 || status === 401))
    assert.equal((await app.call({ url: '/products' })).status, 200)
  })
})
