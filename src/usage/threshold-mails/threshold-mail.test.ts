import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp, testSecrets } from '../../../test/harness/app.ts'
import { testClock } from '../../../test/harness/clock.ts'
import { mailsTo, recordedJobs } from '../../../test/harness/mail.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { receiver } from '../../../test/harness/receiver.ts'
import { usageCalls } from '../../../test/harness/usage.ts'
import { webhookCalls } from '../../../test/harness/webhooks.ts'
import { sealContext } from '../../mails/mail.rules.ts'
import { eventBus } from '../../storage/events.ts'
import { run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { windowAt } from '../meters/meter.rules.ts'
import { meteringService } from '../meters/metering.service.ts'
import { type ReachedThreshold, thresholdService } from '../meters/threshold.service.ts'
import { thresholdMails } from './threshold-mail.service.ts'

const clock = testClock()
let app: TestApp
let nodes: TestApp[]
let calls: ReturnType<typeof usageCalls>
let hooks: ReturnType<typeof webhookCalls>
let orgs: ReturnType<typeof organizationCalls>
let there: Awaited<ReturnType<typeof receiver>>
before(async () => {
  app = await testApp({ clock })
  nodes = [app, await testApp({ clock }), await testApp({ clock })]
  calls = usageCalls(app)
  hooks = webhookCalls(app)
  orgs = organizationCalls(app)
  there = await receiver()
})
after(() => there.close())

/** A tenant with an endpoint for events about usage. */
async function listeningTenant() {
  const tenant = await calls.tenant()
  const { admin, key } = tenant
  const path = `/${tenant.id}`
  const whose = { tenant, key, headers: admin.headers }
  await hooks.endpoint(whose, `${there.url}${path}`, { eventTypes: ['usage.*'] })
  const setLimit = (meter: string, hard: number | null) =>
    calls.asPlatform('PUT', `/tenants/${tenant.id}/quotas/${meter}`, { hard, reason: 'a test' })
  /** The events since the last call, by percentage. */
  const events = async () => {
    await hooks.settled()
    const ours = there.heard.filter((heard) => heard.path.endsWith(path))
    for (const heard of ours) there.heard.splice(there.heard.indexOf(heard), 1)
    return ours
      .map(({ body }) => JSON.parse(body))
      .toSorted((a, b) => a.data.percent - b.data.percent || a.data.limit - b.data.limit)
  }
  return { ...tenant, setLimit, events }
}

type Notice = { subject: string; paragraphs: string[] }

async function noticesTo({ email }: Pick<TestUser, 'email'>): Promise<Notice[]> {
  const mails = (await mailsTo(app.platform, email)).filter(({ kind }) => kind === 'USAGE_THRESHOLD')
  const notices = mails.map(
    (mail): Notice => JSON.parse(testSecrets.open(mail.contentSealed as Buffer, sealContext(mail))).notice,
  )
  return notices.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
}

describe('a threshold that is reached', () => {
  test('is told by one event, and by one mail to each active administrator with a verified address', async () => {
    const { id, key, admin, setLimit, events } = await listeningTenant()
    const [second, unverified, suspended, member] = await Promise.all(Array.from({ length: 4 }, () => app.user(key)))
    for (const user of [second, unverified, suspended]) await app.promote(user as TestUser)
    for (const user of [second, suspended, member]) await calls.verify(user as TestUser)
    await run(app.platform, sql`update users set status = 'SUSPENDED' where id = ${suspended?.id}`)
    await setLimit('meetings', 10)
    await calls.use(id, { meetings: 7 })
    assert.deepEqual(await events(), [])
    await calls.use(id, { meetings: 1 })
    const { from, to } = windowAt(app.clock.now(), 'month')
    const window = { from, to, kind: 'month' }
    const [event, ...others] = await events()
    assert.deepEqual(others, [])
    assert.equal(event.type, 'usage.threshold.reached')
    assert.deepEqual(event.data, {
      ...{ meter: 'meetings', percent: 80, window, scope: 'tenant', subjectId: id },
      ...{ used: 8, limit: 10 },
    })
    for (const user of [admin, second]) {
      assert.deepEqual(await noticesTo(user as TestUser), [
        {
          subject: '80 % of the limit: meetings',
          paragraphs: [
            'Your tenant has used 8 of 10 meetings this month, which is 80 % of the limit or more.',
            'This limit was set for your tenant, instead of that of its plan.',
            `The month ends at ${to} 00:00 UTC. From 100 % on, no more meetings can be created.`,
          ],
        },
      ])
    }
    for (const user of [unverified, suspended, member]) assert.deepEqual(await noticesTo(user as TestUser), [])
  })

  test('is told once by all nodes together, and a raised limit is told anew', async () => {
    const { id, admin, setLimit, events } = await listeningTenant()
    await calls.as(admin, 'PUT', '/thresholds', { percents: [50, 100] })
    await setLimit('asks', 30)
    const use = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, at) =>
          usageCalls(nodes[at % nodes.length] as TestApp).use(id, { asks: 1 }, { userId: admin.id }),
        ),
      )
    await use(60)
    const told = async () => (await events()).map(({ data }) => [data.percent, data.limit])
    assert.deepEqual(await told(), [
      [50, 30],
      [100, 30],
    ])
    assert.equal((await noticesTo(admin)).length, 2)
    await setLimit('asks', 100)
    await use(80)
    assert.deepEqual(await told(), [
      [50, 100],
      [100, 100],
    ])
    const lowered = { hard: 30, atLimit: 'TELL', reason: 'a test' }
    await calls.asPlatform('PUT', `/tenants/${id}/quotas/asks`, lowered)
    await use(3)
    assert.deepEqual(await told(), [], 'that limit was told')
    assert.equal((await noticesTo(admin)).length, 4)
  })

  test('is told of the limit of an organization and of a user, with their names', async () => {
    const { id, admin, events } = await listeningTenant()
    const org = await orgs.create(admin, { name: 'Field Work' })
    await calls.as(admin, 'PUT', '/limits', { scope: 'org', id: org.id, meter: 'transcriptWords', limit: 2000 })
    await calls.as(admin, 'PUT', '/thresholds', { meter: 'modelTokensPerDay', percents: [100] })
    await calls.as(admin, 'PUT', '/limits', { scope: 'eachUser', meter: 'modelTokensPerDay', limit: 10_000 })
    await calls.use(id, { transcriptWords: 1700 }, { orgId: org.id })
    const reservation = await app.app.metering.reserve(app.scopeOf(id), { userId: admin.id }, 100)
    await app.app.metering.settle(app.scopeOf(id), reservation ?? assert.fail(), 10_100)
    const [ofOrg, ...ofUser] = await events()
    assert.deepEqual([ofOrg.data.scope, ofOrg.data.subjectId], ['org', org.id])
    assert.deepEqual(
      ofUser.map(({ data }) => [data.percent, data.meter, data.scope, data.subjectId, data.window.kind, data.used]),
      [[100, 'modelTokensPerDay', 'user', admin.id, 'day', 10_100]],
    )
    const texts = (await noticesTo(admin)).map(({ paragraphs }) => paragraphs)
    assert.deepEqual(texts, [
      [
        `The user ${admin.email} has used 10,100 of 10,000 tokens of the language model today, which is 100 % of the limit or more.`,
        'An administrator of your tenant has set this limit for each user. Others may have reached it, too: such a mail comes once a day.',
        `The day ends at ${windowAt(app.clock.now(), 'day').to} 00:00 UTC. Until then the service answers without the language model, with its own simpler engine. Nothing is refused.`,
      ],
      [
        'The organization Field Work has used 1,700 of 2,000 words in transcripts this month, which is 80 % of the limit or more.',
        'An administrator of your tenant has set this limit for the organization.',
        `The month ends at ${windowAt(app.clock.now(), 'month').to} 00:00 UTC. From 100 % on, no more transcripts can be imported or begun; an active meeting continues to its end.`,
      ],
    ])
  })

  test('of the limit of each user is mailed once a day, and an event tells of each user', async () => {
    const { id, key, admin, events } = await listeningTenant()
    const users = await Promise.all(Array.from({ length: 4 }, () => app.user(key)))
    const [, , , own] = users as [TestUser, TestUser, TestUser, TestUser]
    await calls.as(admin, 'PUT', '/thresholds', { percents: [100] })
    await calls.as(admin, 'PUT', '/limits', { scope: 'eachUser', meter: 'asks', limit: 2 })
    await calls.as(admin, 'PUT', '/limits', { scope: 'user', id: own.id, meter: 'asks', limit: 2 })
    await Promise.all(users.map((user) => calls.use(id, { asks: 2 }, { userId: user.id })))
    assert.equal((await events()).length, 4)
    const notices = await noticesTo(admin)
    const mailsAbout = (words: string) => notices.filter(({ paragraphs: [, source] }) => source?.includes(words)).length
    assert.deepEqual([mailsAbout('for each user.'), mailsAbout('for the user.')], [1, 1])
    clock.advance({ seconds: 24 * 3600 + 1 })
    await calls.use(id, { asks: 2 }, { userId: admin.id })
    await events()
    assert.equal((await noticesTo(admin)).length, 3)
  })

  test('is told only by an event where no administrator can be written to', async () => {
    const { id, admin, setLimit, events } = await listeningTenant()
    await run(app.platform, sql`update users set email_verified = false where id = ${admin.id}`)
    await setLimit('meetings', 1)
    await calls.use(id, { meetings: 1 })
    assert.deepEqual(
      (await events()).map(({ data }) => data.percent),
      [80, 100],
    )
    assert.deepEqual(await noticesTo(admin), [])
  })

  test('is not told of a use that is undone, nor where a tenant wants none', async () => {
    const { id, admin, setLimit, events } = await listeningTenant()
    await setLimit('meetings', 10)
    await calls.use(id, { meetings: 11 })
    await calls.as(admin, 'PUT', '/thresholds', { meter: 'meetings', percents: [] })
    await calls.use(id, { meetings: 10 })
    assert.deepEqual(await events(), [])
    assert.deepEqual(await noticesTo(admin), [])
  })

  test('is mailed once, also if its job runs twice at the same time', async () => {
    const { id, admin, setLimit } = await listeningTenant()
    await calls.as(admin, 'PUT', '/thresholds', { percents: [100] })
    await setLimit('meetings', 2)
    const events = eventBus()
    const jobs = recordedJobs()
    const mailed: string[] = []
    const handle = thresholdMails({
      clock,
      events,
      jobs,
      outbox: () => ({ addNotice: async (_, { user }) => void mailed.push(user.email) }),
      users: () => ({ findEmail: async () => null, listAdmins: async () => [admin] }),
      organizations: () => ({ findName: async () => null }),
    })
    const metering = meteringService({
      clock,
      planOf: () => sql`null`,
      planEndOf: () => sql`null::timestamptz`,
      tellReached: thresholdService({ events }),
    })
    const scope = app.scopeOf(id)
    await transaction(scope, (tx) => metering.count(tx, { amounts: { meetings: 2 } }))
    const [{ job } = assert.fail('no job was enqueued'), ...others] = jobs.enqueued
    assert.deepEqual(others, [])
    const data = JSON.parse(JSON.stringify(job.data)) as ReachedThreshold
    const { signal } = new AbortController()
    const run = { id: crypto.randomUUID(), data, scope, attempt: 1, isLastAttempt: false, signal }
    await Promise.all([handle(run), handle(run)])
    await handle(run)
    assert.deepEqual(mailed, [admin.email])
  })
})
