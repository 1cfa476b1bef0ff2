import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hostileUrls } from '../../../test/harness/hostile-urls.ts'
import { behaviours, type Receiver, receiver } from '../../../test/harness/receiver.ts'
import { guardedLookup } from '../../outgoing/host-lookup.ts'
import { createSender } from './send.ts'

const now = new Date('2026-11-21T12:00:00Z')
const posting = { headers: { 'webhook-id': 'one' }, body: '{"type":"a"}', now, signal: new AbortController().signal }
// Long enough for a busy computer where an answer comes; what hangs takes all of it.
const patient = createSender({ allowedHosts: 'any', timeoutMs: 20_000 })
const impatient = createSender({ allowedHosts: 'any', timeoutMs: 300 })

describe('sending', () => {
  let there: Receiver
  before(async () => {
    there = await receiver()
  })
  after(() => there.close())

  test('a message arrives as it was signed', async () => {
    there.answer(behaviours.status(200))
    const outcome = await patient({ ...posting, url: `${there.url}?a=1` })
    assert.deepEqual(outcome, { result: 'DELIVERED', statusCode: 200, answer: 'as it was told', pauseMs: null })
    const { path, headers, body } = there.heard.at(-1) ?? assert.fail()
    assert.equal(path, '/hook?a=1')
    assert.equal(body, posting.body)
    assert.equal(headers['webhook-id'], 'one')
    assert.equal(headers['content-type'], 'application/json')
  })

  test('a receiver that hangs or drips its head is given up', async () => {
    for (const behave of [behaviours.hang, behaviours.drip]) {
      there.answer(behave)
      assert.equal((await impatient({ ...posting, url: there.url })).result, 'TIMEOUT')
    }
  })

  test('what counts is the status: a body that never ends or breaks off changes nothing', async () => {
    there.answer(behaviours.dripBody)
    const slow = await createSender({ allowedHosts: 'any', timeoutMs: 2000 })({ ...posting, url: there.url })
    assert.equal(slow.result, 'DELIVERED')
    there.answer(behaviours.closeInBody)
    const cut = await patient({ ...posting, url: there.url })
    assert.equal(cut.result, 'DELIVERED')
    assert.equal(cut.answer, 'the begin')
  })

  test('of an answer of 50 MB little is read and less is kept', async () => {
    let written = 0
    there.answer((request, response) => {
      behaviours.flood(request, response)
      response.on('close', () => {
        written = response.socket?.bytesWritten ?? 0
      })
    })
    const { result, answer } = await patient({ ...posting, url: there.url })
    assert.equal(result, 'DELIVERED')
    assert.equal(answer, 'x'.repeat(1024))
    // What the buffers between the two took on the way, and no more.
    assert.ok(written < 25 * 1024 * 1024, `${written} bytes`)
  })

  test('an error, a redirect, and no answer at all are failures of their own', async () => {
    const asked = async (behave: Parameters<Receiver['answer']>[0]) => {
      there.answer(behave)
      const { result, statusCode, pauseMs } = await patient({ ...posting, url: there.url })
      return [result, statusCode, pauseMs]
    }
    assert.deepEqual(await asked(behaviours.status(500)), ['STATUS', 500, null])
    assert.deepEqual(await asked(behaviours.status(410)), ['STATUS', 410, null])
    assert.deepEqual(await asked(behaviours.status(429, { 'retry-after': '7' })), ['STATUS', 429, 7000])
    assert.deepEqual(await asked(behaviours.closeBeforeAnswer), ['CONNECTION', null, null])
    assert.deepEqual(await asked(behaviours.manyHeaders), ['ANSWER', null, null])
  })

  test('an answer that is none, or asks for another protocol, ends the try at once', async () => {
    const lines = [
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na',
      'HTTP/1.1 200 OK\r\ncontent-length: 0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      '220 mail.example.com ESMTP\r\n',
    ]
    for (const text of lines) {
      there.answer(behaviours.raw(text))
      assert.deepEqual((await patient({ ...posting, url: there.url })).result, 'ANSWER', text)
    }
  })

  test('an answer of an old server, after a word in between, or with a broken body counts by its status', async () => {
    const answers: [string, string][] = [
      ['HTTP/1.0 200 OK\r\n\r\nold', 'old'],
      ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', 'ok'],
      ['HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', ''],
      ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nno length\r\n', 'abc'],
    ]
    for (const [text, begins] of answers) {
      there.answer(behaviours.raw(text))
      const { result, answer } = await patient({ ...posting, url: there.url })
      assert.deepEqual([result, answer], ['DELIVERED', begins], text)
    }
  })

  test('words in between without end are no answer', async () => {
    there.answer(behaviours.wordsInBetween)
    assert.equal((await impatient({ ...posting, url: there.url })).result, 'TIMEOUT')
  })

  test('a redirect is not followed, even to the receiver itself', async () => {
    const asked = there.heard.length
    for (const status of [301, 302, 303, 307, 308]) {
      there.answer(behaviours.status(status, { location: there.url }))
      assert.equal((await patient({ ...posting, url: there.url })).result, 'REDIRECT')
    }
    assert.equal(there.heard.length - asked, 5)
  })

  test('a server that speaks no TLS is not told', async () => {
    const url = there.url.replace('http:', 'https:')
    const asked = there.heard.length
    assert.match((await patient({ ...posting, url })).result, /^(TLS|CONNECTION)$/)
    assert.equal(there.heard.length, asked)
  })

  test('a name that leads nowhere is told from a receiver that does not answer', async () => {
    const unknown = async () => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'queryA' })
    }
    for (const resolve of [unknown, async () => []]) {
      const send = createSender({ allowedHosts: 'any', timeoutMs: 20_000, resolve })
      assert.equal((await send({ ...posting, url: 'https://nowhere.example.com/' })).result, 'NAME')
    }
  })

  test('a stop of the service is no failure of the receiver', async () => {
    there.answer(behaviours.hang)
    const controller = new AbortController()
    const sending = patient({ ...posting, url: there.url, signal: controller.signal })
    controller.abort(new Error('The service stops.'))
    await assert.rejects(sending, /The service stops/)
  })
})

