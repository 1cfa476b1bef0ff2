import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { changed, changedJson, keyPairs, signingProviders } from '../../../test/harness/signing-providers.ts'
import type { RawDelivery } from '../incoming-delivery.ts'
import { schemeNames } from '../scheme.ts'

const { schemes, sampleOf, verify, read, account, connectionOf } = signingProviders({ keys: keyPairs() })

/** Everything of every scheme is asked, and none of it throws or passes as verified. */
async function survives(raw: RawDelivery): Promise<void> {
  for (const name of schemeNames) {
    const named = await account(name, raw)
    assert.ok(named === null || (named.length > 0 && named.length <= 400 && !/\p{Cc}/u.test(named)))
    const facts = await read(name, raw)
    if (facts.kind === 'event') {
      assert.match(facts.deliveryKey, /^.{1,200}$/)
      for (const text of [facts.eventType, facts.entityKey])
        assert.ok(text.length > 0 && text.isWellFormed() && !/\p{Cc}/u.test(text))
      assert.ok(facts.occurredAt === null || facts.occurredAt.getTime() >= 0)
    }
    const judged = await verify(name, raw)
    assert.ok(!judged.isVerified && judged.cause && judged.detail, name)
  }
}

const contentTypes = [...new Set(schemeNames.flatMap((name) => schemes[name].contentTypes))]
/** Names that stand in payloads, so that random values come to where something is read. */
const names = [
  ...['__proto__', 'constructor', 'toString', 'length', 'type', 'issue', 'self', 'id', 'value', 'clientState', 'team'],
  ...['subscriptionId', 'resourceData', 'event', 'channel', 'ts', 'conversation', 'channelData', 'tenant', 'timestamp'],
  ...['webhookEvent', 'data', 'repository', 'MessageID', 'Type', 'TopicArn', 'Timestamp', 'Signature', 'challenge'],
  ...[
    'changeType',
    'serviceUrl',
    'channelId',
    'matchedWebhookIds',
    'event_time',
    'payload',
    'resource',
    'installation',
  ],
]
const leaf = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.double(),
  fc.constantFrom(null, true, 1e308, -1, '', '\0', '\ud800', 'https://[', 'url_verification'),
)
const { payload } = fc.letrec((tie) => ({
  payload: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('payload'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('payload')),
  ),
}))
const headerNames = [
  ...['authorization', 'x-hub-signature', 'x-hub-signature-256', 'linear-signature', 'x-slack-signature'],
  ...['x-slack-request-timestamp', 'x-twilio-email-event-webhook-signature', 'x-github-event', 'x-github-delivery'],
  ...['x-twilio-email-event-webhook-timestamp', 'x-atlassian-webhook-identifier', 'linear-delivery', 'content-type'],
]
const headerValue = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.stringMatching(/^(sha256=|v0=)?[0-9a-f]{64}$/),
  fc.stringMatching(/^Bearer [\w-]{4,40}\.[\w-]{4,40}\.[\w-]{4,40}$/),
  fc.stringMatching(/^Basic [A-Za-z0-9+/]{4,40}={0,2}$/),
  fc.constantFrom('1700000000', 'multipart/form-data; boundary=b', 'multipart/form-data; boundary="', '99999999999'),
)
const headers = fc.dictionary(fc.constantFrom(...headerNames), headerValue)

