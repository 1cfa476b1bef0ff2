import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  type Connection,
  causeOf,
  changed,
  changedJson,
  signingProviders,
} from '../../../test/harness/signing-providers.ts'
import { incomingDelivery, type RawDelivery } from '../incoming-delivery.ts'
import { type SchemeName, schemeNames } from '../scheme.ts'

const { schemes, clock, connectionOf, sampleOf, verify, read, account } = signingProviders()

/** Where each scheme's proof stands, and whether it covers all of the body. */
const proofs: Record<SchemeName, { headers: string[]; coversBody: boolean; field?: string }> = {
  'jira-hmac': { headers: ['x-hub-signature'], coversBody: true },
  'jira-jwt': { headers: ['authorization'], coversBody: false },
  linear: { headers: ['linear-signature'], coversBody: true },
  github: { headers: ['x-hub-signature-256'], coversBody: true },
  slack: { headers: ['x-slack-signature', 'x-slack-request-timestamp'], coversBody: true },
  'bot-framework': { headers: ['authorization'], coversBody: false },
  graph: { headers: [], coversBody: false, field: 'correct horse battery staple' },
  sns: { headers: [], coversBody: true },
  mailgun: { headers: [], coversBody: false, field: 'signature"\r\n\r\n' },
  postmark: { headers: ['authorization'], coversBody: false },
  sendgrid: {
    headers: ['x-twilio-email-event-webhook-signature', 'x-twilio-email-event-webhook-timestamp'],
    coversBody: true,
  },
  recall: { headers: ['webhook-id', 'webhook-timestamp', 'webhook-signature'], coversBody: true },
  attendee: { headers: ['x-webhook-signature'], coversBody: true },
  vexa: { headers: ['x-webhook-signature', 'x-webhook-timestamp'], coversBody: true },
  zoom: { headers: ['x-zm-signature', 'x-zm-request-timestamp'], coversBody: true },
  'google-channel': { headers: ['x-goog-channel-token'], coversBody: false },
}

const refusedForm = /^(SIGNATURE_MALFORMED|SIGNATURE_MISMATCH|TIMESTAMP_STALE)$/

