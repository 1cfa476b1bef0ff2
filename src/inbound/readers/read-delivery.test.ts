import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  jsonPayload,
  mailBytes,
  mailgunFields,
  multipartForm,
  sendgridFields,
  snsMail,
} from '../../../test/harness/payloads.ts'
import { Unprocessable } from '../processing.ts'
import type { SchemeName } from '../scheme.ts'
import type { ReceivedMail } from './normalized-delivery.ts'
import { readDelivery } from './read-delivery.ts'

type Payload = Record<string, unknown>

const read = (scheme: SchemeName, payload: unknown, eventType = '') =>
  readDelivery({ scheme, eventType, body: Buffer.from(JSON.stringify(payload)), contentType: 'application/json' })

const readMail = async (scheme: SchemeName, sent: { body: Buffer; contentType: string }) => {
  const form = await readDelivery({ scheme, eventType: '', ...sent })
  assert.equal(form.kind, 'email.received')
  return form as ReceivedMail
}

const readSns = (body: Buffer) => readMail('sns', { body, contentType: 'text/plain' })

describe('a mail of more than a megabyte', () => {
  const large = { ...jsonPayload('postmark-inbound'), RawEmail: '', TextBody: 'A line\n'.repeat(300_000) }
  const sent = (payload: object) => ({ body: Buffer.from(JSON.stringify(payload)), contentType: 'application/json' })

  test('is read in a worker, with the result of a small one', async () => {
    const small = await readMail('postmark', sent({ ...large, TextBody: 'A line\n'.repeat(1000) }))
    let turns = 0
    setImmediate(() => turns++)
    const mail = await readMail('postmark', sent(large))
    assert.equal(turns, 1, 'the event loop did not go on')
    assert.deepEqual(mail.raw, { bytes: sent(large).body, type: 'application/json' })
    assert.ok(mail.text.startsWith(small.text.slice(0, 5000)))
    assert.deepEqual({ ...mail, text: '', raw: null }, { ...small, text: '', raw: null })
  })

  test('that cannot be read is refused like a small one', async () => {
    await assert.rejects(readMail('postmark', sent({ ...large, From: null })), Unprocessable)
    const crowded = { ...large, Headers: Array.from({ length: 20_000 }, () => 0) }
    await assert.rejects(readMail('postmark', sent(crowded)), Unprocessable)
  })
})

