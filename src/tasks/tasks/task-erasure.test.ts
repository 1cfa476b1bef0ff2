import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { propose, type TaskCalls, taskCalls } from '../../../test/harness/tasks.ts'
import { readTenantFile } from '../../../test/harness/tenant-files.ts'
import { newId } from '../../kernel/ids.ts'
import { many, sql } from '../../storage/query.ts'

describe('tasks', () => {
  let app: TestApp
  let orgs: ReturnType<typeof organizationCalls>
  let key: TestKey
  let orgId: string
  let owner: TestUser
  let member: TestUser
  let calls: TaskCalls

  before(async () => {
    app = await testApp()
    orgs = organizationCalls(app)
  })
  beforeEach(async () => {
    key = await app.apiKey(await app.tenant())
    owner = await orgs.person(key)
    orgId = (await orgs.create(owner)).id
    member = await orgs.add(key, orgId, 'member')
    calls = taskCalls(app, orgId)
  })

  type Change = { field: string; from_value: string | null; to_value: string | null; origin: string }
  const changes = (taskId: string) =>
    many(
      app.platform,
      sql<Change>`select field, from_value, to_value, origin from task_changes where task_id = ${taskId} order by revision`,
    )
  const rowsOf = async (table: 'tasks' | 'task_changes' | 'task_labels') =>
    (await many(app.platform, sql`select 1 from ${sql.raw(table)} where tenant_id = ${key.tenantId}`)).length

  test('of somebody who leaves become unassigned, and the history keeps who it was', async () => {
    const { id } = await calls.create(owner, { assigneeId: member.id })
    assert.equal((await orgs.call(member, 'DELETE', `/orgs/${orgId}/members/me`)).status, 204)
    const { task } = (await calls.get(owner, id)).body
    assert.deepEqual([task.assigneeId, task.revision, task.createdBy], [null, 2, owner.id])
    assert.deepEqual(await changes(id), [
      { field: 'assigneeId', from_value: member.id, to_value: null, origin: 'system' },
    ])
  })

  test('of a user who is removed stay, and name the user nowhere', async () => {
    const { id } = await calls.create(member)
    await calls.change(member, id, { assigneeId: member.id })
    assert.equal(
      (await app.call({ method: 'DELETE', url: `/admin/users/${member.id}`, headers: app.admin })).status,
      204,
    )
    const { task } = (await calls.get(owner, id)).body
    assert.deepEqual([task.assigneeId, task.createdBy], [null, null])
    const history = await many(app.platform, sql`select to_jsonb(c) as row from task_changes c where task_id = ${id}`)
    assert.equal(history.length, 2)
    assert.ok(!JSON.stringify(history).includes(member.id))
  })

  test('go with their organization', async () => {
    const { id } = await calls.create(owner, { labels: ['gone'] })
    await calls.change(owner, id, { status: 'done' })
    const rows = async () => [await rowsOf('tasks'), await rowsOf('task_changes'), await rowsOf('task_labels')]
    assert.deepEqual(await rows(), [1, 1, 1])
    assert.equal((await orgs.call(owner, 'DELETE', `/orgs/${orgId}?confirm=Research`)).status, 204)
    assert.deepEqual(await rows(), [0, 0, 0])
  })

  test('that nobody accepted go with their meeting, and accepted ones lose the words that were spoken', async () => {
    const { id: meetingId } = await meetingCalls(app).create(owner)
    const source = { tenantId: key.tenantId, orgId, meetingId }
    const [open, dismissed, accepted] = [
      await propose(app, source),
      await propose(app, source),
      await propose(app, source),
    ]
    await calls.change(owner, dismissed.id, { status: 'dismissed' })
    await calls.change(owner, accepted.id, { title: 'Sign it' })
    await calls.change(owner, accepted.id, { status: 'open' })
    assert.equal((await meetingCalls(app).remove(owner, meetingId)).status, 204)
    for (const { id } of [open, dismissed]) assert.equal((await calls.get(owner, id)).status, 404)
    const { task } = (await calls.get(owner, accepted.id)).body
    assert.deepEqual([task.title, task.hasEvidence, task.evidence], ['Sign it', false, null])
    assert.deepEqual([task.dueText, task.assigneeName], [null, null])
    assert.deepEqual(
      (await changes(accepted.id)).map(({ field }) => field),
      ['status'],
    )
    assert.equal(await rowsOf('tasks'), 1)
  })

  test('that were renamed in being accepted show what was said nowhere', async () => {
    const { id: meetingId } = await meetingCalls(app).create(owner)
    const { id } = await propose(app, { tenantId: key.tenantId, orgId, meetingId })
    const body = { status: 'open', title: 'Sign it', labels: [], due: '2030-01-31' }
    assert.equal((await calls.change(owner, id, body)).status, 200)
    const { history } = (await calls.call(member, 'GET', `/${id}/history`)).body
    assert.deepEqual(history.map(({ field, from, to }: Record<string, unknown>) => [field, from, to]).sort(), [
      ['due', null, '2030-01-31'],
      ['labels', null, ''],
      ['status', 'proposed', 'open'],
      ['title', null, 'Sign it'],
    ])
    assert.equal((await meetingCalls(app).remove(owner, meetingId)).status, 204)
    assert.ok(!/contract|spoken/.test(JSON.stringify(await changes(id))))
  })

  test('are exported with what all members may read: no proposal, and no word of a meeting', async () => {
    const { id: meetingId } = await meetingCalls(app).create(owner)
    const source = { tenantId: key.tenantId, orgId, meetingId }
    const [open, dismissed, accepted] = [
      await propose(app, source),
      await propose(app, source),
      await propose(app, source),
    ]
    const say = (id: string, text: string) => calls.call(owner, 'POST', `/${id}/comments`, { body: { text } })
    await calls.change(owner, dismissed.id, { status: 'dismissed' })
    for (const { id } of [open, dismissed]) assert.equal((await say(id, 'Is this ours?')).body.code, 'STATE_CONFLICT')
    await calls.change(owner, accepted.id, { title: 'Sign it' })
    await calls.change(owner, accepted.id, { status: 'open' })
    await say(accepted.id, 'With blue ink.')
    await taskCalls(app, (await orgs.create(owner)).id).create(owner)
    const { bytes } = await orgs.call(owner, 'GET', `/orgs/${orgId}/export`)
    const { head, rows } = readTenantFile(bytes)
    const exported = (name: string) => rows.filter(({ table }) => table === name).map(({ row }) => row)
    assert.deepEqual(
      exported('tasks').map(({ id, title, labels }) => [id, title, labels]),
      [[accepted.id, 'Sign it', ['spoken']]],
    )
    assert.deepEqual(
      exported('taskComments').map(({ text }) => text),
      ['With blue ink.'],
    )
    assert.deepEqual(
      exported('taskChanges').map(({ field, fromValue, toValue }) => [field, fromValue, toValue]),
      [['status', 'proposed', 'open']],
    )
    assert.ok(head.leftOut['tasks.evidenceQuote'])
    for (const word of ['Sign the contract', 'I will sign', meetingId]) assert.ok(!JSON.stringify(rows).includes(word))
    assert.ok(Object.keys(exported('tasks')[0]).every((column) => !/evidence|meeting/.test(column)))
  })

  test('proposed from a meeting are seen by its readers alone, and their evidence also later', async () => {
    const { id: meetingId } = await meetingCalls(app).create(owner)
    const { id } = await propose(app, { tenantId: key.tenantId, orgId, meetingId })
    assert.equal((await calls.get(member, id)).status, 404)
    assert.equal((await calls.change(member, id, { status: 'open' })).status, 404)
    assert.deepEqual(await calls.titles(member), [])
    const { task } = (await calls.get(owner, id)).body
    assert.deepEqual(
      [task.status, task.evidence.quote, task.evidence.seqs],
      ['proposed', 'I will sign the contract tomorrow.', [1]],
    )
    await calls.change(owner, id, { status: 'dismissed' })
    assert.equal((await calls.get(member, id)).status, 404, 'nobody accepted it')
    await calls.change(owner, id, { status: 'open' })
    const seen = (await calls.get(member, id)).body.task
    assert.deepEqual([seen.title, seen.hasEvidence, seen.evidence], ['Sign the contract', true, null])
    const move = (headers: object) => calls.call(member, 'POST', `/${id}/move`, { body: {}, headers })
    const headers = { 'idempotency-key': newId(app.clock.now()) }
    const share = (visibility: string) =>
      meetingCalls(app).call(owner, 'PATCH', `/${meetingId}`, { body: { orgId, visibility } })
    assert.equal((await share('org')).status, 200)
    assert.equal((await move(headers)).body.task.evidence.meetingId, meetingId)
    assert.equal((await share('private')).status, 200)
    assert.equal((await move(headers)).body.task.evidence, null, 'of a repeated request, too')
    assert.deepEqual(await calls.titles(member, `&meetingId=${meetingId}`), [])
    assert.deepEqual(await calls.titles(owner, `&meetingId=${meetingId}`), ['Sign the contract'])
  })
})