describe('deliveries of every scheme', () => {
  for (const name of schemeNames) {
    test(`${name}: what the provider signed is verified, and read as an event of its own`, async () => {
      assert.equal(schemes[name].name, name)
      const raw = sampleOf(name, 'delivery-1')
      assert.deepEqual(await verify(name, raw), { isVerified: true })
      const facts = await read(name, raw)
      assert.ok(facts.kind === 'event', JSON.stringify(facts))
      assert.ok(schemes[name].contentTypes.includes(raw.contentType))
      assert.notEqual(facts.eventType, '')
      assert.deepEqual(await read(name, raw), facts, 'a repeat is the same delivery')
      const other = await read(name, sampleOf(name, 'delivery-2'))
      assert.ok(other.kind === 'event' && other.deliveryKey !== facts.deliveryKey)
    })

    test(`${name}: what is signed is verified whatever its Content-Type says, so that a wrong type can be told`, async () => {
      if (schemes[name].contentTypes.some((type) => !['application/json', 'text/plain'].includes(type))) return
      const contentType = 'application/x-www-form-urlencoded'
      assert.equal(causeOf(await verify(name, { ...sampleOf(name), contentType })), 'verified')
    })

    test(`${name}: none of 1,000 flipped bits in what is proven passes`, async () => {
      const raw = sampleOf(name)
      for (let seed = 0; seed < 1000; seed++) {
        const flipped = withFlippedBit(name, raw, seed)
        const judged = await verify(name, flipped)
        assert.notEqual(causeOf(judged), 'verified', `bit ${seed}: ${JSON.stringify(flipped.headers)} ${flipped.body}`)
      }
    })

    test(`${name}: refuses what every other scheme has signed with the same secret`, async () => {
      for (const other of schemeNames) {
        if (other === name) continue
        const sample = sampleOf(other)
        assert.notEqual(causeOf(await verify(name, sample)), 'verified', `${other} passes as ${name}`)
      }
    })

    test(`${name}: a proof that is absent, comes twice, is cut, longer or no code at all is refused with its cause`, async () => {
      const raw = sampleOf(name)
      for (const header of proofs[name].headers) {
        const value = String(raw.headers[header])
        const without = causeOf(await verify(name, changed(raw, { headers: { [header]: undefined } })))
        assert.match(without, /^(SIGNATURE|TIMESTAMP)_MISSING$/)
        for (const wrong of [
          [value, value],
          [value],
          '',
          value.slice(0, -1),
          `${value}0`,
          ` ${value}`,
          `${value}\n`,
          'zz',
        ])
          assert.match(causeOf(await verify(name, changed(raw, { headers: { [header]: wrong } }))), refusedForm, header)
      }
    })

    test(`${name}: the secret before counts while it is given, another does not, and an empty one never`, async () => {
      const raw = sampleOf(name)
      const { secrets, settings } = connectionOf(name)
      const hasSecret = name !== 'sns' && name !== 'bot-framework'
      const judge = async (given: string[], sent = raw) =>
        causeOf(await verify(name, sent, { secrets: given, settings }))
      assert.equal(await judge(['another', ...secrets]), 'verified')
      assert.equal(await judge([...secrets, 'another']), 'verified')
      if (!hasSecret) return
      const refusals = await Promise.all([judge(['another']), judge([]), judge(['']), judge(['another', ''])])
      for (const cause of refusals) assert.match(cause, /^(SIGNATURE_MISMATCH|KEY_UNKNOWN)$/)
      if (name === 'sendgrid') return
      const signedWithNothing = schemes[name].sample({ secret: '', settings, now: clock.now(), id: 'x' })
      assert.match(await judge([''], signedWithNothing ?? raw), /^SIGNATURE_(MISMATCH|MALFORMED)$/)
    })

    test(`${name}: no detail of a refusal holds anything of a secret`, async () => {
      const [secret = ''] = connectionOf(name).secrets
      const raw = sampleOf(name)
      for (let seed = 0; seed < 200; seed++) {
        const judged = await verify(name, withFlippedBit(name, raw, seed * 7))
        assert.ok(!judged.isVerified && judged.detail !== '' && judged.detail.length < 200)
        assert.ok(![secret, 'horse', secret.slice(0, 8)].some((part) => judged.detail.includes(part)), judged.detail)
      }
    })
  }
})

describe('the time of a delivery', () => {
  const windows: { name: SchemeName; seconds: number }[] = [
    { name: 'jira-hmac', seconds: 86_400 },
    { name: 'linear', seconds: 60 },
    { name: 'slack', seconds: 300 },
    { name: 'sns', seconds: 3600 },
    { name: 'mailgun', seconds: 300 },
    { name: 'sendgrid', seconds: 300 },
  ]
  for (const { name, seconds } of windows) {
    test(`${name}: ${seconds} s of difference hold, on either side, and a few more do not`, async () => {
      const sent = clock.now()
      const at = async (offsetSeconds: number) => {
        const { secrets, settings } = connectionOf(name)
        const raw = schemes[name].sample({ secret: secrets[0] ?? '', settings, now: sent, id: 'timed' })
        assert.ok(raw)
        const now = new Date(sent.getTime() + offsetSeconds * 1000)
        return causeOf(await schemes[name].verify(incomingDelivery(raw), { secrets, settings, now }))
      }
      assert.equal(await at(seconds - 1), 'verified')
      assert.equal(await at(1 - seconds), 'verified')
      assert.equal(await at(seconds + 2), 'TIMESTAMP_STALE')
      assert.equal(await at(-seconds - 2), 'TIMESTAMP_STALE')
      assert.equal(await at(86_400 * 365), 'TIMESTAMP_STALE')
    })
  }

  test('a detail tells the difference of the clocks', async () => {
    const raw = sampleOf('slack')
    const now = new Date(Math.floor(clock.now().getTime() / 1000) * 1000 + 412_000)
    const judged = await schemes.slack.verify(incomingDelivery(raw), { ...connectionOf('slack'), now })
    assert.deepEqual(judged, {
      isVerified: false,
      cause: 'TIMESTAMP_STALE',
      detail: 'clock skew 412 s; 300 s are allowed',
    })
  })

  test('Linear: a delivery without a time in the body is refused, whatever the header says', async () => {
    const bare = changedJson(sampleOf('linear'), ({ webhookTimestamp: _, ...rest }) => rest)
    const signature = createHmac('sha256', connectionOf('linear').secrets[0] ?? '')
      .update(bare.body)
      .digest('hex')
    const headers = { 'linear-signature': signature, 'linear-timestamp': String(clock.now().getTime()) }
    assert.equal(causeOf(await verify('linear', changed(bare, { headers }))), 'TIMESTAMP_MISSING')
  })
})

