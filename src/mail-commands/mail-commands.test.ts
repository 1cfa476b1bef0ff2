import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { SendMailOptions } from 'nodemailer'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../test/harness/app.ts'
import { calendarZones, invitationFile } from '../../test/harness/calendar-files.ts'
import { type MailServer, startMailServer } from '../../test/harness/mail-server.ts'
import { meetingCalls } from '../../test/harness/meetings.ts'
import { organizationCalls } from '../../test/harness/organizations.ts'
import { mailSigner } from '../../test/harness/signed-mail.ts'
import { smtpConversation } from '../../test/harness/smtp-conversation.ts'
import { testZone } from '../../test/harness/zone.ts'
import type { MailListener } from '../email/index.ts'
import { many, sql } from '../storage/query.ts'

const domain = 'mail.example.org'
const zone = testZone()
const signed = mailSigner(zone)
const [berlin] = calendarZones
assert.ok(berlin)
const dayMs = 86_400_000

let app: TestApp
let server: MailServer
let listener: MailListener
let orgs: ReturnType<typeof organizationCalls>
let key: TestKey
let owner: TestUser
let orgId: string
let address: string
let user: TestUser

before(async () => {
  server = await startMailServer()
  app = await testApp({
    email: { domain, lmtpPort: 0, resolve: zone.resolve },
    mail: { smtp: { url: server.url, from: 'no-reply@example.org' }, publicUrl: null },
  })
  orgs = organizationCalls(app)
  key = await app.apiKey(await app.tenant())
  owner = await orgs.person(key)
  orgId = (await orgs.create(owner)).id
  listener = (await app.app.listenForMail()) as MailListener
  address = (await configure({ invites: true, transcripts: true, documents: true })).address
})
beforeEach(async () => {
  app.clock.advance({ seconds: 3600 })
  user = await orgs.add(key, orgId, 'member')
})
after(() => Promise.all([server.close(), listener.close()]))

async function configure(commands: object) {
  const path = `/email/config?orgId=${orgId}`
  const limits = { mode: 'draft', perThreadDay: 20, perSenderHour: 100 }
  const again = await meetingCalls(app).again(owner)
  const { status, body } = await orgs.call(again, 'PUT', path, { body: { commands, replies: limits } })
  assert.equal(status, 200, JSON.stringify(body))
  return body.config
}