describe('what an issue tracker sends', () => {
  test('of Jira becomes an issue with its status, assignee, due day and time', async () => {
    assert.deepEqual(await read('jira-hmac', jsonPayload('jira-issue-updated')), {
      kind: 'issue.upserted',
      issue: {
        provider: 'jira',
        externalId: '10002',
        key: 'ATR-17',
        url: 'https://acme.atlassian.net/browse/ATR-17',
        title: 'Renew the certificate of the mail host',
        status: 'in_progress',
        assignee: 'Emma Richards',
        due: '2026-07-15',
      },
      updatedAt: new Date('2026-06-30T11:00:00.450Z'),
      marker: null,
      assigneeId: '5b10a2844c20165700ede21g',
      actor: '5b10ac8d82e05b22cc7d4ef5',
    })
  })

  test('of Jira for a deletion has the time of the event, not of the last change', async () => {
    const form = await read('jira-jwt', jsonPayload('jira-issue-deleted'))
    assert.ok(form.kind === 'issue.deleted')
    assert.deepEqual(form.updatedAt, new Date(1782820800789))
  })

  test('of Linear becomes an issue in its current state', async () => {
    assert.deepEqual(await read('linear', jsonPayload('linear-issue')), {
      kind: 'issue.upserted',
      issue: {
        provider: 'linear',
        externalId: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
        key: 'ENG-142',
        url: 'https://linear.app/acme/issue/ENG-142/write-the-release-notes',
        title: 'Write the release notes',
        status: 'in_progress',
        assignee: 'Grace Hopper',
        due: '2026-07-03',
      },
      updatedAt: new Date('2026-06-30T10:00:00.850Z'),
      marker: null,
      assigneeId: 'aacdca22-6266-4c0a-ab3c-8fa70a26765c',
      actor: 'b5ea5f1f-8adc-4f52-b4bd-ab4e84cf51ba',
    })
    assert.equal((await read('linear', { ...jsonPayload('linear-issue'), action: 'remove' })).kind, 'issue.deleted')
  })

  test('of GitHub becomes an issue, and a transferred one is deleted', async () => {
    assert.deepEqual(await read('github', jsonPayload('github-issues'), 'issues'), {
      kind: 'issue.upserted',
      issue: {
        provider: 'github',
        externalId: '2489123456',
        key: 'acme/site#4',
        url: 'https://github.com/acme/site/issues/4',
        title: 'The footer overlaps the form',
        status: 'done',
        assignee: 'hubot',
        due: null,
      },
      updatedAt: new Date('2026-06-30T10:00:00Z'),
      marker: null,
      assigneeId: 'hubot',
      actor: 'octocat',
    })
    assert.equal(
      (await read('github', { ...jsonPayload('github-issues'), action: 'transferred' }, 'issues.transferred')).kind,
      'issue.deleted',
    )
  })

  test('of GitHub can come as a form with the JSON in a field', async () => {
    const body = Buffer.from(new URLSearchParams({ payload: JSON.stringify(jsonPayload('github-issues')) }).toString())
    const sent = {
      scheme: 'github',
      eventType: 'issues',
      body,
      contentType: 'application/x-www-form-urlencoded',
    } as const
    assert.equal((await readDelivery(sent)).kind, 'issue.upserted')
  })

  const states: [scheme: SchemeName, path: string, value: string | null, status: string][] = [
    ['jira-hmac', 'issue.fields.status.statusCategory.key', 'new', 'open'],
    ['jira-hmac', 'issue.fields.status.statusCategory.key', 'done', 'done'],
    ['jira-hmac', 'issue.fields.status.statusCategory.key', 'constructor', 'open'],
    ['linear', 'data.state.type', 'triage', 'proposed'],
    ['linear', 'data.state.type', 'backlog', 'open'],
    ['linear', 'data.state.type', 'completed', 'done'],
    ['linear', 'data.state.type', 'canceled', 'dismissed'],
    ['github', 'issue.state', 'open', 'open'],
    ['github', 'issue.state_reason', 'not_planned', 'dismissed'],
    ['github', 'issue.state_reason', null, 'done'],
  ]
  const samples: Partial<Record<SchemeName, string>> = {
    'jira-hmac': 'jira-issue-updated',
    linear: 'linear-issue',
    github: 'github-issues',
  }
  for (const [scheme, path, value, status] of states)
    test(`of ${scheme} with ${path} ${value} makes a task ${status}`, async () => {
      const payload = jsonPayload(samples[scheme] ?? '')
      setAt(payload, path, value)
      const form = await read(scheme, payload, 'issues')
      assert.ok(form.kind === 'issue.upserted')
      assert.equal(form.issue.status, status)
    })

  test("with a resolution like won't do becomes a dismissed task", async () => {
    const payload = jsonPayload('jira-issue-updated')
    setAt(payload, 'issue.fields.status.statusCategory.key', 'done')
    payload.issue.fields.resolution = { name: "Won't Do" }
    const form = await read('jira-hmac', payload)
    assert.ok(form.kind === 'issue.upserted')
    assert.equal(form.issue.status, 'dismissed')
  })

  test('of a comment names the issue; pull requests and other events are ignored', async () => {
    assert.deepEqual(await read('jira-hmac', jsonPayload('jira-comment-created')), { kind: 'comment', key: 'ATR-17' })
    assert.deepEqual(await read('linear', jsonPayload('linear-comment')), { kind: 'comment', key: 'ENG-142' })
    assert.deepEqual(await read('github', jsonPayload('github-issue-comment'), 'issue_comment'), {
      kind: 'comment',
      key: 'acme/site#4',
    })
    const pull = jsonPayload('github-issue-comment')
    pull.issue.pull_request = { url: 'https://api.github.com/repos/acme/site/pulls/4' }
    assert.equal((await read('github', pull, 'issue_comment')).kind, 'ignored')
    assert.equal((await read('github', { zen: 'Keep it logically awesome.' }, 'ping')).kind, 'ignored')
    assert.equal((await read('linear', { type: 'Project', action: 'update', data: {} })).kind, 'ignored')
    assert.equal((await read('jira-hmac', { webhookEvent: 'sprint_started' })).kind, 'ignored')
  })

  test('is cut to a length, has no control characters, and links only to web addresses', async () => {
    const payload = jsonPayload('linear-issue')
    payload.data.title = `a\u0000b\u202e\n${'x'.repeat(10_000)}\ud83d`
    payload.url = 'javascript:alert(1)'
    payload.data.dueDate = '2026-02-30'
    const form = await read('linear', payload)
    assert.ok(form.kind === 'issue.upserted')
    assert.ok(form.issue.title.startsWith('ab x') && form.issue.title.length === 500)
    assert.deepEqual([form.issue.url, form.issue.due], [null, null])
  })

  test('without an id cannot be processed', async () => {
    const payload = jsonPayload('linear-issue')
    for (const id of [undefined, null, {}, 1.5, '', 'x'.repeat(201)]) {
      payload.data.id = id
      await assert.rejects(read('linear', payload), Unprocessable)
    }
  })
})

