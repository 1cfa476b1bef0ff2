import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, unique } from '../../../test/harness/app.ts'
import { mailEngine } from '../../../test/harness/mail-engine.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'

const question = 'When does the venue open?'

describe('a mail', () => {
  let app: TestApp
  let key: TestKey
  let orgId: string
  let owner: TestUser
  let meetingId: string
  let engine: ReturnType<typeof mailEngine>
  let orgs: ReturnType<typeof organizationCalls>

  before(async () => {
    app = await testApp()
    key = await app.apiKey(await app.tenant())
    orgs = organizationCalls(app)
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner)).id
    engine = mailEngine(app, { tenantId: key.tenantId, orgId })
    meetingId = await meet('The venue opens at nine on Friday.')
  })

  async function meet(text: string): Promise<string> {
    const { id } = await meetingCalls(app).create(await meetingCalls(app).again(owner), {
      title: 'Venue',
      orgId,
      transcript: [said(text)],
    })
    app.clock.advance({ seconds: 120 })
    await app.settled()
    return id
  }
  const nextDay = () => app.clock.advance({ seconds: 24 * 3600 })
  const person = async () => (await orgs.add(key, orgId, 'member')).email
  const threadOf = (address: string) => engine.thread([{ address }])

  test('is answered with quotes, their sources and the subject of the conversation, once, however often its job runs', async () => {
    const from = await person()
    const id = await engine.receive({ from, text: question, subject: 'Venue\r\nBcc: x@example.com' })
    await Promise.all([engine.process(id), engine.process(id), engine.process(id)])
    const { status, outcome, cause, answer } = await engine.read(id)
    assert.deepEqual([status, outcome, cause, answer?.status], ['processed', 'sent', null, 'queued'])
    assert.match(answer?.text ?? '', /“The venue opens at nine on Friday\.” \[1\][\s\S]*\[1\] Venue, Ada \(00:00:01\)/)
    assert.equal(answer?.subject, 'Re: Venue Bcc: x@example.com')
  })

  test('that nothing answers gets a draft that says so, which is not sent', async () => {
    const { cause, answer } = await engine.ask({ from: await person(), text: 'What does the quokka eat at midnight?' })
    assert.deepEqual([cause, answer?.status], ['NOTHING_FOUND', 'draft'])
    assert.match(answer?.text ?? '', /found nothing/)
  })

  test('of somebody outside the audience, of a stranger in a conversation, and of a program is not answered', async () => {
    const outside = `${unique('x')}@elsewhere.example`
    const cases = [
      [{ from: outside, text: question }, 'SENDER_NOT_ALLOWED'],
      [{ from: await person(), text: question, isStranger: true }, 'STRANGER_IN_THREAD'],
      [{ from: await person(), text: question, headers: [['auto-submitted', 'auto-replied']] as const }, 'AUTOMATIC'],
      [{ from: await person(), text: question, envelopeFrom: '' }, 'AUTOMATIC'],
      [{ from: 'team@mail.atrium.example', text: question }, 'AUTOMATIC'],
      [{ from: await person(), text: '> only a quote' }, 'NO_QUESTION'],
    ] as const
    for (const [mail, expected] of cases) {
      const { status, cause, answer } = await engine.ask(mail)
      assert.deepEqual([status, cause, answer], ['ignored', expected, null])
    }
  })

  test('that asks to stop ends the mails to its sender if it is authentic, and only then', async () => {
    const [real, forged] = [await person(), await person()]
    assert.equal((await engine.ask({ from: forged, text: 'STOP', authenticity: 'none' })).cause, 'ASKED_TO_STOP')
    assert.equal(await engine.suppressions.find(engine.scope, forged), null)
    const stopped = await engine.ask({ from: real, text: 'Unsubscribe.\n\nAna' })
    assert.deepEqual([stopped.cause, stopped.answer?.status], ['ASKED_TO_STOP', 'queued'])
    assert.match(stopped.answer?.text ?? '', /no more mails/)
    assert.equal((await engine.ask({ from: real, text: 'Stop' })).answer, null)
    assert.equal((await engine.suppressions.find(engine.scope, real))?.reason, 'unsubscribed')
    assert.equal((await engine.ask({ from: real, text: question })).cause, 'SUPPRESSED')
  })

  test('to several is answered to all if each of them may read all of the answer, and else to its sender alone', async () => {
    nextDay()
    const { id: secret } = await meetingCalls(app).create(await meetingCalls(app).again(owner), {
      ...{ title: 'Secret', orgId, visibility: 'private' },
      transcript: [said('The quokka sleeps under the zeppelin.')],
    })
    app.clock.advance({ seconds: 120 })
    await app.settled()
    const [from, colleague, outsider] = [await person(), await person(), `${unique('x')}@elsewhere.example`]
    const ours = 'team@mail.atrium.example'
    const sentTo = async (sender: string, recipients: string[], text = `${question} ${unique('')}`) =>
      (await engine.ask({ from: sender, text, recipients })).answer?.to
    assert.deepEqual(await sentTo(from, [ours, colleague]), [from, colleague])
    assert.deepEqual(await sentTo(from, [ours, colleague, outsider]), [from])
    assert.deepEqual(await sentTo(owner.email, [colleague], 'Where does the quokka sleep?'), [owner.email])
    assert.deepEqual(await sentTo(from, [colleague], 'What does the emu drink at midnight?'), [from])
    assert.deepEqual(
      (await engine.ask({ from, text: question, authenticity: 'none', recipients: [colleague] })).answer?.to,
      [from],
    )
    // The colleague is of a conversation that begins so, and not of one that holds what only others have read.
    const threadId = await threadOf(from)
    await engine.ask({ from, threadId, text: question, recipients: [colleague] })
    assert.deepEqual(await engine.correspondents(threadId), [colleague, from].toSorted())
    const older = await threadOf(from)
    await engine.ask({ from, threadId: older, text: `${question} First.` })
    assert.deepEqual(await sentTo(from, [colleague]), [from, colleague])
    const later = await engine.ask({ from, threadId: older, text: `${question} Second.`, recipients: [colleague] })
    assert.deepEqual([later.answer?.to, await engine.correspondents(older)], [[from, colleague], [from]])
    await meetingCalls(app).remove(await meetingCalls(app).again(owner), secret)
  })

  test('gets at most three answers a conversation and day by themselves, also of 12 at once; the rest are drafts', async () => {
    nextDay()
    const from = await person()
    const threadId = await threadOf(from)
    engine.replies.perSenderHour = 100
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.push(await engine.receive({ from, threadId, text: `${question} (${n})` }))
    await Promise.all(ids.map(engine.process))
    const outcomes = (await Promise.all(ids.map(engine.read))).map(({ outcome, cause }) => `${outcome} ${cause}`)
    assert.equal(outcomes.filter((it) => it === 'sent null').length, 3)
    assert.equal(outcomes.filter((it) => it === 'draft QUOTA_SPENT').length, 9)
    nextDay()
    assert.equal((await engine.ask({ from, threadId, text: 'And when does the venue open?' })).outcome, 'sent')
  })

  test('that says the same as an earlier one of its conversation is not answered again: so loops end', async () => {
    const from = await person()
    const threadId = await threadOf(from)
    const outcomes: string[] = []
    // A vacation responder without any header that tells of it.
    for (let n = 0; n < 6; n++) {
      outcomes.push((await engine.ask({ from, threadId, text: 'I am away. When does the venue open?' })).outcome)
      app.clock.advance({ seconds: 3600 })
    }
    assert.deepEqual(outcomes, ['sent', 'ignored', 'ignored', 'ignored', 'ignored', 'ignored'])
  })

  test('of a member gets at most five answers an hour in all conversations', async () => {
    nextDay()
    engine.replies.perSenderHour = 5
    const from = await person()
    const outcomes: string[] = []
    for (let n = 0; n < 7; n++) outcomes.push((await engine.ask({ from, text: `${question} ${n}` })).outcome)
    assert.deepEqual(outcomes, ['sent', 'sent', 'sent', 'sent', 'sent', 'draft', 'draft'])
  })

  test('ends the draft of the mail before it', async () => {
    const from = await person()
    const threadId = await threadOf(from)
    const first = await engine.receive({ from, threadId, text: 'What does the quokka eat?' })
    await engine.process(first)
    assert.equal((await engine.read(first)).answer?.status, 'draft')
    await engine.ask({ from, threadId, text: 'And what does it drink?' })
    assert.equal((await engine.read(first)).answer?.status, 'discarded')
  })

  test('of a program, of a stranger or in the same words leaves the draft of the mail before it', async () => {
    const from = await person()
    const threadId = await threadOf(from)
    const text = 'What does the quokka eat?'
    const first = await engine.receive({ from, threadId, text })
    await engine.process(first)
    const cases = [
      { from, text: 'I am away.', headers: [['auto-submitted', 'auto-replied']] as const },
      { from: 'x@elsewhere.example', text, isStranger: true },
      { from, text, authenticity: 'fail' as const },
      { from, text },
    ]
    for (const mail of cases) {
      // What came before counts; mails of one moment have no order.
      app.clock.advance({ seconds: 1 })
      assert.equal((await engine.ask({ ...mail, threadId })).status, 'ignored')
    }
    assert.equal((await engine.read(first)).answer?.status, 'draft')
    await engine.ask({ from, threadId, text: 'Stop' })
    assert.equal((await engine.read(first)).answer?.status, 'discarded')
  })

  test('whose answer waits to be sent when its meeting is erased is answered anew, and that answer is not sent', async () => {
    const erased = await meet('The wombat digs the deepest burrow at noon.')
    const id = await engine.receive({ from: await person(), text: 'Where does the wombat dig at noon?' })
    await engine.process(id)
    assert.match((await engine.read(id)).answer?.text ?? '', /deepest/)
    await meetingCalls(app).remove(await meetingCalls(app).again(owner), erased)
    const { status, answer } = await engine.read(id)
    assert.deepEqual([status, answer?.status, answer?.text], ['received', 'discarded', ''])
  })

  test('of which a cited meeting is erased loses its words, and its draft is made anew', async () => {
    const erased = await meet('The quokka eats the reddest leaves at midnight.')
    engine.replies.mode = 'draft'
    const from = await person()
    const id = await engine.receive({ from, text: 'What does the quokka eat at midnight?' })
    await engine.process(id)
    const before = await engine.read(id)
    assert.match(before.answer?.text ?? '', /reddest/)
    assert.equal((await meetingCalls(app).remove(await meetingCalls(app).again(owner), erased)).status, 204)
    const after = await engine.read(id)
    assert.deepEqual([after.status, after.answer?.status, after.answer?.text], ['received', 'discarded', ''])
    // The newest draft is read; two of one moment have no order.
    app.clock.advance({ seconds: 1 })
    await engine.process(id)
    const anew = await engine.read(id)
    assert.deepEqual([anew.answer?.status, /reddest/.test(anew.answer?.text ?? '')], ['draft', false])
    engine.replies.mode = 'send'
    assert.ok(meetingId)
  })
})
