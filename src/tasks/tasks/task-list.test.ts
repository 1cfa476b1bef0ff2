import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { type TaskCalls, taskCalls } from '../../../test/harness/tasks.ts'
import { listComments } from '../comments/comment.store.ts'
import { listChanges } from '../history/history.store.ts'
import { findTask, readsNoMeeting } from './task.store.ts'
import { listTasks, listTasksById } from './task-list.store.ts'

describe('the tasks of an organization', () => {
  let app: TestApp
  let key: TestKey
  let owner: TestUser
  let member: TestUser
  let calls: TaskCalls
  const day = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)

  before(async () => {
    app = await testApp()
    const orgs = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
    owner = await orgs.person(key)
    const { id } = await orgs.create(owner)
    member = await orgs.add(key, id, 'member')
    calls = taskCalls(app, id)
    const made: Record<string, string> = {}
    for (const [title, rest] of [
      ['Alpha plan', { due: day(-1), assigneeId: owner.id, labels: ['red'] }],
      ['Beta plan', { due: day(0), assigneeId: member.id }],
      ['Gamma draft', { due: day(6), labels: ['red', 'blue'], description: 'A Straße, and the alphabet.' }],
      ['Delta draft', { due: day(7) }],
      ['=SUM(A1)', {}],
    ] as const)
      made[title] = (await calls.create(owner, { title, ...rest })).id
    app.clock.advance({ seconds: 1 })
    await calls.change(owner, made['Alpha plan'] as string, { status: 'in_progress' })
    app.clock.advance({ seconds: 1 })
    await calls.change(owner, made['Delta draft'] as string, { status: 'done' })
  })

  test('are filtered by status, assignee, day, label, source and words', async () => {
    for (const [query, expected] of [
      ['status=done', ['Delta draft']],
      ['status=done&status=in_progress', ['Alpha plan', 'Delta draft']],
      ['assignee=me', ['Alpha plan']],
      [`assignee=${member.id}`, ['Beta plan']],
      ['assignee=none&status=open', ['Gamma draft', '=SUM(A1)']],
      ['due=overdue', ['Alpha plan']],
      ['due=today', ['Beta plan']],
      ['due=week', ['Beta plan', 'Gamma draft']],
      ['due=none', ['=SUM(A1)']],
      [`from=${day(1)}&to=${day(7)}`, ['Gamma draft', 'Delta draft']],
      ['label=red', ['Gamma draft', 'Alpha plan']],
      ['label=re', []],
      ['label=red&status=open', ['Gamma draft']],
      ['label=red&due=overdue', ['Alpha plan']],
      ['label=red&q=alphabet', ['Gamma draft']],
      ['source=tracker', []],
      ['source=manual', ['Beta plan', 'Gamma draft', '=SUM(A1)', 'Alpha plan', 'Delta draft']],
      ['q=PLAN', ['Beta plan', 'Alpha plan']],
      ['q=alpha', ['Gamma draft', 'Alpha plan']],
      ['q=stra%C3%9Fe+gam', ['Gamma draft']],
      ['q=g+ga+gam+gamm+gamma+d+dr+dra+draf+draft+eleventh', ['Gamma draft']],
      ["q='%7C!%26:*\\", []],
    ] as const)
      assert.deepEqual(await calls.titles(owner, `&${query}`), expected, query)
  })

  test('are sorted by board, day, change and creation', async () => {
    for (const [sort, expected] of [
      ['board', ['Beta plan', 'Gamma draft', '=SUM(A1)', 'Alpha plan', 'Delta draft']],
      ['due', ['Alpha plan', 'Beta plan', 'Gamma draft', 'Delta draft', '=SUM(A1)']],
      ['updated', ['Delta draft', 'Alpha plan']],
      ['created', ['=SUM(A1)', 'Delta draft', 'Gamma draft', 'Beta plan', 'Alpha plan']],
    ] as const)
      assert.deepEqual((await calls.titles(owner, `&sort=${sort}`)).slice(0, expected.length), expected, sort)
    const { body } = await calls.call(owner, 'GET', '?limit=2&page=3')
    assert.deepEqual([body.tasks.length, body.pagination], [1, { page: 3, limit: 2, total: 5, totalPages: 3 }])
  })

  test('are listed in one file, in which no cell is a formula', async () => {
    const reply = await calls.call(owner, 'GET', '?format=csv&limit=1&sort=created')
    assert.match(String(reply.headers['content-type']), /^text\/csv/)
    const lines = reply.bytes.toString().trimEnd().split('\r\n')
    assert.equal(lines.length, 6)
    assert.match(lines[0] as string, /^number,title,status/)
    assert.match(lines[1] as string, /^5,'=SUM\(A1\),open/)
  })

  test('with a label are those that have it now, in every order, whatever was changed, moved and deleted', async () => {
    const { id: orgId } = await organizationCalls(app).create(owner)
    const labelled = taskCalls(app, orgId)
    const made: string[] = []
    for (let n = 0; n < 6; n++) {
      const labels = [...(n % 2 === 0 ? ['even'] : []), ...(n % 3 === 0 ? ['third'] : [])]
      made.push((await labelled.create(owner, { title: `Task ${n}`, labels, due: day(6 - n) })).id)
    }
    const [first, second, third, fourth, fifth] = made as [string, string, string, string, string]
    const isSame = async () => {
      for (const sort of ['board', 'due', 'updated', 'created'])
        for (const label of ['even', 'third', 'none']) {
          const { tasks } = (await labelled.call(owner, 'GET', `?sort=${sort}`)).body
          const { body } = await labelled.call(owner, 'GET', `?sort=${sort}&label=${label}`)
          const expected = tasks.filter(({ labels }: { labels: string[] }) => labels.includes(label))
          assert.deepEqual([body.tasks, body.pagination.total], [expected, expected.length], `${label}, ${sort}`)
        }
    }
    await isSame()
    app.clock.advance({ seconds: 1 })
    await labelled.call(owner, 'POST', `/${first}/move`, { body: { after: fifth } })
    await labelled.change(owner, third, { due: null, title: 'Later' })
    await isSame()
    app.clock.advance({ seconds: 1 })
    await labelled.change(owner, second, { labels: ['even', 'third'], status: 'in_progress' })
    await labelled.change(owner, fifth, { labels: [] })
    await isSame()
    assert.equal((await labelled.call(owner, 'DELETE', `/${fourth}`)).status, 204)
    assert.equal((await labelled.call(owner, 'DELETE', `/${first}`)).status, 204)
    await isSame()
  })

  test('are shown to nobody whose membership has ended since the request was admitted', async () => {
    const orgs = organizationCalls(app)
    const { id: orgId } = await orgs.create(owner)
    const left = taskCalls(app, orgId)
    const { id } = await left.create(owner)
    await left.change(owner, id, { priority: 'low' })
    await left.call(owner, 'POST', `/${id}/comments`, { body: { text: 'Between us.' } })
    const viewer = await orgs.add(key, orgId, 'viewer')
    const scope = app.scopeOf(key.tenantId)
    const reader = { userId: viewer.id, readsMeeting: readsNoMeeting }
    const [task, board, page] = [
      { orgId, id },
      { orgId, today: day(0) },
      { page: 1, limit: 20 },
    ]
    const read = async () => [
      (await findTask(scope, task, reader))?.id,
      (await listTasks(scope, board, { filter: {}, sort: 'board', page, reader })).total,
      (await listTasksById(scope, { orgId, ids: [id] }, reader)).length,
      (await listComments(scope, task, { ...page, reader })).total,
      (await listChanges(scope, task, { ...page, reader })).total,
    ]
    assert.deepEqual(await read(), [id, 1, 1, 1, 1])
    assert.equal((await orgs.call(viewer, 'DELETE', `/orgs/${orgId}/members/me`)).status, 204)
    assert.deepEqual(await read(), [undefined, 0, 0, 0, 0])
  })

  test('of all organizations are listed to whom they are assigned', async () => {
    const orgs = organizationCalls(app)
    const other = await orgs.create(member, { timeZone: 'Asia/Tokyo' })
    await taskCalls(app, other.id).create(member, { title: 'Abroad', assigneeId: member.id })
    const own = await orgs.call(member, 'GET', '/tasks')
    assert.deepEqual(
      own.body.tasks.map(({ title }: { title: string }) => title),
      ['Beta plan', 'Abroad'],
    )
    const found = await orgs.call(member, 'GET', '/tasks?q=abr&status=open')
    assert.deepEqual(found.body.pagination.total, 1)
    const labelled = await orgs.call(owner, 'GET', '/tasks?label=red&sort=due')
    assert.deepEqual([labelled.body.tasks[0].title, labelled.body.pagination.total], ['Alpha plan', 1])
    assert.equal((await orgs.call(member, 'GET', '/tasks?scope=tenant')).body.code, 'INSUFFICIENT_ROLE')
    for (const extra of ['', '&limit=0']) {
      const filtered = await orgs.call(member, 'GET', `/tasks?scope=tenant&page=1&status=done&q=abr&sort=due${extra}`)
      const paths = filtered.body.errors.map(({ path }: { path: string }) => path)
      for (const name of ['status', 'q', 'sort']) assert.ok(paths.includes(`/query/${name}`), name)
    }
  })
})