describe('the vectors that providers publish', () => {
  const delivery = (body: string, headers: RawDelivery['headers']): RawDelivery => {
    return { body: Buffer.from(body), contentType: 'application/json', headers, query: {} }
  }
  const judge = (name: SchemeName, raw: RawDelivery, connection: Connection, now = clock.now()) =>
    schemes[name].verify(incomingDelivery(raw), { ...connection, now })
  const published = { secrets: ["It's a Secret to Everybody"], settings: {} }

  test('GitHub: Hello, World!', async () => {
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const raw = delivery('Hello, World!', { 'x-hub-signature-256': signature })
    assert.deepEqual(await judge('github', raw, published), { isVerified: true })
    const other = await judge('github', changed(raw, { body: 'Hello World!' }), published)
    assert.deepEqual(other, { isVerified: false, cause: 'SIGNATURE_MISMATCH', detail: 'computed over 12 bytes' })
  })

  test('Atlassian: Hello World!', async () => {
    const signature = 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9'
    const raw = delivery('Hello World!', { 'x-hub-signature': signature })
    assert.deepEqual(await judge('jira-hmac', raw, published), { isVerified: true })
    assert.equal(
      causeOf(await judge('jira-hmac', changed(raw, { body: 'Hello, World!' }), published)),
      'SIGNATURE_MISMATCH',
    )
    const otherMethod = changed(raw, { headers: { 'x-hub-signature': signature.replace('sha256', 'sha1') } })
    assert.equal(causeOf(await judge('jira-hmac', otherMethod, published)), 'SIGNATURE_MALFORMED')
  })

  test('Slack: a command', async () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    const headers = {
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      'x-slack-request-timestamp': '1531420618',
    }
    const raw = { ...delivery(body, headers), contentType: 'application/x-www-form-urlencoded' }
    const connection = { secrets: ['8f742231b10e8888abcd99yyyzzz85a5'], settings: {} }
    const then = new Date(1_531_420_618_000)
    assert.deepEqual(await judge('slack', raw, connection, then), { isVerified: true })
    assert.equal(causeOf(await judge('slack', raw, connection)), 'TIMESTAMP_STALE')
    assert.equal(await account('slack', raw), 'T1DC2JH3J')
    assert.deepEqual(await read('slack', raw), {
      kind: 'event',
      deliveryKey: '398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
      eventType: '/webhook-collect',
      entityKey: 'channel/G8PSS9T3V',
      occurredAt: null,
    })
  })
})

/** One bit of the proof, or of the body where the proof covers that, differs. */
function withFlippedBit(name: SchemeName, raw: RawDelivery, seed: number): RawDelivery {
  const { headers, coversBody, field } = proofs[name]
  const targets = [...headers, ...(coversBody || field ? ['body'] : [])]
  const target = targets[seed % targets.length] ?? ''
  const step = seed * 7919
  if (target !== 'body') {
    const bytes = Buffer.from(String(raw.headers[target]))
    return changed(raw, { headers: { [target]: flip(bytes, step % (bytes.length * 8)).toString('latin1') } })
  }
  const start = field === undefined ? 0 : raw.body.indexOf(field) + (field.endsWith('\n') ? field.length : 0)
  const length = field === undefined ? raw.body.length : field.endsWith('\n') ? 64 : field.length
  return changed(raw, { body: flip(raw.body, start * 8 + (step % (length * 8))) })
}

function flip(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}
