import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signingProviders } from '../../test/harness/signing-providers.ts'
import { incomingDelivery, type RawDelivery } from './incoming-delivery.ts'
import { schemeNames } from './scheme.ts'

const { schemes, sampleOf, connectionOf, clock } = signingProviders()

/** Everything that receiving does with a delivery whose connection is not known yet. */
async function handle(raw: RawDelivery): Promise<void> {
  const delivery = incomingDelivery(raw)
  for (const name of schemeNames) {
    await schemes[name].account(delivery)
    await schemes[name].verify(delivery, { ...connectionOf(name), now: clock.now() })
    await schemes[name].read(delivery, [])
  }
}

describe('an incoming delivery', () => {
  test('has its JSON parsed once, however many schemes look at it', async (t) => {
    for (const name of ['linear', 'slack', 'sns'] as const) {
      const raw = sampleOf(name)
      const parse = t.mock.method(JSON, 'parse')
      await handle(raw)
      const text = raw.body.toString()
      assert.equal(parse.mock.calls.filter(({ arguments: [parsed] }) => parsed === text).length, 1, name)
      parse.mock.restore()
    }
  })

  test('has large JSON parsed in a worker, of which only the long texts are missing', async () => {
    const sent = {
      MessageID: 'large',
      TextBody: 'A line\n'.repeat(300_000),
      Headers: [{ Name: 'To', Value: 'x' }, 1, null],
    }
    const delivery = (value: object) =>
      incomingDelivery({ ...sampleOf('postmark'), body: Buffer.from(JSON.stringify(value)) })
    let turns = 0
    setImmediate(() => turns++)
    assert.deepEqual(await delivery(sent).json(), { ...sent, TextBody: '' })
    assert.equal(turns, 1, 'the event loop did not go on')
    assert.equal(await delivery({ ...sent, list: Array.from({ length: 20_000 }, () => 0) }).json(), null)
  })

  test('has the JSON in the field of its form parsed once, and is itself tried as JSON once', async (t) => {
    const payload = JSON.stringify({ action: 'opened', installation: { id: 1 } })
    const body = Buffer.from(new URLSearchParams({ payload }).toString())
    const parse = t.mock.method(JSON, 'parse')
    await handle({ body, contentType: 'application/x-www-form-urlencoded', headers: {}, query: {} })
    const texts = parse.mock.calls.map(({ arguments: [text] }) => text)
    assert.deepEqual(texts.sort(), [body.toString(), payload].sort())
  })

  test('has the same fields of a form read once', async () => {
    const delivery = incomingDelivery(sampleOf('mailgun'))
    assert.equal(delivery.form(['token', 'signature']), delivery.form(['token', 'signature']))
    assert.equal((await delivery.form(['token']))?.size, 1)
  })
})
