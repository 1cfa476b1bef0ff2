import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { causeOf, changed, changedJson, keyPairs, signingProviders } from '../../../test/harness/signing-providers.ts'
import type { RawDelivery } from '../incoming-delivery.ts'
import { type SchemeName, schemeNames } from '../scheme.ts'

const { sampleOf, verify, read, account, connectionOf, clock } = signingProviders({ keys: keyPairs() })
const now = clock.now()
const wholeSeconds = new Date(Math.floor(now.getTime() / 1000) * 1000)

function json(value: object, headers: RawDelivery['headers'] = {}): RawDelivery {
  return { body: Buffer.from(JSON.stringify(value)), contentType: 'application/json', headers, query: {} }
}

function form(fields: Record<string, string>): RawDelivery {
  const body = Buffer.from(new URLSearchParams(fields).toString())
  return { body, contentType: 'application/x-www-form-urlencoded', headers: {}, query: {} }
}

async function factsOf(name: SchemeName, raw: RawDelivery) {
  const facts = await read(name, raw)
  assert.ok(facts.kind === 'event', JSON.stringify(facts))
  return facts
}

describe('what a delivery is', () => {
  const expected: [SchemeName, string, string, Date | null][] = [
    ['jira-hmac', 'jira:issue_updated', 'issue/10001', now],
    ['jira-jwt', 'jira:issue_updated', 'issue/10001', now],
    ['linear', 'Issue', 'Issue/2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9', now],
    ['github', 'issues', 'repository/1#1', now],
    ['slack', 'app_mention', `channel/C0TEST/${wholeSeconds.getTime() / 1000}.000100`, wholeSeconds],
    ['bot-framework', 'message', 'conversation/a:test', now],
    ['graph', 'updated', 'Users/48d31887-5fad-4d73-a9f5-3c356e68a038/Events/AAMkADVxTAAA=', null],
    ['sns', 'Notification', 'mail/sample-sns', now],
    ['mailgun', 'inbound', 'mail/<sample-mailgun@example.com>', wholeSeconds],
    ['postmark', 'inbound', 'mail/sample-postmark', null],
    ['sendgrid', 'inbound', 'mail/<sample-sendgrid@example.com>', null],
    ['recall', 'bot.in_call_recording', 'bot/bot-of-the-test', null],
    ['attendee', 'bot.state_change', 'bot/bot-of-the-test', now],
    ['vexa', 'meeting.status_change', 'bot/1', now],
    ['zoom', 'recording.transcript_completed', 'meeting/sample-zoom', now],
    ['google-channel', 'exists', 'channel/channel-of-the-test', null],
  ]
  for (const [name, eventType, entityKey, occurredAt] of expected) {
    test(`${name}: its type, what it is about and when it happened`, async () => {
      const { kind: _, deliveryKey, ...rest } = await factsOf(name, sampleOf(name))
      assert.deepEqual(rest, { eventType, entityKey, occurredAt })
      assert.match(deliveryKey, /^\S+$/)
    })
  }

  test("its key is the provider's id, or the hash of the body where there is no usable id", async () => {
    const key = async (name: SchemeName, header: string, value?: string | string[]) =>
      (await factsOf(name, changed(sampleOf(name), { headers: { [header]: value } }))).deliveryKey
    const headers = {
      'jira-hmac': 'x-atlassian-webhook-identifier',
      linear: 'linear-delivery',
      github: 'x-github-delivery',
    } as const
    for (const [name, header] of Object.entries(headers) as [keyof typeof headers, string][]) {
      assert.equal(
        await key(name, header, '72d3162e-cc78-11e3-81ab-4c9367dc0958'),
        '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      )
      const { body } = sampleOf(name)
      const ofBody = `sha256:${createHash('sha256').update(`${name}\n`).update(body).digest('hex')}`
      for (const none of [undefined, ['a', 'b'], '', 'a\nb']) assert.equal(await key(name, header, none), ofBody)
      assert.match(await key(name, header, 'x'.repeat(390)), /^sha256:[0-9a-f]{64}$/)
      assert.notEqual(await key(name, header, 'x'.repeat(390)), ofBody)
    }
  })

  test('a comment has the key of its issue, in every tracker', async () => {
    const comment = { type: 'Comment', action: 'create', data: { id: 'c1', issueId: 'i1' }, webhookTimestamp: 1 }
    assert.equal((await factsOf('linear', json(comment))).entityKey, 'Issue/i1')
    const jira = { webhookEvent: 'comment_created', comment: { id: '5' }, issue: { id: '10002', key: 'A-1' } }
    assert.equal((await factsOf('jira-hmac', json(jira))).entityKey, 'issue/10002')
    const github = { action: 'created', comment: { id: 1 }, issue: { number: 7 }, repository: { id: 9 } }
    assert.equal(
      (await factsOf('github', json(github, { 'x-github-event': 'issue_comment' }))).entityKey,
      'repository/9#7',
    )
  })

  test('Slack: an edit, a removal and a reply have the key of their message', async () => {
    const entity = async (event: object) =>
      (await factsOf('slack', json({ type: 'event_callback', event_id: 'E', event }))).entityKey
    const message = { type: 'message', channel: 'C1' }
    const all = [
      { ...message, ts: '1.1' },
      { ...message, ts: '1.2', thread_ts: '1.1' },
      { ...message, ts: '1.3', subtype: 'message_changed', message: { ts: '1.1' } },
      { ...message, ts: '1.4', subtype: 'message_deleted', deleted_ts: '1.1' },
      { type: 'reaction_added', item: { channel: 'C1', ts: '1.1' } },
    ]
    assert.deepEqual(new Set(await Promise.all(all.map(entity))), new Set(['channel/C1/1.1']))
    assert.equal(await entity({ ...message, ts: '2.1' }), 'channel/C1/2.1')
    assert.equal(
      (await factsOf('slack', json({ type: 'event_callback', team_id: 'T1', event: { type: 'tokens_revoked' } })))
        .entityKey,
      'team/T1',
    )
  })

  test('Slack: a button is a form with JSON in it', async () => {
    const payload = JSON.stringify({
      type: 'block_actions',
      trigger_id: '1.2.a',
      team: { id: 'T1' },
      channel: { id: 'C1' },
    })
    const facts = await factsOf('slack', form({ payload }))
    assert.deepEqual(facts, {
      kind: 'event',
      deliveryKey: '1.2.a',
      eventType: 'block_actions',
      entityKey: 'channel/C1',
      occurredAt: null,
    })
  })

  test('GitHub: a form with JSON in it is read like the JSON', async () => {
    const raw = sampleOf('github')
    const asForm = { ...form({ payload: raw.body.toString() }), headers: raw.headers }
    assert.deepEqual(await factsOf('github', asForm), await factsOf('github', raw))
    assert.equal(causeOf(await verify('github', asForm)), 'SIGNATURE_MISMATCH')
  })

  test('Graph: each notification must have the clientState, and the key covers all of them', async () => {
    const raw = sampleOf('graph')
    const [state = ''] = connectionOf('graph').secrets
    const several = (states: unknown[]) =>
      changedJson(raw, ({ value }) => ({
        value: states.map((clientState) => ({ ...(value as object[])[0], clientState })),
      }))
    assert.equal(causeOf(await verify('graph', several([state, state]))), 'verified')
    assert.equal(causeOf(await verify('graph', several([state, `${state} `]))), 'SIGNATURE_MISMATCH')
    assert.equal(causeOf(await verify('graph', several(['', state]))), 'SIGNATURE_MISMATCH')
    for (const none of [undefined, null, 7, [state]])
      assert.equal(causeOf(await verify('graph', several([state, none]))), 'SIGNATURE_MISSING')
    assert.equal(causeOf(await verify('graph', several([]))), 'UNREADABLE')
    const deliveries = [several([state]), several([state, state]), sampleOf('graph', 'another')]
    const keys = await Promise.all(deliveries.map(async (one) => (await factsOf('graph', one)).deliveryKey))
    assert.equal(new Set(keys).size, 3)
    const lifecycle = { subscriptionId: 's', lifecycleEvent: 'reauthorizationRequired', clientState: state }
    assert.equal((await factsOf('graph', json({ value: [lifecycle] }))).eventType, 'reauthorizationRequired')
  })

  test('SendGrid: one mail in two envelopes is two deliveries', async () => {
    const raw = sampleOf('sendgrid')
    const other = changed(raw, { body: raw.body.toString().replace('"to":["inbox@', '"to":["second@') })
    assert.notEqual((await factsOf('sendgrid', other)).deliveryKey, (await factsOf('sendgrid', raw)).deliveryKey)
    assert.equal((await factsOf('sendgrid', other)).entityKey, (await factsOf('sendgrid', raw)).entityKey)
  })
})

describe('what a provider asks before it sends anything', () => {
  test('Slack: the challenge is repeated as text, only for a signed request', async () => {
    const unsigned = { ...sampleOf('slack'), body: Buffer.from('{"type":"url_verification","challenge":"3eZbrw1aB"}') }
    assert.equal(causeOf(await verify('slack', unsigned)), 'SIGNATURE_MISMATCH')
    const answer = { contentType: 'text/plain', body: '3eZbrw1aB' }
    assert.deepEqual(await read('slack', unsigned), { kind: 'handshake', answer })
    assert.deepEqual(await read('slack', form({ ssl_check: '1', token: 'x' })), {
      kind: 'handshake',
      answer: { contentType: 'text/plain', body: '' },
    })
    assert.equal((await read('slack', json({ type: 'url_verification', challenge: {} }))).kind, 'unusable')
    assert.equal(
      (await read('slack', json({ type: 'url_verification', challenge: 'x'.repeat(10_000) }))).kind,
      'unusable',
    )
  })

  test('Graph: the validation token is repeated decoded, and the body is not read', async () => {
    const body = 'Validation: Testing client application reachability for subscription Request-Id: 1+2/3'
    const raw = { ...sampleOf('graph'), query: { validationToken: body } }
    assert.deepEqual(await verify('graph', raw, { secrets: [], settings: {} }), {
      isVerified: true,
      isUnsigned: true,
    })
    assert.deepEqual(await read('graph', raw), { kind: 'handshake', answer: { contentType: 'text/plain', body } })
    for (const validationToken of ['', '<script>', 'a\r\nb', 'x'.repeat(5000)])
      assert.equal((await read('graph', { ...raw, query: { validationToken } })).kind, 'unusable')
  })
})

describe('the account of a delivery', () => {
  const accounts: [SchemeName, string | null][] = [
    ['jira-hmac', 'example.atlassian.net'],
    ['jira-jwt', 'example.atlassian.net'],
    ['linear', '6d0a5a1e-58a9-4b1c-8a52-5e1b0d6e2b0f'],
    ['github', '1'],
    ['slack', 'T0TEST'],
    ['graph', '0f3d1a52-7a4f-4b3a-9d6e-6c8f2a1b5e70'],
    ['mailgun', null],
    ['postmark', null],
    ['sendgrid', null],
  ]
  for (const [name, expected] of accounts)
    test(`${name}: ${expected ?? 'none, because the author of a mail chooses its addresses'}`, async () =>
      assert.equal(await account(name, sampleOf(name)), expected))

  test('Jira: the number of the webhook where there is no issue', async () => {
    assert.equal(await account('jira-jwt', json({ matchedWebhookIds: [17] })), '17')
    assert.equal(await account('jira-jwt', json({ issue: { self: 'no address' }, matchedWebhookIds: [] })), null)
  })

  test('Slack: the application where no workspace is named; GitHub: its installation before its hook', async () => {
    assert.equal(await account('slack', json({ api_app_id: 'A1' })), 'A1')
    assert.equal(await account('slack', form({ payload: '{"team":{"id":"T2"}}' })), 'T2')
    assert.equal(await account('github', json({ installation: { id: 55 } }, { 'x-github-hook-id': '1' })), '55')
  })
})

test('only schemes with keys of the provider have no sample without them', async () => {
  const { inboundSchemes } = await import('./inbound-schemes.ts')
  const { providerDocuments } = await import('./provider-documents.ts')
  const real = inboundSchemes({ ...providerDocuments(), clock })
  const without = schemeNames.filter((name) => real[name].sample({ secret: 's', settings: {}, now, id: 'x' }) === null)
  assert.deepEqual(without, ['bot-framework', 'sns', 'sendgrid'])
})
