import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'

describe('a simulated mail', () => {
  let app: TestApp
  let key: TestKey
  let orgId: string
  let owner: TestUser

  before(async () => {
    app = await testApp({ email: { domain: 'mail.atrium.example', resolve: async () => [] } })
    key = await app.apiKey(await app.tenant())
    const orgs = organizationCalls(app)
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner)).id
    const transcript = [said('The venue opens at nine on Friday.')]
    await meetingCalls(app).create(owner, { title: 'Venue', orgId, transcript })
    app.clock.advance({ seconds: 120 })
    await app.settled()
  })

  const simulate = (user: TestUser, lines: string[], query = `?orgId=${orgId}`) =>
    app.call({
      method: 'POST',
      url: `/assistant/v1/email/simulate${query}`,
      headers: { authorization: `Bearer ${user.accessToken}`, 'content-type': 'message/rfc822' },
      body: Buffer.from(lines.join('\r\n')),
    })
  const mail = (from: string, ...headers: string[]) => [
    `From: ${from}`,
    'To: team@mail.atrium.example',
    'Subject: Venue',
    ...headers,
  ]
  const question = ['', 'When does the venue open?', '']

  test('has the whole trace and the answer, and leaves no thread behind', async () => {
    const { status, body } = await simulate(owner, [...mail(owner.email), ...question])
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.trace.outcome, body.trace.cause], ['draft', 'UNPROVEN_SENDER'])
    assert.equal(body.trace.steps.length, 11)
    assert.deepEqual([body.draft.to, body.draft.subject], [owner.email, 'Re: Venue'])
    assert.match(body.draft.text, /“The venue opens at nine on Friday\.” \[1\]/)
    const threads = await organizationCalls(app).call(owner, 'GET', `/email/threads?orgId=${orgId}`)
    assert.deepEqual(threads.body.threads, [])
  })

  test('says why it would not be answered', async () => {
    const cases: [lines: string[], cause: string][] = [
      [[...mail(owner.email, 'Auto-Submitted: auto-replied'), ...question], 'AUTOMATIC'],
      [[...mail(owner.email, 'Return-Path: <>'), ...question], 'AUTOMATIC'],
      [[...mail('team@mail.atrium.example'), ...question], 'AUTOMATIC'],
      [[...mail('x@elsewhere.example'), ...question], 'SENDER_NOT_ALLOWED'],
      [['Subject: Nobody', ...question], 'QUARANTINED'],
      [[...mail(owner.email), '', 'unsubscribe', ''], 'ASKED_TO_STOP'],
    ]
    for (const [lines, cause] of cases) {
      const { body } = await simulate(owner, lines)
      assert.deepEqual([body.trace?.outcome, body.trace?.cause, body.draft], ['ignored', cause, null])
    }
  })

  test('is for admins of the organization alone', async () => {
    const member = await organizationCalls(app).add(key, orgId, 'member')
    assert.equal((await simulate(member, [...mail(owner.email), ...question])).status, 403)
    const stranger = await organizationCalls(app).person(key)
    assert.equal((await simulate(stranger, [...mail(owner.email), ...question])).status, 404)
    assert.equal((await simulate(owner, [...mail(owner.email), ...question], '')).status, 403)
  })
})
