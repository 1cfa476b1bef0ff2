import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { type TaskCalls, taskCalls } from '../../../test/harness/tasks.ts'
import { newId } from '../../kernel/ids.ts'
import { many, sql } from '../../storage/query.ts'

describe('a change of many tasks', () => {
  let app: TestApp
  let owner: TestUser
  let calls: TaskCalls
  let orgId: string
  let ids: string[]

  before(async () => {
    app = await testApp()
    const orgs = organizationCalls(app)
    owner = await orgs.person(await app.apiKey(await app.tenant()))
    orgId = (await orgs.create(owner)).id
    calls = taskCalls(app, orgId)
    ids = []
    for (const title of ['a', 'b', 'c']) ids.push((await calls.create(owner, { title })).id)
  })

  const make = async (title: string, { status, ...values }: Record<string, unknown> = {}): Promise<string> => {
    const { id } = await calls.create(owner, { title, ...values })
    if (status !== undefined) await calls.change(owner, id, { status })
    return id
  }
  const bulk = (body: object) => calls.call(owner, 'POST', '/bulk', { body })

  test('is made in all of them', async () => {
    const { status, body } = await bulk({ ids, change: { priority: 'high', labels: ['now'] } })
    assert.equal(status, 200)
    assert.deepEqual(
      body.tasks,
      ids.map((id) => ({ id, status: 'open', revision: 2 })),
    )
    assert.deepEqual(await calls.titles(owner, '&label=now'), ['a', 'b', 'c'])
  })

  test('is made in none if one refuses it, and each that does is named', async () => {
    const [first, second, third] = ids as [string, string, string]
    await calls.change(owner, second, { status: 'done' })
    const conflicting = await bulk({ ids: [first, second, third], change: { status: 'in_progress' } })
    assert.deepEqual([conflicting.status, conflicting.body.code], [409, 'STATE_CONFLICT'])
    assert.deepEqual(
      conflicting.body.errors.map(({ path }: { path: string }) => path),
      ['/body/ids/1'],
    )
    const missing = await bulk({ ids: [newId(app.clock.now()), first, second], change: { status: 'in_progress' } })
    assert.equal(missing.status, 400)
    assert.deepEqual(
      missing.body.errors.map(({ path }: { path: string }) => path),
      ['/body/ids/0', '/body/ids/2'],
    )
    const nobody = await bulk({ ids: [first], change: { assigneeId: newId(app.clock.now()) } })
    assert.deepEqual([nobody.status, nobody.body.errors[0].path], [400, '/body/change/assigneeId'])
    assert.deepEqual(await calls.titles(owner, '&status=in_progress'), [])
    const many = Array.from({ length: 200 }, () => newId(app.clock.now()))
    assert.equal((await bulk({ ids: many, change: { priority: 'low' } })).body.errors.length, 200)
  })

  test('puts what it moves at the end of the column in the order of the request, each with its history', async () => {
    const [first, second, third] = [await make('first'), await make('second'), await make('third')]
    const last = await make('last', { status: 'in_progress' })
    const asked = [third, first, last, second]
    const { body } = await bulk({ ids: asked, change: { status: 'in_progress', labels: ['moved'] } })
    assert.deepEqual(
      body.tasks.map(({ id, revision }: { id: string; revision: number }) => [id, revision]),
      asked.map((id) => [id, id === last ? 3 : 2]),
    )
    assert.deepEqual(await calls.titles(owner, '&status=in_progress&sort=board'), ['last', 'third', 'first', 'second'])
    const found = await calls.titles(owner, '&q=second&label=moved')
    assert.deepEqual(found, ['second'])
    const fieldsOf = async (id: string) => {
      const { history } = (await calls.call(owner, 'GET', `/${id}/history`)).body
      return history.map(({ revision, field }: { revision: number; field: string }) => `${revision} ${field}`)
    }
    assert.deepEqual(await fieldsOf(second), ['2 labels', '2 status'])
    assert.deepEqual(await fieldsOf(last), ['3 labels', '2 status'])
  })

  test('writes what it changes and keeps the rest, also of tasks that are the same already', async () => {
    const same = await make('same', { priority: 'low', description: 'kept words' })
    const other = await make('other', { priority: 'high', description: 'other words' })
    await bulk({ ids: [same, other], change: { priority: 'low' } })
    const [before, after] = [(await calls.get(owner, same)).body.task, (await calls.get(owner, other)).body.task]
    assert.deepEqual([before.revision, before.priority, before.description], [1, 'low', 'kept words'])
    assert.deepEqual([after.revision, after.priority, after.description], [2, 'low', 'other words'])
    await bulk({ ids: [same, other], change: { description: 'quite new', due: '2026-12-24' } })
    assert.deepEqual(await calls.titles(owner, '&q=words'), [])
    assert.deepEqual((await calls.titles(owner, '&q=quite new')).sort(), ['other', 'same'])
    const { due, priority, title } = (await calls.get(owner, other)).body.task
    assert.deepEqual([due, priority, title], ['2026-12-24', 'low', 'other'])
  })

  test('counts the labels of all tasks, up to the limit of the organization', async () => {
    const [one, two] = [await make('one', { labels: ['x'] }), await make('two', { labels: ['x'] })]
    await bulk({ ids: [one, two], change: { labels: ['y', 'z'] } })
    const used = await many(
      app.platform,
      sql<{ label: string; count: number }>`select label, task_count as count from task_labels
        where org_id = ${orgId} and label in ('x', 'y', 'z') order by label`,
    )
    assert.deepEqual(
      used.map(({ label, count }) => [label, count]),
      [
        ['y', 2],
        ['z', 2],
      ],
    )
    const labelsOf = (n: number) => Array.from({ length: 20 }, (_, index) => `label ${n} ${index}`)
    assert.equal((await bulk({ ids: [one], change: { labels: labelsOf(1) } })).status, 200)
    const filler = await make('filler', { labels: labelsOf(2) })
    const refused = await bulk({ ids: [two, filler], change: { labels: labelsOf(3) } })
    assert.equal(refused.status, 200, 'the labels of both are free again')
    const third = await make('third')
    assert.equal((await bulk({ ids: [two, third], change: { labels: labelsOf(4) } })).body.code, 'QUOTA_EXCEEDED')
  })
})