describe('whatever comes', () => {
  test('random bytes are refused by every scheme, and throw nowhere', async () => {
    const bytes = fc.uint8Array({ maxLength: 400 })
    const property = fc.asyncProperty(bytes, headers, fc.constantFrom(...contentTypes), (body, sent, contentType) =>
      survives({ body: Buffer.from(body), contentType, headers: sent, query: {} }),
    )
    await fc.assert(property, { numRuns: 200 })
  })

  test('random JSON is refused by every scheme, and throws nowhere', async () => {
    const property = fc.asyncProperty(payload, headers, fc.constantFrom(...contentTypes), (value, sent, contentType) =>
      survives({ body: Buffer.from(JSON.stringify(value) ?? ''), contentType, headers: sent, query: {} }),
    )
    await fc.assert(property, { numRuns: 200 })
  })

  test('random forms are refused by every scheme, and throw nowhere', async () => {
    const field = fc.tuple(
      fc.constantFrom('timestamp', 'token', 'signature', 'payload', 'ssl_check', 'headers', '__proto__'),
      fc.string(),
    )
    const asForm = (fields: [string, string][]) => {
      const parts = fields.map(
        ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      return `${parts.join('')}--b--\r\n`
    }
    const property = fc.asyncProperty(fc.array(field, { maxLength: 8 }), async (fields) => {
      const multipart = {
        contentType: 'multipart/form-data',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      }
      const urlencoded = { contentType: 'application/x-www-form-urlencoded', headers: {} }
      await survives({ body: Buffer.from(asForm(fields)), ...multipart, query: {} })
      await survives({ body: Buffer.from(new URLSearchParams(fields).toString()), ...urlencoded, query: {} })
    })
    await fc.assert(property, { numRuns: 200 })
  })

  const hostile: [string, string][] = [
    ['arrays 200,000 deep', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['objects 100,000 deep', `${'{"issue":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['a prototype', '{"__proto__":{"type":"x","team_id":"T1","webhookEvent":"x","organizationId":"o"}}'],
    [
      'a prototype within',
      '{"issue":{"__proto__":{"self":"https://evil.test/"}},"event":{"constructor":{"prototype":1}}}',
    ],
    [
      'huge numbers',
      '{"timestamp":1e999,"webhookTimestamp":-1e999,"type":1e308,"event_time":9e15,"webhookEvent":1e400}',
    ],
    ['a number of 100,000 digits', `{"type":${'9'.repeat(100_000)}}`],
    [
      'wrong types',
      '{"type":{},"webhookEvent":[],"value":{},"issue":[[]],"team_id":{"a":1},"TopicArn":[null],"MessageID":true}',
    ],
    ['20,000 items', `{"value":[${'{},'.repeat(20_000)}{}]}`],
    ['two byte order marks', '\ufeff\ufeff{}'],
    ['nothing', ''],
    ['null', 'null'],
    ['ampersands', '&'.repeat(200_000)],
    ['delimiters', '\r\n--b'.repeat(40_000)],
    ['delimiters of parts', '--b\r\n\r\n\r\n'.repeat(20_000)],
  ]
  for (const [name, text] of hostile) {
    test(`a body of ${name} is refused by every scheme, and throws nowhere`, async () => {
      for (const contentType of ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded']) {
        const sent = { 'content-type': `${contentType}; boundary=b` }
        await survives({ body: Buffer.from(text), contentType, headers: sent, query: {} })
      }
    })
  }

  test('a signed body of another shape is unusable', async () => {
    for (const name of schemeNames) {
      const raw = sampleOf(name)
      for (const body of ['[]', '{}', '"text"', '7', 'null', '{', '', '\xff']) {
        // What GitHub's events are is said by a header.
        if (name === 'github' && body === '{}') continue
        // Google's messages have no body.
        if (name === 'google-channel' && body === '') continue
        const facts = await read(name, changed(raw, { body: Buffer.from(body, 'latin1') }))
        assert.equal(facts.kind, 'unusable', `${name} ${body}`)
      }
    }
  })

  test('inherited members are not part of a payload', async () => {
    const raw = sampleOf('linear')
    const inherited = changedJson(raw, ({ organizationId, ...rest }) => ({
      ...rest,
      ['__proto__']: undefined,
      organizationId,
    }))
    assert.equal(await account('linear', inherited), '6d0a5a1e-58a9-4b1c-8a52-5e1b0d6e2b0f')
    const body = '{"__proto__":{"organizationId":"taken"}}'
    assert.equal(await account('linear', changed(raw, { body })), null)
  })

  test('settings of another shape verify nothing', async () => {
    for (const settings of [
      {},
      { topicArns: 'x', appId: ['x'] },
      { topicArns: [], appId: '' },
      JSON.parse('{"__proto__":{"appId":"x"}}'),
    ]) {
      for (const name of ['sns', 'bot-framework'] as const) {
        const judged = await verify(name, sampleOf(name), { ...connectionOf(name), settings })
        assert.ok(!judged.isVerified)
      }
    }
  })
})
