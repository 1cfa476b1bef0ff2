import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { auditOfTarget } from '../../../test/harness/audit-log.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { type TaskCalls, taskCalls } from '../../../test/harness/tasks.ts'
import { newId } from '../../kernel/ids.ts'

describe('a task of an organization', () => {
  let app: TestApp
  let orgs: ReturnType<typeof organizationCalls>
  let key: TestKey
  let orgId: string
  let admin: TestUser
  let member: TestUser
  let viewer: TestUser
  let calls: TaskCalls

  before(async () => {
    app = await testApp()
    orgs = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
    admin = await orgs.person(key)
    orgId = (await orgs.create(admin)).id
    member = await orgs.add(key, orgId, 'member')
    viewer = await orgs.add(key, orgId, 'viewer')
    calls = taskCalls(app, orgId)
  })

  test('is created open, with a number, and read by every member', async () => {
    const task = await calls.create(member, {
      title: ' Ship it ',
      priority: 'high',
      assigneeId: viewer.id,
      due: '2030-01-31',
      labels: ['release', ' release '],
    })
    assert.deepEqual(
      [task.title, task.status, task.priority, task.assigneeId, task.due, task.labels, task.source, task.overdue],
      ['Ship it', 'open', 'high', viewer.id, '2030-01-31', ['release'], 'manual', false],
    )
    assert.deepEqual([task.createdBy, task.evidence, task.hasEvidence, task.link], [member.id, null, false, null])
    const read = await calls.get(viewer, task.id)
    assert.deepEqual(read.body, { task })
    assert.equal(read.headers['etag'], `"${task.id}-1"`)
    assert.equal((await calls.create(member)).number, task.number + 1)
  })

  test('is changed by members on the revision that they have read, and the same again changes nothing', async () => {
    const { id } = await calls.create(member)
    const headers = { 'if-match': `"${id}-1"` }
    const changed = await calls.change(admin, id, { title: 'Sign it', labels: ['law'] }, headers)
    assert.deepEqual([changed.status, changed.body.task.title, changed.body.task.revision], [200, 'Sign it', 2])
    assert.equal((await calls.change(member, id, { title: 'Late' }, headers)).status, 412)
    assert.equal((await calls.change(member, id, { title: 'Sign it', status: 'open' })).body.task.revision, 2)
    assert.equal((await calls.change(member, id, { labels: ['a', 'b'] })).body.task.revision, 3)
    const { task } = (await calls.change(member, id, { labels: ['a, b'] })).body
    assert.deepEqual([task.labels, task.revision], [['a, b'], 4])
    const entries = await auditOfTarget(app, id)
    assert.deepEqual([...new Set(entries.map(({ action }) => action))].sort(), ['task.create', 'task.update'])
    assert.ok(!JSON.stringify(entries).includes('Sign it'), 'titles are not audited')
  })

  test('moves only as the table of statuses allows', async () => {
    const { id } = await calls.create(member)
    const started = (await calls.change(member, id, { status: 'in_progress' })).body.task
    const done = (await calls.change(member, id, { status: 'done' })).body.task
    assert.deepEqual([typeof started.startedAt, done.startedAt], ['string', started.startedAt])
    assert.equal(typeof done.completedAt, 'string')
    const refused = await calls.change(member, id, { status: 'dismissed' })
    assert.deepEqual([refused.status, refused.body.code, refused.body.allowed], [409, 'STATE_CONFLICT', ['open']])
    const reopened = (await calls.change(member, id, { status: 'open' })).body.task
    assert.deepEqual([reopened.status, reopened.completedAt], ['open', null])
  })

  test('is overdue after its day in the time zone of the organization, unless it is finished', async () => {
    const east = await orgs.create(admin, { timeZone: 'Pacific/Kiritimati' })
    const west = await orgs.create(admin, { timeZone: 'Pacific/Pago_Pago' })
    // Kiritimati is 25 hours ahead of Pago Pago: its day is always a later one.
    const now = app.clock.now()
    const due = new Date(now.getTime() - 11 * 3600_000).toISOString().slice(0, 10)
    const [late, early] = [taskCalls(app, east.id), taskCalls(app, west.id)]
    const task = await late.create(admin, { due })
    assert.deepEqual([task.overdue, (await early.create(admin, { due })).overdue], [true, false])
    assert.deepEqual(
      [(await late.titles(admin, '&due=overdue')).length, (await early.titles(admin, '&due=today')).length],
      [1, 1],
    )
    assert.equal((await late.change(admin, task.id, { status: 'done' })).body.task.overdue, false)
    assert.deepEqual(await late.titles(admin, '&due=overdue'), [])
  })

  test('is deleted by its creator and by admins, and is then the 404 of one that never existed', async () => {
    const own = await calls.create(member)
    const other = await calls.create(admin)
    const refused = await calls.call(member, 'DELETE', `/${other.id}`)
    assert.deepEqual([refused.status, refused.body.code], [403, 'INSUFFICIENT_ROLE'])
    assert.equal((await calls.call(member, 'DELETE', `/${own.id}`)).status, 204)
    assert.equal((await calls.call(admin, 'DELETE', `/${other.id}`)).status, 204)
    const stranger = await orgs.person(key)
    const kept = await calls.create(admin)
    const elsewhere = taskCalls(app, (await orgs.create(admin)).id)
    const unknown = comparable(await calls.get(admin, newId(app.clock.now())))
    for (const reply of [
      await calls.get(admin, own.id),
      await calls.get(stranger, kept.id),
      await elsewhere.get(admin, kept.id),
    ])
      assert.deepEqual(comparable(reply), unknown)
  })

  test('is only read by viewers', async () => {
    const { id } = await calls.create(member)
    for (const [method, path, body] of [
      ['POST', '', { title: 'Mine' }],
      ['PATCH', `/${id}`, { title: 'Mine' }],
      ['DELETE', `/${id}`],
    ] as const) {
      const reply = await calls.call(viewer, method, path, { body })
      assert.deepEqual([reply.status, reply.body.code], [403, 'INSUFFICIENT_ROLE'], method)
    }
  })

  test('has no assignee who is no member, and all wrong fields are named at once', async () => {
    const stranger = await orgs.person(key)
    const body = { title: ' ', due: '2026-02-30', assigneeId: stranger.id, priority: 'huge' }
    const reply = await calls.call(member, 'POST', '', { body })
    assert.equal(reply.status, 400)
    const paths = reply.body.errors.map(({ path }: { path: string }) => path).sort()
    assert.deepEqual(paths, ['/body/assigneeId', '/body/due', '/body/priority', '/body/title'])
  })

  test('is created once for an idempotency key', async () => {
    const headers = { 'idempotency-key': newId(app.clock.now()) }
    const replies = [
      await calls.call(member, 'POST', '', { body: { title: 'Once' }, headers }),
      await calls.call(member, 'POST', '', { body: { title: 'Once' }, headers }),
    ]
    assert.equal(replies[0]?.body.task.id, replies[1]?.body.task.id)
  })

  test('has one of at most 50 labels of the organization', async () => {
    const org = await orgs.create(admin)
    const labelled = taskCalls(app, org.id)
    const made = []
    for (const tens of [0, 1, 2, 3, 4])
      made.push(await labelled.create(admin, { labels: Array.from({ length: 10 }, (_, n) => `label ${tens}${n}`) }))
    const refused = await labelled.call(admin, 'POST', '', { body: { title: 'One more', labels: ['label 51'] } })
    assert.deepEqual([refused.status, refused.body.code], [403, 'QUOTA_EXCEEDED'])
    await labelled.create(admin, { labels: ['label 00', 'label 49'] })
    assert.equal((await labelled.change(admin, made[1].id, { labels: [] })).status, 200)
    await labelled.create(admin, { labels: ['label 51'] })
  })

  test('takes none of the places beyond the limit, however many are created at once', async () => {
    const limited = await app.apiKey(await app.tenant({ limits: { maxTasks: 4 } }))
    const owner = await orgs.person(limited)
    const few = taskCalls(app, (await orgs.create(owner)).id)
    const create = () => few.call(owner, 'POST', '', { body: { title: 'Many' } })
    const replies = await Promise.all(Array.from({ length: 10 }, create))
    const made = replies.filter(({ status }) => status === 201).map(({ body }) => body.task)
    assert.deepEqual(made.map(({ number }) => number).sort(), [1, 2, 3, 4])
    assert.equal(new Set(made.map(({ position }) => position)).size, 4)
    assert.ok(replies.every(({ status, body }) => status === 201 || body.code === 'QUOTA_EXCEEDED'))
    assert.equal((await few.call(owner, 'DELETE', `/${made[0].id}`)).status, 204)
    assert.equal((await create()).body.task.number, 5)
    assert.equal((await create()).status, 403)
  })
})

function comparable({ status, body }: { status: number; body: object }) {
  return { status, body: { ...body, requestId: '', instance: '' } }
}