describe('addresses that are not public', () => {
  let inside: Receiver
  before(async () => {
    inside = await receiver()
  })
  after(() => inside.close())

  test('no hostile address gets a connection, whatever its name resolves to', async () => {
    const everyAnswer = [{ address: '127.0.0.1', family: 4 }]
    const send = createSender({ allowedHosts: 'public', timeoutMs: 20_000, resolve: async () => everyAnswer })
    for (const url of hostileUrls(inside.port)) assert.equal((await send({ ...posting, url })).result, 'ADDRESS', url)
    assert.equal(inside.connections(), 0)
  })

  test('a name that leads inside is refused when it is connected to, also if one of its addresses is public', async () => {
    const inward = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1']
    for (const address of inward) {
      const found = [
        { address: '8.8.8.8', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ]
      const send = createSender({ allowedHosts: 'public', timeoutMs: 20_000, resolve: async () => found })
      assert.equal((await send({ ...posting, url: 'https://rebound.example.com:8443/' })).result, 'ADDRESS', address)
    }
    assert.equal(inside.connections(), 0)
  })

  test('a name that was public a moment ago and leads inside now is refused', async () => {
    const answers = ['93.184.216.34', '127.0.0.1', '127.0.0.1']
    let asked = 0
    const resolve = async () => [{ address: answers[asked++] ?? '127.0.0.1', family: 4 }]
    const first = await new Promise((given) =>
      guardedLookup(resolve, 'public')('rebound.example.com', {}, (error, address) => given(error ?? address)),
    )
    assert.equal(first, '93.184.216.34')
    const send = createSender({ allowedHosts: 'public', timeoutMs: 20_000, resolve })
    assert.equal((await send({ ...posting, url: 'https://rebound.example.com:8443/' })).result, 'ADDRESS')
    assert.equal(asked, 2)
    assert.equal(inside.connections(), 0)
  })

  test('a name is resolved once a try, and the connection goes to what was checked', async () => {
    let asked = 0
    const resolve = async () => {
      asked += 1
      return [{ address: '127.0.0.1', family: 4 }]
    }
    const send = createSender({ allowedHosts: 'any', timeoutMs: 20_000, resolve })
    const { result } = await send({ ...posting, url: `http://somewhere.example.com:${inside.port}/` })
    assert.equal(result, 'DELIVERED')
    assert.equal(asked, 1)
  })
})
