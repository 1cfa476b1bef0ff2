import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { botCalls, linkTo, pageHosts } from '../../../test/harness/bots.ts'
import { mailEngine } from '../../../test/harness/mail-engine.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { rowsWith } from '../../../test/harness/tables.ts'

let app: TestApp
let bots: ReturnType<typeof botCalls>
let meetings: ReturnType<typeof meetingCalls>
let user: TestUser
let runner: Awaited<ReturnType<typeof bots.runner>>
type Held = Awaited<ReturnType<typeof runner.claim>>

before(async () => {
  app = await testApp({ meetingHosts: pageHosts })
  bots = botCalls(app)
  meetings = meetingCalls(app)
  user = await organizationCalls(app).verified((await bots.tenantWithUser()).user)
  runner = await bots.runner(user)
})

async function inMeeting(body: object = {}): Promise<Held> {
  await bots.deploy(user, { meetingUrl: linkTo(unique('room')), ...body })
  const held = await runner.claim()
  await runner.status(held, 'in_meeting')
  await runner.report(held, { type: 'notice', delivered: true })
  return held
}

const entries = async (held: Held) => (await meetings.get(user, held.bot.meetingId)).body.transcript
const messages = async (held: Held) =>
  (await runner.beat(held)).body.commands.filter(({ kind }: { kind: string }) => kind === 'message')

describe('the chat of a meeting', () => {
  test('is entries that say so, between those that were spoken, also where all came at once', async () => {
    await bots.deploy(user, { meetingUrl: linkTo(unique('room')) })
    const held = await runner.claim()
    await runner.report(
      held,
      { type: 'status', status: 'in_meeting' },
      { type: 'chat', from: 'Ben', text: 'Before the notice.' },
      { type: 'notice', delivered: true },
      { type: 'chat', from: 'Ben', text: 'The link is in the calendar.', atMs: 2000 },
    )
    await runner.say(held, [{ n: 1, text: 'Thank you, Ben.', atMs: 3000 }])
    const kept = (await entries(held)).map(({ text, kind, speaker, offsetMs }: Record<string, unknown>) => {
      return [text, kind, speaker, offsetMs]
    })
    assert.deepEqual(kept, [
      ['The link is in the calendar.', 'chat', 'Ben', 2000],
      ['Thank you, Ben.', undefined, 'Ada', 3000],
    ])
    await runner.status(held, 'ended', { reason: 'MEETING_ENDED' })
  })

  test('is answered where the bot is asked by its name, from this meeting, at most ten times a minute', async () => {
    const held = await inMeeting({ chatAnswers: 'mention', displayName: 'Atrium' })
    await runner.say(held, [{ n: 1, text: 'The hotel costs eighty euros a night.' }])
    await runner.report(held, { type: 'chat', from: 'Ben', text: 'What does the hotel cost?' })
    await app.settled()
    assert.deepEqual(await messages(held), [])
    await runner.report(held, { type: 'chat', from: 'Ben', text: '@Atrium what does the hotel cost?' })
    await app.settled()
    const [answer] = await messages(held)
    assert.match(answer.text, /eighty euros/)
    for (let asked = 0; asked < 12; asked++)
      await runner.report(held, { type: 'chat', from: 'Ben', text: 'Atrium, and the hotel?' })
    await app.settled()
    assert.equal((await messages(held)).length, 10)
    await runner.status(held, 'ended', { reason: 'MEETING_ENDED' })
  })

  test('leaves no word in the database after !forget, whatever was made of it', async () => {
    const word = unique('zebra')
    const org = await app.call({
      method: 'POST',
      url: '/assistant/v1/orgs',
      headers: user.headers,
      body: { name: unique('org') },
    })
    const held = await inMeeting({ chatAnswers: 'mention', displayName: 'Atrium', orgId: org.body.org.id })
    await runner.say(held, [
      { n: 1, text: `I will send the ${word} report by Friday.` },
      { n: 2, text: `We decided to buy the ${word}.`, speaker: 'Ben' },
      { n: 3, text: `I will also paint the ${word} on Monday.`, speaker: 'Ben' },
    ])
    await runner.report(held, { type: 'chat', from: 'Ben', text: `Atrium, who sends the ${word} report?` })
    await app.settled()
    assert.match((await messages(held))[0].text, new RegExp(word))
    const summary = await meetings.call(user, 'GET', `/${held.bot.meetingId}/summary`)
    assert.match(JSON.stringify(summary.body), new RegExp(word))
    const { tasks } = (await meetings.call(user, 'POST', `/${held.bot.meetingId}/tasks`)).body
    assert.match(JSON.stringify(tasks), new RegExp(word))
    // One is accepted in words of a person, who may keep it; the evidence is the meeting's.
    const accepted = await app.call({
      method: 'PATCH',
      url: `/assistant/v1/orgs/${org.body.org.id}/tasks/${tasks[0].id}`,
      headers: user.headers,
      body: { status: 'open', title: 'Send it' },
    })
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
    // Until it is indexed.
    app.clock.advance({ seconds: 40 })
    await app.settled()
    const asked = await app.call({
      method: 'POST',
      url: `/assistant/v1/orgs/${org.body.org.id}/ask`,
      headers: user.headers,
      body: { question: 'Who sends the report by Friday?' },
    })
    assert.match(asked.body.answer, new RegExp(word))
    const mails = mailEngine(app, { tenantId: user.tenantId, orgId: org.body.org.id })
    mails.replies.mode = 'draft'
    const mail = await mails.receive({ from: user.email, text: 'Who sends the report by Friday?' })
    await mails.process(mail)
    assert.match((await mails.read(mail)).answer?.text ?? '', new RegExp(word))
    await runner.report(held, { type: 'chat', from: 'Ben', text: '!forget' })
    await runner.say(held, [{ n: 4, text: `And the ${word} again.` }])
    await app.settled()
    assert.deepEqual(await rowsWith(app.platform, word), [])
    assert.deepEqual(await entries(held), [])
  })

  test('leaves no copy of what a replay played', async () => {
    const word = unique('zebra')
    const source = `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ada>The ${word} is here.\n`
    const { meetingId } = await bots.deploy(user, { source, speed: 60 })
    for (let passed = 0; passed < 6; passed++) await bots.pass(2000)
    const rows = await rowsWith(app.platform, word)
    assert.deepEqual(
      rows.map((row) => row.split(' ')[0]),
      ['public.transcript_entries'],
      meetingId,
    )
  })
})