/** Delivers a mail, and carries out what follows from it. */
async function deliver(mail: SendMailOptions, lines?: string): Promise<void> {
  const from = mail.from ?? user.email
  const to = String(mail.to ?? address)
  const message = lines ?? (await signed({ ...mail, from, to }))
  const said = ['LHLO mta', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA', message]
  for (const answer of await smtpConversation(listener.lmtpPort, said)) assert.match(answer, /^[23]/, answer)
  await app.settled()
}

const invite = (content: string, rest: SendMailOptions = {}) =>
  deliver({ subject: 'Invitation', icalEvent: { method: 'REQUEST', filename: 'invite.ics', content }, ...rest })

type Row = { title: string; status: string; at: Date; end: Date; joinUrl: string | null; event: object; orgId: string }
const meetings = (of = user): Promise<Row[]> =>
  many(
    app.scopeOf(key.tenantId),
    sql<Row>`select title, status, scheduled_at as at, scheduled_end as "end", join_url as "joinUrl",
        calendar_event as event, org_id as "orgId"
      from meetings where tenant_id = ${key.tenantId} and user_id = ${of.id} order by scheduled_at, id`,
  )
const planned = async () =>
  (await meetings()).filter(({ status }) => status === 'scheduled').map(({ at }) => at.toISOString())
const confirmations = (of = user) =>
  server.received.filter(({ to, headers }) => to.includes(of.email) && headers['auto-submitted'] === 'auto-replied')
const lastMail = async () =>
  (
    await many(
      app.scopeOf(key.tenantId),
      sql<{ status: string; outcome: string; cause: string }>`select status, outcome, cause from mail_messages
        where tenant_id = ${key.tenantId} and direction = 'in' order by id desc limit 1`,
    )
  )[0]

/** On the clock of Berlin, some days from now. */
function moment(days: number, hour = 9): string {
  const day = new Date(app.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10)
  return `${day.replaceAll('-', '')}T${String(hour).padStart(2, '0')}0000`
}
const series = (uid: string) => ({ by: 'google', zone: berlin, uid, start: moment(1), end: moment(1, 10) }) as const

describe('an invitation', () => {
  test('makes a meeting that moves and is cancelled with it, each confirmed by one mail that no program answers', async () => {
    const uid = unique('uid')
    const base = { by: 'apple', zone: berlin, uid, organizer: user.email } as const
    const first = invitationFile({ ...base, start: moment(3), end: moment(3, 10), title: 'Launch' })
    await invite(first)
    const [meeting, ...others] = await meetings()
    assert.deepEqual(others, [])
    assert.ok(meeting)
    assert.deepEqual(
      [meeting.title, meeting.status, meeting.orgId, meeting.joinUrl],
      ['Launch', 'scheduled', orgId, 'https://zoom.us/j/12345678901'],
    )
    assert.deepEqual(meeting.event, { uid, occurrence: null })
    assert.equal(meeting.end.getTime() - meeting.at.getTime(), 3_600_000)
    const [mail] = confirmations()
    assert.match(mail?.text ?? '', /“Launch”: 1 meeting planned\. The next begins at/)
    assert.deepEqual(
      [mail?.headers['auto-submitted'], mail?.headers['x-auto-response-suppress']],
      ['auto-replied', 'All'],
    )
    assert.deepEqual(await lastMail(), { status: 'processed', outcome: 'command', cause: 'COMMAND' })
    // The same invitation in another mail says nothing new.
    await invite(first, { text: 'Once more.' })
    assert.equal(confirmations().length, 1)
    await invite(invitationFile({ ...base, sequence: 1, start: moment(4), end: moment(4, 10), title: 'Lunch' }))
    await invite(first, { text: 'This one comes late.' })
    const [moved, ...more] = await meetings()
    assert.deepEqual([moved?.title, moved?.at.getTime(), more], ['Lunch', meeting.at.getTime() + dayMs, []])
    const gone = invitationFile({ ...base, method: 'CANCEL', sequence: 2, start: moment(4), end: moment(4, 10) })
    await invite(gone, { icalEvent: { method: 'CANCEL', content: gone } })
    assert.deepEqual(
      (await meetings()).map(({ status }) => status),
      ['cancelled'],
    )
    const texts = confirmations().map(({ text }) => /: (.*)/.exec(text.split('\n- ')[1] ?? text)?.[1])
    assert.match(texts.join('|'), /planned.*\|1 meeting changed.*\|.*a newer invitation.*\|1 meeting cancelled/)
  })

  test('of a series makes its meetings 60 days and 50 occurrences ahead, and later ones day by day', async () => {
    const lines = ['RRULE:FREQ=WEEKLY']
    await invite(invitationFile({ ...series(unique('uid')), lines }))
    const first = await planned()
    assert.equal(first.length, 9)
    app.clock.advance({ seconds: (7 * dayMs) / 1000 })
    await app.app.housekeep('mail-commands')
    await app.settled()
    const later = await planned()
    assert.deepEqual([later.length, later.slice(0, 9)], [10, first])
    const daily = invitationFile({ ...series(unique('uid')), lines: ['RRULE:FREQ=DAILY'] })
    await invite(daily)
    assert.equal((await planned()).length, 10 + 50)
  })

  test('changes, cancels and leaves out single occurrences; a series that moves takes its meetings along', async () => {
    const uid = unique('uid')
    const whole = { ...series(uid), lines: ['RRULE:FREQ=WEEKLY;COUNT=4'] }
    await invite(invitationFile(whole))
    const before = await meetings()
    assert.equal(before.length, 4)
    const one = { ...series(uid), sequence: 1, start: moment(9), end: moment(9, 10) }
    await invite(invitationFile({ ...one, lines: [`RECURRENCE-ID;TZID={zone}:${moment(8)}`] }))
    const drop = { ...one, method: 'CANCEL', start: moment(15), end: moment(15, 10) } as const
    await invite(invitationFile({ ...drop, lines: [`RECURRENCE-ID;TZID={zone}:${moment(15)}`] }))
    const after = await meetings()
    assert.equal(after.length, 4)
    assert.deepEqual(
      after.map(({ status, at }, index) => [status, at.getTime() - (before[index]?.at.getTime() ?? 0)]),
      [
        ['scheduled', 0],
        ['scheduled', dayMs],
        ['cancelled', 0],
        ['scheduled', 0],
      ],
    )
    const moved = { ...series(uid), sequence: 2, start: moment(2, 12), end: moment(2, 13) }
    await invite(invitationFile({ ...moved, lines: ['RRULE:FREQ=WEEKLY;COUNT=3'] }))
    const last = await meetings()
    assert.deepEqual([last.length, (await planned()).length], [4, 3])
  })

  test('that was forwarded as a mail within a mail counts, and one with a time zone that nobody knows is refused by mail', async () => {
    const content = invitationFile({ ...series(unique('uid')), organizer: 'ben@elsewhere.example' })
    const inner = await signed({
      ...{ from: 'ben@elsewhere.example', to: user.email, subject: 'Planning' },
      icalEvent: { method: 'REQUEST', content },
    })
    const message = inner.replace(/\r\n\.$/, '\r\n').replaceAll('\r\n..', '\r\n.')
    await deliver({
      subject: 'Fwd: Planning',
      attachments: [{ contentType: 'message/rfc822', content: message, contentTransferEncoding: '8bit' }],
    })
    assert.equal((await planned()).length, 1)
    const strange = content
      .replaceAll('Europe/Berlin', 'Moon/Base')
      .replace(/BEGIN:VTIMEZONE[\s\S]*END:VTIMEZONE\r\n/, '')
    await invite(strange.replace(/UID:.*/, `UID:${unique('uid')}`))
    assert.equal((await planned()).length, 1)
    assert.match(confirmations().at(-1)?.text ?? '', /was not used: its time zone is not known/)
  })

  test('does nothing from anybody but a member with proof, from a stranger of the conversation, or where it is not allowed', async () => {
    const file = invitationFile({ ...series(unique('uid')) })
    const outsider = await orgs.person(key)
    const icalEvent = { method: 'REQUEST', content: file }
    await deliver({ from: outsider.email, icalEvent })
    const forged = (await signed({ from: user.email, to: address, icalEvent })).replace('See below.', 'See above.')
    await deliver({}, forged)
    await deliver({ icalEvent, headers: { 'List-Id': '<team.example.com>' } })
    await deliver({ icalEvent, text: 'Stop' })
    await configure({ invites: false })
    await deliver({ icalEvent })
    await configure({ invites: true })
    assert.deepEqual([await meetings(), await meetings(outsider)], [[], []])
    // "Stop" is answered once, though its sender gets no more mails.
    await deliver({ text: 'Unsubscribe' })
    assert.deepEqual(
      confirmations().map(({ text }) => text.trim().split('\n')[0]),
      ['You will get no more mails from us. An administrator can undo this.'],
    )
    // A calendar server sends for a person: it is carried out, and not answered.
    const other = await orgs.add(key, orgId, 'member')
    await deliver({ from: other.email, icalEvent, headers: { 'Auto-Submitted': 'auto-generated' } })
    assert.deepEqual([(await meetings(other)).length, confirmations(other).length], [1, 0])
  })

  test('that a limit refuses makes none of its meetings, and says so', async () => {
    const small = await app.apiKey(await app.tenant({ limits: { maxMeetings: 2 } }))
    const person = await orgs.person(small)
    const own = (await orgs.create(person)).id
    const settings = { commands: { invites: true } }
    const { body } = await orgs.call(person, 'PUT', `/email/config?orgId=${own}`, { body: settings })
    const content = invitationFile({ ...series(unique('uid')), lines: ['RRULE:FREQ=DAILY;COUNT=3'] })
    await invite(content, { from: person.email, to: body.config.address })
    const made = sql`select from meetings where tenant_id = ${small.tenantId}`
    assert.deepEqual(await many(app.scopeOf(small.tenantId), made), [])
    assert.match(confirmations(person)[0]?.text ?? '', /Nothing was done: .*2/)
  })
})

const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n<v Ana>We ship on Thursday.\n'

describe('files by mail', () => {
  test('a transcript makes a meeting that is over; one that cannot be read is refused by mail, line and all', async () => {
    await deliver({ subject: 'Fwd: Planning', attachments: [{ filename: 'meeting.vtt', content: vtt }] })
    const [meeting, ...others] = await meetings()
    assert.deepEqual([meeting?.title, meeting?.status, others], ['Planning', 'completed', []])
    assert.match(
      confirmations()[0]?.text ?? '',
      /meeting\.vtt is the transcript of the new meeting “Planning”, 1 entries/,
    )
    await deliver({ attachments: [{ filename: 'a.vtt', content: 'WEBVTT\n\n00:01 --> soon\nHi' }] })
    await deliver({ attachments: [{ filename: 'settings.json', content: '{"a": 1}' }] })
    assert.equal((await meetings()).length, 1)
    assert.match(confirmations()[1]?.text ?? '', /a\.vtt was not used: .*line 3/)
    assert.equal(confirmations().length, 2)
  })

  test('files to +docs become documents once, and nothing else', async () => {
    const to = address.replace('@', '+docs@')
    const content = `# Venue\n\nThe venue opens at nine. ${unique('v')}`
    const attachments = [
      { filename: 'venue.md', content },
      { filename: 'a.vtt', content: vtt },
      { filename: 'a.exe', content: Buffer.from('MZ\u0000\u0001'), contentType: 'application/octet-stream' },
    ]
    await deliver({ to, attachments })
    const { body } = await orgs.call(user, 'GET', `/orgs/${orgId}/documents`)
    assert.deepEqual(body.documents.map(({ title }: { title: string }) => title).toSorted(), ['a', 'venue'])
    assert.deepEqual(await meetings(), [])
    assert.match(
      confirmations()[0]?.text ?? '',
      /venue\.md is a document now[\s\S]*a\.exe was not used: The file has a type/,
    )
    app.clock.advance({ seconds: 60 })
    await deliver({ to, text: 'Again.', attachments: attachments.slice(0, 1) })
    assert.match(confirmations()[1]?.text ?? '', /venue\.md is a document already/)
    const viewer = await orgs.add(key, orgId, 'viewer')
    await deliver({ from: viewer.email, to, attachments: [{ filename: 'b.md', content: '# B\n\nText.' }] })
    assert.match(confirmations(viewer)[0]?.text ?? '', /b\.md was not used/)
  })
})
