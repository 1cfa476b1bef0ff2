import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { SendMailOptions } from 'nodemailer'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../test/harness/app.ts'
import { calendarZones, invitationFile } from '../../test/harness/calendar-files.ts'
import { organizationCalls } from '../../test/harness/organizations.ts'
import { mailSigner } from '../../test/harness/signed-mail.ts'
import { allColumns } from '../../test/harness/tables.ts'
import { testZone } from '../../test/harness/zone.ts'
import { many, sql } from '../storage/query.ts'

const zone = testZone()
const signed = mailSigner(zone)
const [berlin] = calendarZones
assert.ok(berlin)
const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n<v Ana>We ship on Thursday.\n'

const ofRequests = ['usage_actives', 'usage_by_day', 'usage_counters', 'usage_metrics']

describe('a simulated mail that orders something', () => {
  let app: TestApp
  let key: TestKey
  let orgs: ReturnType<typeof organizationCalls>
  let orgId: string
  let address: string
  let admin: TestUser

  before(async () => {
    app = await testApp({ email: { domain: 'mail.example.org', resolve: zone.resolve } })
    orgs = organizationCalls(app)
  })
  beforeEach(async () => {
    key = await app.apiKey(await app.tenant({ limits: { maxMeetings: 2 } }))
    admin = await orgs.person(key)
    orgId = (await orgs.create(admin)).id
    await configure({ invites: true, transcripts: true, documents: true })
  })

  async function configure(commands: object): Promise<void> {
    const { body } = await orgs.call(admin, 'PUT', `/email/config?orgId=${orgId}`, { body: { commands } })
    address = body.config.address
  }
  const bytesOf = async (mail: SendMailOptions) =>
    Buffer.from(
      (await signed({ from: admin.email, to: address, ...mail }))
        .replace(/\r\n\.$/, '\r\n')
        .replaceAll('\r\n..', '\r\n.'),
    )
  const simulate = async (mail: SendMailOptions | Buffer) => {
    const { status, body } = await app.call({
      method: 'POST',
      url: `/assistant/v1/email/simulate?orgId=${orgId}`,
      headers: { ...admin.headers, 'content-type': 'message/rfc822' },
      body: Buffer.isBuffer(mail) ? mail : await bytesOf(mail),
    })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  /** Tomorrow, on the clock of Berlin. */
  const moment = (hour: number) => {
    const tomorrow = new Date(app.clock.now().getTime() + 86_400_000).toISOString()
    return `${tomorrow.slice(0, 10).replaceAll('-', '')}T${String(hour).padStart(2, '0')}0000`
  }
  const invitation = (lines: string[] = []) => {
    const content = invitationFile({
      by: 'google',
      zone: berlin,
      uid: unique('uid'),
      start: moment(9),
      end: moment(10),
      lines,
    })
    return { subject: 'Launch', icalEvent: { method: 'REQUEST', content } }
  }
  /** How many rows of the tenant each table has, but those that count requests: simulations are requests, too. */
  const rows = async () => {
    const columns = await allColumns(app.platform)
    const tables = columns.filter(({ table, column }) => column === 'tenant_id' && !ofRequests.includes(table))
    assert.ok(tables.length > 50)
    const counts: string[] = []
    for (const { table } of tables) {
      const [counted] = await many(
        app.platform,
        sql<{ count: number }>`select count(*)::int as count from ${sql.raw(table)} where tenant_id = ${key.tenantId}`,
      )
      counts.push(`${table} ${counted?.count}`)
    }
    return counts
  }

  test('shows the confirmation that would be sent, and changes nothing', async () => {
    const before = await rows()
    const planned = await simulate(invitation())
    assert.deepEqual([planned.trace.outcome, planned.trace.cause], ['command', 'COMMAND'])
    assert.deepEqual([planned.draft.to, planned.draft.subject], [admin.email, 'Re: Launch'])
    assert.match(planned.draft.text, /^This was done:\n\n- “.*”: 1 meeting planned\. The next begins at/)
    const transcript = await simulate({ attachments: [{ filename: 'meeting.vtt', content: vtt }] })
    assert.match(transcript.draft.text, /meeting\.vtt is the transcript of the new meeting “Files”, 1 entries/)
    const attachments = [
      { filename: 'venue.md', content: '# Venue\n\nIt opens at nine.' },
      { filename: 'a.exe', content: Buffer.from('MZ\u0000\u0001'), contentType: 'application/octet-stream' },
    ]
    const files = await simulate({ to: address.replace('@', '+docs@'), attachments })
    assert.match(files.draft.text, /venue\.md is a document now[\s\S]*a\.exe was not used: The file has a type/)
    const stopped = await simulate({ text: 'Stop' })
    assert.deepEqual([stopped.trace.outcome, stopped.trace.cause], ['ignored', 'ASKED_TO_STOP'])
    assert.match(stopped.draft.text, /^You will get no more mails from us\./)
    assert.deepEqual(await rows(), before)
    const counted = sql`select from usage_counters where tenant_id = ${key.tenantId} and meter <> 'apiCalls'`
    assert.deepEqual(await many(app.platform, counted), [])
  })

  test('says what a limit or the settings refuse, and that a forged one orders nothing', async () => {
    const tooMany = await simulate(invitation(['RRULE:FREQ=DAILY;COUNT=3']))
    assert.match(tooMany.draft.text, /Nothing was done: .*2/)
    const forged = Buffer.from((await bytesOf(invitation())).toString().replace('See below.', 'See above.'))
    assert.deepEqual((await simulate(forged)).trace.cause, 'NOT_AUTHENTIC')
    await configure({ invites: false })
    assert.notEqual((await simulate(invitation())).trace.outcome, 'command')
  })
})
