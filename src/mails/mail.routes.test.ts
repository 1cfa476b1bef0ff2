import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, type TestKey, testApp, testSecrets, unique } from '../../test/harness/app.ts'
import { auditOfTenant } from '../../test/harness/audit-log.ts'
import { testClock } from '../../test/harness/clock.ts'
import { freshDatabase } from '../../test/harness/database.ts'
import { mailsTo, recordedJobs, waitingToken } from '../../test/harness/mail.ts'
import { type MailServer, startMailServer } from '../../test/harness/mail-server.ts'
import { memoryRateCounter } from '../http/limits/rate-limit.ts'
import { newId } from '../kernel/ids.ts'
import type { Database } from '../storage/database.ts'
import { outboxService } from './outbox.service.ts'

// Of its own, because a node with a mail server sends whatever waits there.
let database: Database
let app: TestApp
let server: MailServer
before(async () => {
  database = await freshDatabase()
  app = await testApp({ database })
  server = await startMailServer()
})
after(() => Promise.all([server.close(), database.close()]))
const withServer = (clock = app.clock) =>
  testApp({ database, clock, mail: { smtp: { url: server.url, from: 'no-reply@mail.example' }, publicUrl: null } })

async function newUser(node: TestApp = app) {
  const key = await node.apiKey(await node.tenant())
  return { key, user: await node.user(key) }
}
const list = (query: string) => app.call({ url: `/v1/platform/admin/mails?${query}`, headers: app.admin })
const retry = (id: string, node: TestApp = app) =>
  node.call({ method: 'POST', url: `/v1/platform/admin/mails/${id}/retry`, headers: app.admin })

test('administrators see recipients and outcomes of mails, and never their content', async () => {
  const { key, user } = await newUser()
  const token = (await waitingToken(app.platform, user.email, 'VERIFY_EMAIL')) ?? ''
  const { status, body } = await list(`tenantId=${key.tenantId}`)
  assert.equal(status, 200)
  assert.deepEqual(body.pagination, { page: 1, limit: 20, total: 1, totalPages: 1 })
  const [mail] = body.mails
  const { recipient, kind, userId, attempts, lastError, sentAt } = mail
  assert.deepEqual(
    { recipient, kind, userId, attempts, lastError, sentAt, status: mail.status },
    {
      recipient: user.email,
      kind: 'VERIFY_EMAIL',
      userId: user.id,
      attempts: 0,
      lastError: null,
      sentAt: null,
      status: 'PENDING',
    },
  )
  assert.ok(token !== '' && !JSON.stringify(body).includes(token.slice(5)))
  assert.doesNotMatch(JSON.stringify(body), /content|sealed/i)
  assert.equal((await list(`tenantId=${key.tenantId}&status=SENT`)).body.pagination.total, 0)
  assert.equal((await list(`tenantId=${newId(new Date())}`)).body.pagination.total, 0)
})

test('the mail of a registration is sent without further action where there is a mail server', async () => {
  const node = await withServer()
  const { user } = await newUser(node)
  await node.settled()
  const { text } = await server.mailTo(user.email)
  assert.match(text, /^atrv_\w{49}$/m)
  assert.equal((await mailsTo(app.platform, user.email))[0]?.status, 'SENT')
})

test('mails that waited for a mail server are sent when there is one, unless their token has expired', async () => {
  const clock = app.clock
  const stale = await newUser()
  clock.advance({ seconds: 24 * 3600 })
  const fresh = await newUser()
  const node = await withServer()
  await node.settled()
  await server.mailTo(fresh.user.email)
  assert.ok(!server.received.some(({ to }) => to.includes(stale.user.email)))
  await node.app.housekeep()
  const [row] = await mailsTo(app.platform, stale.user.email)
  assert.deepEqual(
    [row?.status, row?.contentSealed, row?.lastError],
    ['DISCARDED', null, 'its token expired before it was sent'],
  )
})

test('an administrator can retry a failed mail, but not one that was sent', async () => {
  const node = await withServer()
  server.refuse([550, 'No such mailbox'])
  const { key, user } = await newUser(node)
  await node.settled()
  const [failed] = await mailsTo(app.platform, user.email)
  assert.equal(failed?.status, 'FAILED')
  const { status, body } = await retry(failed.id, node)
  assert.deepEqual([status, body.mail.status], [200, 'PENDING'])
  await node.settled()
  await server.mailTo(user.email)
  const again = await retry(failed.id, node)
  assert.deepEqual([again.status, again.body.code], [409, 'STATE_CONFLICT'])
  const audited = (await auditOfTenant(app.platform, key.tenantId)).filter(({ action }) => action === 'mail.retry')
  assert.deepEqual(
    audited.map(({ targetId, actorType }) => [targetId, actorType]),
    [[failed.id, 'ADMIN']],
  )
  assert.equal((await retry(newId(new Date()))).status, 404)
  assert.equal((await retry('nothing')).status, 404)
})

test('an address gets three mails of a kind in a window, however often an account with it is made and deleted', async () => {
  const node = await withServer(testClock())
  const [key, other] = [await node.apiKey(await node.tenant()), await node.apiKey(await node.tenant())]
  const email = `${unique('victim')}@example.com`
  const round = async (at: TestKey) => {
    const { headers, password } = await node.user(at, { email })
    const forgotten = { method: 'POST', url: '/v1/auth/password/forgot', headers: { 'x-api-key': at.key } }
    assert.equal((await node.call({ ...forgotten, body: { email } })).status, 202)
    await node.settled()
    const removal = { method: 'DELETE', url: '/v1/auth/me', headers, body: { currentPassword: password } }
    assert.equal((await node.call(removal)).status, 204)
  }
  const received = () => server.received.filter(({ to }) => to.includes(email)).length
  for (let time = 0; time < 12; time += 1) await round(key)
  assert.equal(received(), 6, 'three that verify the address and three that reset the password')
  await round(other)
  assert.equal(received(), 8, 'another tenant writes for itself')
  node.clock.advance({ seconds: 1800 })
  await round(key)
  assert.equal(received(), 10)
})

test('a mail that waits for a mail server has no job, and one that has one has a job of the same id', async () => {
  const { key, user } = await newUser()
  const jobs = recordedJobs()
  const audit = async () => undefined
  const rateCounter = memoryRateCounter(900)
  const outboxWith = (canSend: boolean) =>
    outboxService({ clock: app.clock, secrets: testSecrets, jobs, audit, rateCounter, canSend })
  await outboxWith(false).enqueuePending(app.platform)
  assert.equal(jobs.enqueued.length, 0)
  await outboxWith(true).enqueuePending(app.platform)
  const [mail] = await mailsTo(app.platform, user.email)
  const own = jobs.enqueued.filter(({ job }) => job.tenantId === key.tenantId)
  assert.deepEqual(own, [
    { kind: 'identity.mail.deliver', job: { data: { mailId: mail?.id }, tenantId: key.tenantId, id: mail?.id } },
  ])
})

test('mails are deleted after thirty days', async () => {
  const node = await testApp({ database }) // a clock of its own
  const { user } = await newUser(node)
  node.clock.advance({ seconds: 30 * 24 * 3600 - 1 })
  await node.app.housekeep()
  assert.equal((await mailsTo(app.platform, user.email)).length, 1)
  node.clock.advance({ seconds: 2 })
  await node.app.housekeep()
  assert.deepEqual(await mailsTo(app.platform, user.email), [])
})
