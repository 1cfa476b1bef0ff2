import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { type TaskCalls, taskCalls } from '../../../test/harness/tasks.ts'
import { spokenIn, standUp } from '../../../test/meetings/written.ts'
import { many, one, run, sql } from '../../storage/query.ts'

describe('tasks from a meeting', () => {
  let app: TestApp
  let orgs: ReturnType<typeof organizationCalls>
  let meetings: ReturnType<typeof meetingCalls>
  let key: TestKey
  let owner: TestUser
  let orgId: string
  let calls: TaskCalls

  before(async () => {
    app = await testApp()
    orgs = organizationCalls(app)
    meetings = meetingCalls(app)
    key = await app.apiKey(await app.tenant())
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner, { timeZone: 'Europe/Berlin' })).id
    calls = taskCalls(app, orgId)
  })

  /** A running meeting of the organization. */
  async function meeting(transcript = standUp, overrides: Record<string, unknown> = {}): Promise<string> {
    return (await meetings.create(owner, { transcript, orgId, visibility: 'private', ...overrides })).id
  }
  const end = async (id: string) => {
    assert.equal((await meetings.call(owner, 'POST', `/${id}/end`)).status, 200)
    await app.settled()
  }
  const ask = (user: TestUser, id: string) => meetings.call(user, 'POST', `/${id}/tasks`)
  const proposed = async (id: string) =>
    (await calls.call(owner, 'GET', `?limit=100&sort=created&meetingId=${id}`)).body.tasks

  test('are proposed when it ends, with owner, day and the words they came from', async () => {
    const priya = await orgs.add(key, orgId, 'viewer')
    await run(app.platform, sql`update users set name = 'Priya Nair' where id = ${priya.id}`)
    const id = await meeting([...standUp, said("I'll send the invoices by Saturday.", { speaker: 'Tom' })])
    // A Saturday in Berlin, and still Friday in UTC.
    await run(app.platform, sql`update meetings set started_at = '2026-11-20T23:30:00Z' where id = ${id}`)
    await end(id)
    const tasks = await proposed(id)
    const task = tasks.find(({ title }: { title: string }) => title === "I'll renew the certificate this morning")
    assert.deepEqual(
      [task.status, task.source, task.assigneeId, task.assigneeName, task.due, task.dueText, task.createdBy],
      ['proposed', 'meeting', priya.id, 'Priya', '2026-11-21', 'this morning', null],
    )
    assert.deepEqual(task.evidence, {
      meetingId: id,
      speaker: 'Priya',
      timestamp: '00:00:40',
      quote: standUp[4]?.text,
      seqs: [5],
    })
    const byTom = tasks.find(({ dueText }: { dueText: string }) => dueText === 'by Saturday')
    assert.deepEqual([byTom.assigneeId, byTom.assigneeName, byTom.due], [null, 'Tom', '2026-11-28'])
  })

  test('are proposed once, however often it is summarized, and a dismissed or deleted one stays away', async () => {
    const id = await meeting(standUp.slice(4, 8).concat(standUp.slice(12, 17)))
    await end(id)
    const first = await proposed(id)
    assert.ok(first.length >= 2)
    const [dismissed, deleted] = first
    assert.equal((await calls.change(owner, dismissed.id, { status: 'dismissed' })).status, 200)
    assert.equal((await calls.call(owner, 'DELETE', `/${deleted.id}`)).status, 204)
    for (const mode of ['short', 'detailed']) {
      await run(app.platform, sql`delete from summaries where meeting_id = ${id}`)
      assert.equal((await meetings.call(owner, 'GET', `/${id}/summary?mode=${mode}`)).status, 200)
    }
    for (let round = 0; round < 100; round++) assert.deepEqual((await ask(owner, id)).body, { tasks: [] })
    await app.settled()
    const ids = (await proposed(id)).map((task: { id: string }) => task.id)
    assert.deepEqual(
      ids,
      first.map((task: { id: string }) => task.id).filter((it: string) => it !== deleted.id),
    )
  })

  test('are proposed at once on request, also while it runs, and by several requests at a time only once', async () => {
    const id = await meeting()
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(owner, id)))
    assert.deepEqual(
      replies.map(({ status }) => status),
      Array(8).fill(200),
    )
    const tasks = replies.flatMap(({ body }) => body.tasks)
    assert.ok(tasks.length >= 3)
    assert.deepEqual(
      tasks.map(({ id: it }) => it).sort(),
      (await proposed(id)).map((it: { id: string }) => it.id).sort(),
    )
    assert.ok(tasks.every(({ createdBy, evidence }) => createdBy === owner.id && evidence.meetingId === id))
  })

  test('follow when its transcript changes after its end', async () => {
    const id = await meeting(spokenIn('Ann: Hello.\nBen: Hello, let us begin.'))
    await end(id)
    assert.deepEqual(await proposed(id), [])
    const body = { entries: [said("I'll book the hall for the party tomorrow.")] }
    assert.equal((await meetings.call(owner, 'POST', `/${id}/transcript/import`, { body })).status, 200)
    await app.settled()
    assert.deepEqual(
      (await proposed(id)).map(({ title }: { title: string }) => title),
      ["I'll book the hall for the party tomorrow"],
    )
  })

  test('need an organization, and the right to change the meeting', async () => {
    const { id } = await meetings.create(owner, { transcript: standUp })
    assert.equal((await ask(owner, id)).body.code, 'STATE_CONFLICT')
    const [reader, writer] = [await orgs.add(key, orgId, 'member'), await orgs.add(key, orgId, 'member')]
    const sharedWith = [
      { userId: reader.id, access: 'read' },
      { userId: writer.id, access: 'write' },
    ]
    const shared = await meeting(standUp, { visibility: 'members', sharedWith })
    assert.equal((await ask(reader, shared)).body.code, 'INSUFFICIENT_ROLE')
    assert.ok((await ask(writer, shared)).body.tasks.length >= 3)
    for (const hidden of [await meeting(), key.tenantId])
      assert.deepEqual((await ask(writer, hidden)).body.code, 'NOT_FOUND')
    await end(id)
    assert.deepEqual(await many(app.platform, sql`select title from tasks where meeting_id = ${id}`), [])
  })

  test('go when it leaves the organization, and those that nobody decided on are proposed again in the next one', async () => {
    const [from, to] = [(await orgs.create(owner)).id, (await orgs.create(owner)).id]
    const before = taskCalls(app, from)
    const id = await meeting(standUp, { orgId: from })
    const { tasks } = (await ask(owner, id)).body
    const [accepted, dismissed, ...open] = tasks
    assert.ok(open.length > 0)
    await before.change(owner, accepted.id, { status: 'open' })
    await before.change(owner, dismissed.id, { status: 'dismissed' })
    const moveTo = async (orgId: string | null) =>
      assert.equal((await meetings.call(owner, 'PATCH', `/${id}`, { body: { orgId } })).status, 200)
    const count = (orgId: string) =>
      one(app.platform, sql<{ count: number }>`select task_count as count from task_counters where org_id = ${orgId}`)
    await moveTo(null)
    assert.deepEqual(await before.titles(owner), [accepted.title])
    assert.equal((await count(from)).count, 1)
    await moveTo(to)
    const titles = (list: { title: string }[]) => list.map(({ title }) => title)
    assert.deepEqual(titles((await ask(owner, id)).body.tasks), titles(open))
    await orgs.add(key, to, 'owner')
    assert.equal((await orgs.call(owner, 'DELETE', `/orgs/${to}/members/me`)).status, 204)
    assert.equal((await count(to)).count, 0)
    await moveTo(from)
    assert.deepEqual(titles((await ask(owner, id)).body.tasks), titles(open))
  })

  test('fill the places that are left, and a person is told that there are too few', async () => {
    const tenant = await app.tenant({ limits: { maxTasks: 2 } })
    const chief = await orgs.person(await app.apiKey(tenant))
    const small = (await orgs.create(chief)).id
    const { id } = await meetings.create(chief, { transcript: standUp, orgId: small })
    const refused = await ask(chief, id)
    assert.deepEqual([refused.status, refused.body.code], [403, 'QUOTA_EXCEEDED'])
    const count = async () => (await taskCalls(app, small).titles(chief)).length
    assert.equal(await count(), 0)
    assert.equal((await meetings.call(chief, 'POST', `/${id}/end`)).status, 200)
    await app.settled()
    assert.equal(await count(), 2)
  })
})
