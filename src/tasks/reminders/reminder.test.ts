import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { type TestClock, testClock } from '../../../test/harness/clock.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { mailsTo } from '../../../test/harness/mail.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../../../test/harness/mail-server.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { taskCalls } from '../../../test/harness/tasks.ts'
import { run, sql } from '../../storage/query.ts'

/** The day before the clocks in Berlin go forward, ten minutes before eight o'clock. */
const start = new Date('2027-03-27T06:50:00Z')

describe('reminders of due tasks', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let server: MailServer
  let clock: TestClock
  /** Two nodes. */
  let app: TestApp
  let other: TestApp
  let orgs: ReturnType<typeof organizationCalls>
  let key: TestKey
  let owner: TestUser
  let orgId: string

  before(async () => {
    // Of their own, because reminders go to all organizations, and not by the clocks of other tests.
    database = await freshDatabase()
    server = await startMailServer()
    clock = testClock(start)
    const smtp = { url: server.url, from: 'no-reply@mail.example' }
    const settings = { database, clock, mail: { smtp, publicUrl: 'https://atrium.example' } }
    app = await testApp(settings)
    other = await testApp(settings)
    orgs = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner, { timeZone: 'Europe/Berlin' })).id
  })
  after(() => Promise.all([server.close(), database.close()]))

  const at = (time: string) => clock.advance({ ms: Date.parse(time) - clock.now().getTime() })
  /** What both nodes do in the same moment. */
  const tick = () => Promise.all([app.app.housekeep('tasks.'), other.app.housekeep('tasks.')])
  const reminders = async ({ email }: TestUser) =>
    (await mailsTo(app.platform, email)).filter(({ kind }) => kind === 'TASKS_DUE').length
  const reminded = async (user: TestUser): Promise<ReceivedMail> => {
    await app.settled()
    for (;;) {
      const mail = await server.mailTo(user.email)
      if (/due in/.test(mail.headers['subject'] ?? '')) return mail
    }
  }
  const again = async (user: TestUser) => meetingCalls(app).again(user)
  const assign = async (user: TestUser, due: string, title = `Task of ${due}`) =>
    taskCalls(app, orgId).create(await again(owner), { assigneeId: user.id, due, title })

  test('come once at eight, with what is due today and tomorrow, and overdue for one day or whole weeks more', async () => {
    const member = await orgs.add(key, orgId, 'viewer')
    for (const due of [
      '2027-03-27',
      '2027-03-28',
      '2027-03-29',
      '2027-03-26',
      '2027-03-25',
      '2027-03-19',
      '2027-03-20',
    ])
      await assign(member, due)
    await assign(member, '2027-03-27', 'Written by <b>somebody</b> else')
    const done = await assign(member, '2027-03-27', 'Done')
    await taskCalls(app, orgId).change(await again(owner), done.id, { status: 'done' })
    const unverified = await orgs.add(key, orgId, 'member')
    await run(app.platform, sql`update users set email_verified = false where id = ${unverified.id}`)
    await assign(unverified, '2027-03-27')
    const silent = await orgs.add(key, orgId, 'member')
    const body = { notifications: { tasksDue: false } }
    const chosen = await orgs.call(silent, 'PATCH', `/orgs/${orgId}/members/me`, { body })
    assert.deepEqual([chosen.status, chosen.body.member.notifications], [200, { tasksDue: false }])
    await assign(silent, '2027-03-27')

    await tick()
    assert.equal(await reminders(member), 0)
    at('2027-03-27T07:00:00Z')
    await tick()
    await tick()
    assert.deepEqual([await reminders(member), await reminders(unverified), await reminders(silent)], [1, 0, 0])
    const { headers, text, html } = await reminded(member)
    assert.equal(headers['subject'], '5 tasks are due in Research')
    assert.equal(
      text.split('Stop these')[0]?.replaceAll('\r\n', '\n').split('\n\n').slice(1, -1).join('\n'),
      [
        'Overdue:',
        '- Task of 2027-03-19 (2027-03-19)',
        '- Task of 2027-03-26 (2027-03-26)',
        'Due today:',
        '- Task of 2027-03-27',
        '- Written by <b>somebody</b> else',
        'Due tomorrow:',
        '- Task of 2027-03-28',
      ].join('\n'),
    )
    assert.ok(html.includes('&lt;b&gt;somebody&lt;/b&gt;'))
  })

  test('come once a day, also when the clocks change', async () => {
    const member = await orgs.add(key, orgId, 'member')
    await assign(member, '2027-03-29')
    for (const [time, count] of [
      ['2027-03-28T05:45:00Z', 0],
      ['2027-03-28T06:00:00Z', 1], // 08:00 in summer
      ['2027-03-28T07:00:00Z', 1],
      ['2027-03-29T05:45:00Z', 1],
      ['2027-03-29T06:00:00Z', 2],
      // In Tokyo it is the afternoon of the same day.
      ['2027-03-29T06:15:00Z', 2],
    ] as const) {
      at(time)
      await tick()
      assert.equal(await reminders(member), count, time)
    }
    const timeZone = 'America/New_York'
    const moved = await orgs.call(await again(owner), 'PATCH', `/orgs/${orgId}`, { body: { timeZone } })
    assert.equal(moved.status, 200)
    at('2027-03-29T12:00:00Z')
    await tick()
    assert.equal(await reminders(member), 2)
  })

  test('end by one click of a mail program, and a look at the page of the link changes nothing', async () => {
    const member = await orgs.add(key, orgId, 'member')
    await assign(member, '2027-03-30')
    at('2027-03-30T12:00:00Z')
    await tick()
    const { headers, text } = await reminded(member)
    const url = /^<(.+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? ''
    assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
    assert.match(url, /^https:\/\/atrium\.example\/assistant\/v1\/email\/unsubscribe\/atrstop_\w+$/)
    assert.ok(text.includes(url))

    const path = new URL(url).pathname
    const wants = async () => {
      const { body } = await orgs.call(await again(owner), 'GET', `/orgs/${orgId}/members?limit=100`)
      return body.members.find(({ userId }: { userId: string }) => userId === member.id)?.notifications.tasksDue
    }
    const shown = await app.app.server.inject({ url: path })
    assert.deepEqual([shown.statusCode, shown.headers['content-type']], [200, 'text/html; charset=utf-8'])
    assert.ok(shown.payload.includes('<form method="post">'))
    assert.equal(await wants(), true)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const click = () =>
      app.app.server.inject({ method: 'POST', url: path, headers: form, payload: 'List-Unsubscribe=One-Click' })
    assert.equal((await click()).statusCode, 200)
    assert.equal(await wants(), false)
    assert.equal((await click()).statusCode, 200)
    at('2027-03-31T12:00:00Z')
    await tick()
    assert.equal(await reminders(member), 1)

    const back = { body: { notifications: { tasksDue: true } } }
    assert.equal((await orgs.call(await again(member), 'PATCH', `/orgs/${orgId}/members/me`, back)).status, 200)
    assert.equal(await wants(), true)
    assert.equal((await orgs.call(await again(member), 'DELETE', `/orgs/${orgId}/members/me`)).status, 204)
    for (const method of ['GET', 'POST'] as const)
      for (const dead of [path, `${path}x`])
        assert.equal((await app.app.server.inject({ method, url: dead })).statusCode, 404)
  })

  test('that still wait are not sent to who has left, is suspended or ended them meanwhile', async () => {
    const [stays, leaves, stops, rests] = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const member = await orgs.add(key, orgId, 'member')
        await assign(member, '2027-04-01')
        return member
      }),
    )
    assert.ok(stays && leaves && stops && rests)
    at('2027-04-01T12:00:00Z')
    await tick()
    const own = `/orgs/${orgId}/members/me`
    assert.equal((await orgs.call(await again(leaves), 'DELETE', own)).status, 204)
    const body = { notifications: { tasksDue: false } }
    assert.equal((await orgs.call(await again(stops), 'PATCH', own, { body })).status, 200)
    await run(app.platform, sql`update users set status = 'SUSPENDED' where id = ${rests.id}`)
    await app.settled()
    const statuses = [stays, leaves, stops, rests].map(async ({ email }) =>
      (await mailsTo(app.platform, email)).flatMap(({ kind, status, contentSealed }) =>
        kind === 'TASKS_DUE' ? [status, contentSealed] : [],
      ),
    )
    const [sent, ...discarded] = await Promise.all(statuses)
    assert.deepEqual(sent, ['SENT', null])
    for (const one of discarded) assert.deepEqual(one, ['DISCARDED', null])
  })

  test('do not come later in the morning for what was assigned after eight', async () => {
    const { id: quiet } = await orgs.create(await again(owner), { timeZone: 'America/New_York' })
    const member = await orgs.add(key, quiet, 'member')
    at('2027-04-02T12:00:00Z')
    await tick()
    await taskCalls(app, quiet).create(await again(owner), { assigneeId: member.id, due: '2027-04-02' })
    for (const [time, count] of [
      ['2027-04-02T12:15:00Z', 0],
      ['2027-04-03T12:00:00Z', 1],
    ] as const) {
      at(time)
      await tick()
      assert.equal(await reminders(member), count, time)
    }
  })

  test('come for all others when those of one organization fail, and where the zone of one is unknown', async () => {
    const create = async () => (await orgs.create(await again(owner), { timeZone: 'America/New_York' })).id
    const [unknown, fails, lasts] = [await create(), await create(), await create()]
    const member = await orgs.add(key, lasts, 'member')
    await taskCalls(app, lasts).create(await again(owner), { assigneeId: member.id, due: '2027-04-04' })
    const failing = await orgs.add(key, fails, 'member')
    await taskCalls(app, fails).create(await again(owner), { assigneeId: failing.id, due: '2027-04-04' })
    // A second reminder of one day fails.
    await run(
      app.platform,
      sql`insert into task_reminders (tenant_id, org_id, user_id, day, token_hash)
        values (${key.tenantId}, ${fails}, ${failing.id}, '2027-04-04', 'x')`,
    )
    // The zone of a later version of the database of zones.
    await run(app.platform, sql`update organizations set time_zone = 'Mars/Olympus' where id = ${unknown}`)
    at('2027-04-04T12:00:00Z')
    await tick()
    assert.deepEqual([await reminders(member), await reminders(failing)], [1, 0])
  })
})