describe('what a chat sends', () => {
  test('of Slack becomes the question without the mention, with its thread', async () => {
    assert.deepEqual(await read('slack', jsonPayload('slack-app-mention')), {
      kind: 'chat.mention',
      workspace: 'T061EG9R6',
      team: null,
      conversation: 'C0LAN2Q65',
      isDirect: false,
      thread: '1782813600.000100',
      messageId: '1782813600.000100',
      user: 'U061F7AUR',
      text: 'what did we decide about the budget & the venue?',
      isBot: false,
      serviceUrl: null,
    })
    const direct = await read('slack', jsonPayload('slack-message-im'))
    assert.ok(direct.kind === 'chat.mention')
    assert.deepEqual(
      [direct.thread, direct.text, direct.isDirect],
      ['1782813650.000150', 'Who takes care of the venue?', true],
    )
  })

  test('of Slack is marked where a bot or we wrote it, and ignored with a subtype or in a channel', async () => {
    const bot = await read('slack', jsonPayload('slack-bot-message'))
    assert.ok(bot.kind === 'chat.mention' && bot.isBot)
    const own = jsonPayload('slack-message-im')
    own.event.user = 'U0LAN0Z89'
    const ours = await read('slack', own)
    assert.ok(ours.kind === 'chat.mention' && ours.isBot)
    assert.equal((await read('slack', jsonPayload('slack-message-changed'))).kind, 'ignored')
    const channel = jsonPayload('slack-message-im')
    channel.event.channel_type = 'channel'
    assert.equal((await read('slack', channel)).kind, 'ignored')
    assert.equal((await read('slack', { type: 'event_callback', event: { type: 'app_uninstalled' } })).kind, 'ignored')
    const command = { body: Buffer.from('command=%2Fatrium&text=hi'), contentType: 'application/x-www-form-urlencoded' }
    assert.equal((await readDelivery({ scheme: 'slack', eventType: '/atrium', ...command })).kind, 'ignored')
  })

  test('of Teams becomes the question without the mention, with the host for the answer', async () => {
    const form = await read('bot-framework', jsonPayload('teams-message'))
    assert.ok(form.kind === 'chat.mention')
    assert.equal(form.text, 'what did we decide about the budget ?')
    assert.equal(form.serviceUrl, 'https://smba.trafficmanager.net/emea/9f1b2c3d-0000-4000-8000-000000000001/')
    assert.deepEqual([form.isBot, form.thread, form.isDirect, form.team], [false, '1782813600123', false, null])
    const named = jsonPayload('teams-message')
    named.channelData.team.aadGroupId = '02bd9fd6-8f93-4758-87c3-1fb73740a315'
    const inTeam = await read('bot-framework', named)
    assert.ok(inTeam.kind === 'chat.mention' && inTeam.team === '02bd9fd6-8f93-4758-87c3-1fb73740a315')
  })

  test('of Teams is ignored in a channel without a mention, and is a question in a personal chat', async () => {
    const overheard = { ...jsonPayload('teams-message'), entities: [] }
    assert.equal((await read('bot-framework', overheard)).kind, 'ignored')
    const personal = { ...overheard, conversation: { conversationType: 'personal', id: 'a:1x' } }
    assert.equal((await read('bot-framework', personal)).kind, 'chat.mention')
    const program = await read('bot-framework', { ...personal, from: { id: '28:another-application' } })
    assert.ok(program.kind === 'chat.mention' && program.isBot)
    assert.equal((await read('bot-framework', jsonPayload('teams-conversation-update'))).kind, 'ignored')
  })

  test('of Microsoft Graph names what changed', async () => {
    const resources = ['Users/0d9b645f-597b-41f0-a2a3-ef103fbd91bb/Events/AAMkAGI1AAAt9AHjAAA=']
    assert.deepEqual(await read('graph', jsonPayload('graph-notification')), { kind: 'notification', resources })
    await assert.rejects(read('graph', { value: 'x' }), Unprocessable)
  })
})

