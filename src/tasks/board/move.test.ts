import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp } from '../../../test/harness/app.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { seededRandom } from '../../../test/harness/seeded-random.ts'
import { type TaskCalls, taskCalls } from '../../../test/harness/tasks.ts'
import { many, run, sql } from '../../storage/query.ts'
import { positionLettersMax } from './move.service.ts'

describe('a task on the board', () => {
  let app: TestApp
  let orgs: ReturnType<typeof organizationCalls>
  let key: TestKey
  let owner: TestUser
  let orgId: string
  let calls: TaskCalls
  let ids: Record<string, string>

  before(async () => {
    app = await testApp()
    orgs = organizationCalls(app)
    key = await app.apiKey(await app.tenant())
    owner = await orgs.person(key)
  })
  beforeEach(async () => {
    orgId = (await orgs.create(owner)).id
    calls = taskCalls(app, orgId)
    ids = {}
    for (const title of ['a', 'b', 'c', 'd']) ids[title] = (await calls.create(owner, { title })).id
  })

  const move = (title: string, body: object, user = owner) => calls.call(user, 'POST', `/${ids[title]}/move`, { body })
  const column = async (status = 'open') => (await calls.titles(owner, `&status=${status}`)).join('')

  test('is moved before and after another one, and to the end', async () => {
    assert.equal((await move('d', { before: ids['b'] })).status, 200)
    assert.equal(await column(), 'adbc')
    await move('a', { after: ids['b'] })
    assert.equal(await column(), 'dbac')
    await move('d', {})
    assert.equal(await column(), 'bacd')
    const { body } = await move('c', { status: 'in_progress' })
    await move('a', { status: 'in_progress', before: ids['c'] })
    assert.deepEqual([body.task.status, await column(), await column('in_progress')], ['in_progress', 'bd', 'ac'])
    const again = await move('a', { status: 'in_progress', before: ids['c'] })
    assert.deepEqual([again.status, again.body.task.revision], [200, 3], 'it is there already')
  })

  test('is moved only beside a task of that column, and only to a status that may follow', async () => {
    await move('d', { status: 'done' })
    for (const [body, path] of [
      [{ before: ids['d'] }, '/body/before'],
      [{ after: ids['a'] }, '/body/after'],
      [{ after: key.id }, '/body/after'],
    ] as const) {
      const refused = await move('a', body)
      assert.deepEqual([refused.status, refused.body.errors?.[0].path], [400, path])
    }
    assert.equal((await move('a', { before: ids['b'], after: ids['b'] })).status, 400)
    const refused = await move('d', { status: 'in_progress' })
    assert.deepEqual([refused.status, refused.body.allowed], [409, ['open']])
    const viewer = await orgs.add(key, orgId, 'viewer')
    assert.equal((await move('a', {}, viewer)).body.code, 'INSUFFICIENT_ROLE')
  })

  test('keeps one total order with all others, however many are moved at once', async () => {
    const random = seededRandom(7)
    const names = Object.keys(ids)
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => {
          const [moved, other] = [random.oneOf(names), random.oneOf(names)]
          return moved === other ? move(moved, {}) : move(moved, { [random.oneOf(['before', 'after'])]: ids[other] })
        }),
      )
      assert.ok(replies.every(({ status }) => status === 200))
    }
    assert.equal([...(await column())].sort().join(''), 'abcd')
    const placed = await many(app.platform, sql`select distinct position from tasks where org_id = ${orgId}`)
    assert.equal(placed.length, names.length, 'no two have the same place')
  })

  test('gets a short position again where many moves to one place have made them long', async () => {
    const long = (last: string) => `a0${'0'.repeat(positionLettersMax)}${last}`
    for (const [title, position] of [
      ['a', 'a0'],
      ['b', long('1')],
      ['c', long('2')],
      ['d', 'a1'],
    ] as const)
      await run(app.platform, sql`update tasks set position = ${position} where id = ${ids[title]}`)
    const { body } = await move('d', { before: ids['c'] })
    assert.equal(await column(), 'abdc')
    assert.ok(body.task.position.length < 10, body.task.position)
    const longest = await many(
      app.platform,
      sql<{ length: number }>`select max(length(position)) as length from tasks where org_id = ${orgId}`,
    )
    assert.ok((longest[0]?.length ?? 99) < 10)
  })
})
