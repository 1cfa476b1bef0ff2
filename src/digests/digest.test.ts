import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, testSecrets } from '../../test/harness/app.ts'
import { type TestClock, testClock } from '../../test/harness/clock.ts'
import { freshDatabase } from '../../test/harness/database.ts'
import { mailsTo } from '../../test/harness/mail.ts'
import { meetingCalls } from '../../test/harness/meetings.ts'
import { organizationCalls } from '../../test/harness/organizations.ts'
import { taskCalls } from '../../test/harness/tasks.ts'
import { sealContext } from '../mails/mail.rules.ts'
import { digestTexts, localTime } from './digest.rules.ts'

/** Saturday evening, before the clocks in Berlin go forward. */
const start = new Date('2027-03-27T20:00:00Z')

describe('digests', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let clock: TestClock
  /** Two nodes. */
  let app: TestApp
  let other: TestApp
  let key: TestKey
  let orgs: ReturnType<typeof organizationCalls>
  let orgId: string
  let owner: TestUser

  before(async () => {
    // Of their own, because digests go to all users, and not by the clocks of other tests.
    database = await freshDatabase()
    clock = testClock(start)
    app = await testApp({ database, clock })
    other = await testApp({ database, clock })
    orgs = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner)).id
  })
  after(() => database.close())

  const at = (time: string) => clock.advance({ ms: Date.parse(time) - clock.now().getTime() })
  /** What both nodes do in the same moment. */
  const tick = () => Promise.all([app.app.housekeep('email.digests.'), other.app.housekeep('email.digests.')])
  const again = (user: TestUser) => meetingCalls(app).again(user)
  const set = async (user: TestUser, body: object) => orgs.call(await again(user), 'PUT', '/email/digest', { body })
  const digestsOf = async ({ email }: TestUser) => {
    const mails = (await mailsTo(app.platform, email)).filter(({ kind }) => kind === 'DIGEST')
    return mails.map((mail) => JSON.parse(testSecrets.open(mail.contentSealed as Buffer, sealContext(mail))))
  }
  const endedMeeting = async (user: TestUser, title: string) => {
    const body = {
      title,
      orgId,
      transcript: [{ speaker: 'Ada', timestamp: '00:00:01', text: 'We decided to book the venue.' }],
    }
    const session = await again(user)
    const created = await orgs.call(session, 'POST', '/meetings', { body })
    assert.equal(created.status, 201)
    if (created.body.status !== 'completed')
      assert.equal((await orgs.call(session, 'POST', `/meetings/${created.body.id}/end`)).status, 200)
  }

  test('nobody gets one who did not ask for it, and a wrong time zone is refused', async () => {
    const user = await orgs.add(key, orgId, 'member')
    const { body } = await orgs.call(user, 'GET', '/email/digest')
    assert.deepEqual(body.digest, { frequency: 'off', timeZone: 'UTC', hour: 8, weekday: 1 })
    const refused = await set(user, { frequency: 'daily', timeZone: 'Europe/Nowhere' })
    assert.deepEqual([refused.status, refused.body.errors[0].path], [400, '/body/timeZone'])
    assert.equal((await set(user, { frequency: 'hourly' })).status, 400)
  })

  test('one a day comes at the hour of the zone, from one of two nodes, with meetings and tasks, and none when empty', async () => {
    const [user, idle] = [await orgs.add(key, orgId, 'member'), await orgs.person(key)]
    await set(user, { frequency: 'daily', timeZone: 'Europe/Berlin', hour: 9 })
    await set(idle, { frequency: 'daily', timeZone: 'Europe/Berlin', hour: 9 })
    await endedMeeting(owner, 'Venue')
    await taskCalls(app, orgId).create(await again(owner), {
      assigneeId: user.id,
      title: 'Book the venue',
      due: '2027-03-26',
    })
    at('2027-03-28T06:59:00Z')
    await tick()
    assert.equal((await digestsOf(user)).length, 0, 'it is 8:59 in Berlin')
    at('2027-03-28T07:00:00Z')
    await tick()
    await tick()
    const [digest, ...more] = await digestsOf(user)
    assert.equal(more.length, 0)
    assert.equal(digest.notice.subject, 'Your day: 1 meeting, 1 open task')
    const text = digest.notice.paragraphs.join('\n')
    assert.match(text, /- Venue/)
    assert.match(text, /- Book the venue \(was due 2027-03-26\)/)
    assert.equal((await digestsOf(idle)).length, 0)
    at('2027-03-29T07:00:00Z')
    await tick()
    assert.match((await digestsOf(user))[1].notice.subject, /^Your day: 0 meetings, 1 open task$/)
  })

  test('a meeting that the user may not read is not in it', async () => {
    const user = await orgs.person(key)
    await set(user, { frequency: 'weekly', weekday: 2, hour: 6 })
    await endedMeeting(owner, 'Secret')
    at('2027-03-30T06:00:00Z')
    await tick()
    assert.deepEqual(await digestsOf(user), [])
  })

  test('its link ends it by POST alone, also for mails that wait', async () => {
    const user = await orgs.add(key, orgId, 'viewer')
    await set(user, { frequency: 'weekly', weekday: 3 })
    await endedMeeting(owner, 'Budget')
    at('2027-03-31T08:00:00Z')
    await tick()
    const [{ token }] = await digestsOf(user)
    const url = `/assistant/v1/email/unsubscribe/${token}`
    assert.equal((await app.call({ method: 'GET', url })).status, 200)
    const frequency = async () => (await orgs.call(await again(user), 'GET', '/email/digest')).body.digest.frequency
    assert.equal(await frequency(), 'weekly')
    assert.equal((await app.call({ method: 'POST', url })).status, 200)
    assert.equal(await frequency(), 'off')
    assert.equal((await app.call({ method: 'POST', url })).status, 200, 'repeating it changes nothing')
  })
})

test('the clock of a zone counts, on both sides of a change', () => {
  assert.deepEqual(localTime('Europe/Berlin', new Date('2027-03-28T00:59:00Z')), {
    day: '2027-03-28',
    hour: 1,
    weekday: 7,
  })
  assert.deepEqual(localTime('Europe/Berlin', new Date('2027-03-28T01:00:00Z')), {
    day: '2027-03-28',
    hour: 3,
    weekday: 7,
  })
  assert.deepEqual(localTime('Pacific/Kiritimati', new Date('2027-03-28T11:00:00Z')), {
    day: '2027-03-29',
    hour: 1,
    weekday: 1,
  })
})

test('decisions are told with their meeting, and what is not listed is counted', () => {
  const content = {
    meetings: [{ title: 'Venue', decisions: ['Book it.'] }],
    ...{ meetingCount: 3, tasks: [{ title: 'Call', due: null }], taskCount: 1 },
  }
  assert.deepEqual(digestTexts(content, { frequency: 'weekly', today: '2027-03-28' }), {
    subject: 'Your week: 3 meetings, 1 open task',
    paragraphs: ['Meetings:\n- Venue\nAnd 2 more.', 'Decisions:\n- Book it. (Venue)', 'Your tasks:\n- Call'],
  })
})