describe('a mail', () => {
  const references = ['<m.16.77aa@in.acme.test>', '<m.17.8f3a@in.acme.test>']

  for (const encoding of ['BASE64', 'UTF-8'])
    test(`from Amazon SES in ${encoding} is kept byte for byte, its headers and first plain text read`, async () => {
      const form = await readSns(snsMail({ mail: mailBytes(), encoding }))
      assert.deepEqual(form, {
        kind: 'email.received',
        messageId: '<61967230-7A45-4A9D-BEC9-87CBCF2211C9@example.com>',
        inReplyTo: '<m.17.8f3a@in.acme.test>',
        references,
        from: 'jane@example.com',
        envelopeFrom: 'jane@example.com',
        to: ['assistant@in.acme.test'],
        subject: 'Minutes – Tuesday',
        text: 'Bitte schicken Sie mir das Protokoll für Dienstag.\n\nJäne',
        verdicts: { spf: 'PASS', dkim: 'PASS', dmarc: 'PASS', spam: 'PASS', virus: 'PASS' },
        raw: { bytes: mailBytes(), type: 'message/rfc822' },
      })
    })

  test('that Amazon SES stored in a bucket is read from its headers', async () => {
    const form = await readSns(snsMail())
    assert.deepEqual([form.subject, form.from, form.raw], ['Minutes of Tuesday', 'jane@example.com', null])
  })

  for (const [how, sent] of [
    [
      'a form',
      {
        body: Buffer.from(new URLSearchParams(mailgunFields).toString()),
        contentType: 'application/x-www-form-urlencoded',
      },
    ],
    [
      'a form with files',
      multipartForm(mailgunFields, { name: 'attachment-1', filename: 'a.pdf', bytes: Buffer.from('%PDF') }),
    ],
  ] as const)
    test(`from Mailgun in ${how} is read from its fields`, async () => {
      const form = await readMail('mailgun', sent)
      assert.deepEqual(form, {
        kind: 'email.received',
        messageId: '<20260630100000.1.ABCDEF@example.com>',
        inReplyTo: '<m.17.8f3a@in.acme.test>',
        references,
        from: 'jane@example.com',
        envelopeFrom: 'jane@example.com',
        to: ['assistant@in.acme.test'],
        subject: 'Minutes of Tuesday',
        text: 'Please send me the minutes.\n\nJane',
        verdicts: {},
        raw: { bytes: sent.body, type: sent.contentType },
      })
    })

  test('from Mailgun or SendGrid in raw form is read like one from Amazon', async () => {
    const { recipient, sender } = mailgunFields
    const mailgun = await readMail('mailgun', multipartForm({ recipient, sender, 'body-mime': mailBytes() }))
    const sendgrid = await readMail('sendgrid', multipartForm({ ...sendgridFields, email: mailBytes() }))
    const amazon = await readSns(snsMail({ mail: mailBytes() }))
    for (const form of [mailgun, sendgrid]) assert.deepEqual({ ...form, verdicts: {} }, { ...amazon, verdicts: {} })
  })

  test('from Postmark is read from its members, with the id of the mail and not that of Postmark', async () => {
    const body = Buffer.from(JSON.stringify(jsonPayload('postmark-inbound')))
    const form = await readMail('postmark', { body, contentType: 'application/json' })
    assert.equal(form.messageId, '<CAGXpo2WKfxHWZ5UFYCR3H_J9SNMG+5AXUovfEFL6DjWBJSyZaA@mail.example.com>')
    assert.deepEqual([form.from, form.text], ['jane@example.com', 'Please send me the minutes.\n\nJane'])
    assert.deepEqual(form.to, ['451d9b70cf9364d23ff6f9d51d870251569e+ahoy@inbound.acme.test'])
    assert.deepEqual(form.references, references)
  })

  test('from SendGrid is read in the character set that it names', async () => {
    const text = Buffer.from('Grüße', 'latin1')
    const sent = multipartForm(
      { ...sendgridFields, text },
      { name: 'attachment1', filename: 'x', bytes: Buffer.alloc(100) },
    )
    const form = await readMail('sendgrid', sent)
    assert.deepEqual(
      [form.text, form.subject, form.messageId],
      ['Grüße', 'Minutes of Tuesday', '<CAF0@mail.example.com>'],
    )
    assert.deepEqual(form.verdicts, { spf: 'pass', dkim: '{@example.com : pass}', spam_score: '0.1' })
  })

  test('that we sent and that comes back as a status is ignored', async () => {
    const bounce = { Type: 'Notification', Message: JSON.stringify({ notificationType: 'Bounce', bounce: {} }) }
    assert.equal((await read('sns', bounce)).kind, 'ignored')
    assert.equal((await read('postmark', { RecordType: 'Bounce', Email: 'a@b.example' })).kind, 'ignored')
    assert.equal((await read('sendgrid', [{ event: 'delivered' }])).kind, 'ignored')
  })

  test('with endless nesting, a boundary that never comes or very long lines is read in bounded time', async () => {
    const nested = Array.from(
      { length: 2000 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    )
    const hostile = [
      Buffer.from(nested.join('')),
      Buffer.from(`Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\n'.repeat(200_000)}`),
      Buffer.from(`Subject: ${' '.repeat(60_000)}=?utf-8?q?${'='.repeat(3000)}\r\n\r\nx`),
      Buffer.from(`Content-Transfer-Encoding: quoted-printable\r\n\r\n${' '.repeat(1_000_000)}${'='.repeat(100_000)}`),
      Buffer.from(`From: ${'"'.repeat(20_000)}${'('.repeat(20_000)}${'<'.repeat(20_000)}\r\n\r\nx`),
      Buffer.from(`References: ${'<a'.repeat(30_000)}\r\n\r\nx`),
    ]
    for (const mail of hostile) assert.equal((await readSns(snsMail({ mail }))).kind, 'email.received')
  })
})

function setAt(payload: Payload, path: string, value: unknown): void {
  const names = path.split('.')
  const parent = names.slice(0, -1).reduce<Payload>((found, name) => found[name] as Payload, payload)
  parent[names.at(-1) as string] = value
}
