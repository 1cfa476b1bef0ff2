import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { auditOfTarget } from '../../../test/harness/audit-log.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { type TaskCalls, taskCalls } from '../../../test/harness/tasks.ts'

describe('who talks about a task', () => {
  let app: TestApp
  let owner: TestUser
  let member: TestUser
  let viewer: TestUser
  let calls: TaskCalls
  let taskId: string

  before(async () => {
    app = await testApp()
    const orgs = organizationCalls(app)
    const key = await app.apiKey(await app.tenant())
    owner = await orgs.person(key)
    const { id } = await orgs.create(owner)
    member = await orgs.add(key, id, 'member')
    viewer = await orgs.add(key, id, 'viewer')
    calls = taskCalls(app, id)
    taskId = (await calls.create(owner)).id
  })

  const comment = (user: TestUser, text: string) => calls.call(user, 'POST', `/${taskId}/comments`, { body: { text } })

  test('writes comments, which every member reads in their order', async () => {
    const { status, body, headers } = await comment(member, 'The draft is ready.')
    assert.equal(status, 201)
    assert.deepEqual(body.comment.author.userId, member.id)
    assert.equal(headers['etag'], `"${body.comment.id}-1"`)
    app.clock.advance({ seconds: 1 })
    await comment(owner, 'Thank you.')
    const list = await calls.call(viewer, 'GET', `/${taskId}/comments`)
    assert.deepEqual(
      list.body.comments.map(({ text }: { text: string }) => text),
      ['The draft is ready.', 'Thank you.'],
    )
    assert.equal((await comment(viewer, 'Me too.')).body.code, 'INSUFFICIENT_ROLE')
    assert.ok(!JSON.stringify(await auditOfTarget(app, taskId)).includes('draft'), 'texts are not audited')
  })

  test('changes their own comments, and deletes them as admins delete any', async () => {
    const { id } = (await comment(member, 'One')).body.comment
    const url = `/${taskId}/comments/${id}`
    const change = (user: TestUser, headers = {}) => calls.call(user, 'PATCH', url, { body: { text: 'Two' }, headers })
    assert.equal((await change(owner)).body.code, 'INSUFFICIENT_ROLE')
    const changed = await change(member, { 'if-match': `"${id}-1"` })
    assert.deepEqual([changed.body.comment.text, typeof changed.body.comment.editedAt], ['Two', 'string'])
    assert.equal((await calls.call(member, 'DELETE', url, { headers: { 'if-match': `"${id}-1"` } })).status, 412)
    assert.equal((await calls.call(owner, 'DELETE', url)).status, 204)
    assert.equal((await calls.call(member, 'DELETE', url)).status, 404)
    const own = (await comment(owner, 'Mine')).body.comment.id
    assert.equal((await calls.call(member, 'DELETE', `/${taskId}/comments/${own}`)).body.code, 'INSUFFICIENT_ROLE')
  })

  test('reads in the history who changed which field, newest first', async () => {
    const { id } = await calls.create(owner, { title: 'First' })
    await calls.change(member, id, { title: 'Second', description: 'long' })
    await calls.change(owner, id, { status: 'done', labels: ['x', 'y'] })
    const { history, pagination } = (await calls.call(viewer, 'GET', `/${id}/history`)).body
    const rows = history.map(
      ({
        field,
        from,
        to,
        origin,
        actor,
        revision,
      }: Record<string, unknown> & { actor: TestUser & { userId: string } }) => [
        revision,
        field,
        from,
        to,
        origin,
        actor.userId,
      ],
    )
    assert.deepEqual(rows, [
      [3, 'labels', '', 'x, y', 'user', owner.id],
      [3, 'status', 'open', 'done', 'user', owner.id],
      [2, 'description', null, null, 'user', member.id],
      [2, 'title', 'First', 'Second', 'user', member.id],
    ])
    assert.equal(pagination.total, 4)
  })
})
