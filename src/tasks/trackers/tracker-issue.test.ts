import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestUser, testApp, testLimits } from '../../../test/harness/app.ts'
import { effectsOver } from '../../../test/harness/inbound-effects.ts'
import { meetingCalls } from '../../../test/harness/meetings.ts'
import { organizationCalls } from '../../../test/harness/organizations.ts'
import { jsonPayload } from '../../../test/harness/payloads.ts'
import { taskCalls } from '../../../test/harness/tasks.ts'
import { newId } from '../../kernel/ids.ts'
import { organizationMembers } from '../../organizations/membership.ts'
import { eventBus } from '../../storage/events.ts'
import { many, run, sql } from '../../storage/query.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { tenantQuotas } from '../../usage/quotas/quota.store.ts'
import { moveWithConnections } from './placement.ts'

describe('an issue of a tracker', () => {
  let app: TestApp
  let orgs: ReturnType<typeof organizationCalls>
  let effects: ReturnType<typeof effectsOver>
  let key: TestKey
  let owner: TestUser

  before(async () => {
    app = await testApp()
    orgs = organizationCalls(app)
    effects = effectsOver(app)
  })
  beforeEach(async () => {
    key = await app.apiKey(await app.tenant())
    owner = await orgs.person(key)
  })

  const connections = '/assistant/v1/webhooks/connections'
  /** An administrator of the tenant with a connection. */
  async function connected(orgId: string | null) {
    const boss = await orgs.person(key)
    await app.promote(boss)
    const body = { scheme: 'linear', name: 'Ours', secret: 'a secret of Linear', ...(orgId === null ? {} : { orgId }) }
    const { status, body: made } = await app.call({ method: 'POST', url: connections, headers: boss.headers, body })
    assert.equal(status, 201, JSON.stringify(made))
    const { id: connectionId } = made.connection
    return {
      boss,
      connection: made.connection,
      send: (payload: unknown) => effects.process({ id: key.tenantId }, { connectionId, payload }),
      moveTo: (next: string | null) =>
        app.call({
          method: 'PATCH',
          url: `${connections}/${connectionId}`,
          headers: boss.headers,
          body: { orgId: next },
        }),
    }
  }
  const issue = (data: object = {}) => {
    const payload = jsonPayload('linear-issue')
    return { ...payload, data: { ...payload.data, ...data } }
  }

  test('stands on the board of its connection, and follows the tracker with a history', async () => {
    const { id: orgId } = await orgs.create(owner)
    const calls = taskCalls(app, orgId)
    const { connection, send } = await connected(orgId)
    assert.equal(connection.orgId, orgId)
    await send(issue())
    const [task] = (await calls.call(owner, 'GET')).body.tasks
    assert.deepEqual(
      [task.number, task.source, task.link.provider, task.link.sync],
      [1, 'tracker', 'linear', 'READ_ONLY'],
    )
    app.clock.advance({ seconds: 1 })
    const updatedAt = app.clock.now().toISOString()
    await send(issue({ title: 'Sign the release', state: { name: 'Done', type: 'completed' }, updatedAt }))
    const after = (await calls.get(owner, task.id)).body.task
    assert.deepEqual([after.title, after.status, after.revision], ['Sign the release', 'done', 2])
    assert.deepEqual(await calls.titles(owner, '&q=sign'), ['Sign the release'])
    const { history } = (await calls.call(owner, 'GET', `/${task.id}/history`)).body
    assert.deepEqual(
      history.map(({ field, origin, actor }: Record<string, unknown>) => [field, origin, actor]),
      [
        ['status', 'tracker', null],
        ['title', 'tracker', null],
      ],
    )
  })

  test('is changed here only in what the tracker does not have', async () => {
    const { id: orgId } = await orgs.create(owner)
    const calls = taskCalls(app, orgId)
    const { send } = await connected(orgId)
    await send(issue())
    const [{ id, status }] = (await calls.call(owner, 'GET')).body.tasks
    for (const change of [{ title: 'Mine' }, { status: 'done' }, { assigneeId: owner.id }, { due: '2030-01-01' }])
      assert.equal((await calls.change(owner, id, change)).body.code, 'STATE_CONFLICT', JSON.stringify(change))
    assert.equal((await calls.change(owner, id, { priority: 'high', labels: ['x'], status })).status, 200)
    assert.equal((await calls.call(owner, 'POST', `/${id}/move`, { body: {} })).status, 200)
  })

  test('without an organization is listed to administrators of the tenant alone, and moves with its connection', async () => {
    const [first, second] = [(await orgs.create(owner)).id, (await orgs.create(owner)).id]
    const { boss, send, moveTo } = await connected(null)
    await send(issue())
    const listed = await orgs.call(boss, 'GET', '/tasks?scope=tenant')
    assert.deepEqual(
      listed.body.tasks.map(({ title }: { title: string }) => title),
      ['Write the release notes'],
    )
    assert.equal((await moveTo(first)).status, 200)
    const [before, after] = [taskCalls(app, first), taskCalls(app, second)]
    const [{ id }] = (await before.call(owner, 'GET')).body.tasks
    await before.change(owner, id, { labels: ['first'], description: 'Of the first.' })
    await before.call(owner, 'POST', `/${id}/comments`, { body: { text: 'Between us.' } })
    assert.equal((await moveTo(second)).status, 200)
    assert.deepEqual(await before.titles(owner), [])
    const { task } = (await after.get(owner, id)).body
    assert.deepEqual([task.number, task.labels, task.description], [1, [], ''])
    assert.deepEqual((await after.call(owner, 'GET', `/${id}/comments`)).body.comments, [])
    const unknown = await moveTo(key.id)
    assert.deepEqual([unknown.status, unknown.body.errors[0].path], [400, '/body/orgId'])
  })

  /** Moves the connection as its route does, and says what that took. */
  async function watchedMove(connectionId: string, orgId: string) {
    const events = eventBus()
    const locked: string[] = []
    const batches: number[] = []
    let statements = 0
    const lockAny = (tx: TenantScope, id: string) => {
      locked.push(id)
      return organizationMembers.lockAny(tx, id)
    }
    const members = { ...organizationMembers, lockAny }
    moveWithConnections({ clock: app.clock, events, members, quotas: tenantQuotas(testLimits) })
    for (const name of ['org.tasks.deleted', 'org.tasks.created'] as const)
      events.on(name, async (_, { taskIds }) => {
        batches.push(taskIds.length)
      })
    await transaction(app.scopeOf(key.tenantId), (tx) => {
      const execute: typeof tx.handle.execute = (statement) => {
        statements++
        return tx.handle.execute(statement)
      }
      const counted = { ...tx, handle: { ...tx.handle, execute } }
      const moved = { tenantId: key.tenantId, connectionId, orgId }
      return events.emit(counted, 'webhook.connection.moved', moved)
    })
    return { locked, batches, statements }
  }

  test('moves with all others of its connection at once, in the queues of both organizations', async () => {
    const [first, second] = [(await orgs.create(owner)).id, (await orgs.create(owner)).id]
    const { connection, send } = await connected(first)
    const calls = taskCalls(app, first)
    const labelled = async (ids: number[]) => {
      for (const id of ids) await send(issue({ id: `issue-${id}`, identifier: `ENG-${id}` }))
      for (const { id } of (await calls.call(owner, 'GET', '?limit=100')).body.tasks)
        assert.equal((await calls.change(owner, id, { labels: ['both', 'urgent'] })).status, 200)
    }
    await labelled([1])
    const own = await calls.create(owner, { labels: ['both'] })
    const one = await watchedMove(connection.id, second)
    const back = await watchedMove(connection.id, first)
    assert.deepEqual(
      [one.batches, back.batches],
      [
        [1, 1],
        [1, 1],
      ],
    )
    await labelled([2, 3, 4])
    await calls.change(owner, own.id, { labels: ['both'] })
    const all = await watchedMove(connection.id, second)
    assert.deepEqual([all.batches, all.statements], [[4, 4], one.statements])
    assert.deepEqual(all.locked, [first, second].sort())
    const counts = await many(
      app.platform,
      sql`select label, task_count from task_labels where tenant_id = ${key.tenantId} and org_id = ${first}`,
    )
    assert.deepEqual(counts, [{ label: 'both', task_count: 1 }])
  })

  test('takes along no answer that repeats what its former organization wrote', async () => {
    const [first, second] = [(await orgs.create(owner)).id, (await orgs.create(owner)).id]
    const { send, moveTo } = await connected(first)
    await send(issue())
    const calls = taskCalls(app, first)
    const [{ id }] = (await calls.call(owner, 'GET')).body.tasks
    const headers = { 'idempotency-key': newId(app.clock.now()) }
    const comment = () => calls.call(owner, 'POST', `/${id}/comments`, { body: { text: 'Between us.' }, headers })
    assert.equal((await comment()).status, 201)
    assert.equal((await moveTo(second)).status, 200)
    assert.equal((await comment()).status, 404)
  })

  test('is put on the board that its connection has once the tenant is locked', async () => {
    const [first, second] = [(await orgs.create(owner)).id, (await orgs.create(owner)).id]
    const { connection } = await connected(first)
    const quotas = tenantQuotas(testLimits)
    const lockLimits: typeof quotas.lockLimits = async (tx, userId) => {
      // Whoever had the lock before moved the connection.
      await run(tx, sql`update webhook_connections set org_id = ${second} where id = ${connection.id}`)
      return quotas.lockLimits(tx, userId)
    }
    const { process } = effectsOver(app, { ...quotas, lockLimits })
    await process({ id: key.tenantId }, { connectionId: connection.id, payload: issue() })
    const titles = [await taskCalls(app, first).titles(owner), await taskCalls(app, second).titles(owner)]
    assert.deepEqual(titles, [[], ['Write the release notes']])
  })

  test('is on the board of its connection, however many moves and deliveries race', async () => {
    const [first, second] = [(await orgs.create(owner)).id, (await orgs.create(owner)).id]
    const { send, moveTo } = await connected(first)
    const numbers = Array.from({ length: 12 }, (_, i) => i)
    await Promise.all(
      numbers.flatMap((number) => {
        const delivery = send(issue({ id: `issue-${number}`, identifier: `ENG-${number}` }))
        return number % 4 === 0 ? [moveTo(number % 8 === 0 ? second : first), delivery] : [delivery]
      }),
    )
    const boards = await many(
      app.platform,
      sql`select c.org_id = t.org_id as "isThere", count(*)::int as count from tasks t
        join webhook_connections c on c.tenant_id = t.tenant_id and c.id = t.connection_id
        where t.tenant_id = ${key.tenantId} group by 1`,
    )
    assert.deepEqual(boards, [{ isThere: true, count: numbers.length }])
    const counters = await many(
      app.platform,
      sql`select c.task_count = (select count(*) from tasks t where t.tenant_id = c.tenant_id and t.org_id = c.org_id) as "isRight"
        from task_counters c where c.tenant_id = ${key.tenantId}`,
    )
    assert.deepEqual(counters, [{ isRight: true }, { isRight: true }])
  })

  test('is lost neither with a full board nor with a deleted organization', async () => {
    const limited = await app.tenant({ limits: { maxTasks: 0 } })
    key = await app.apiKey(limited)
    owner = await orgs.person(key)
    const { id: orgId } = await orgs.create(owner)
    const { boss, send } = await connected(orgId)
    const outcome = await send(issue())
    assert.equal(outcome.kind, 'processed')
    assert.equal((await orgs.call(boss, 'GET', '/tasks?scope=tenant')).body.tasks.length, 1)
    assert.equal((await orgs.call(owner, 'DELETE', `/orgs/${orgId}?confirm=Research`)).status, 204)
    const { body } = await app.call({ url: connections, headers: boss.headers })
    assert.equal(body.connections[0].orgId, null)
  })

  test('that was agreed in a meeting stays when the meeting is deleted', async () => {
    const { send } = await connected(null)
    const { id } = await meetingCalls(app).create(owner)
    await send(issue())
    await run(app.platform, sql`update tasks set meeting_id = ${id} where tenant_id = ${key.tenantId}`)
    assert.equal((await meetingCalls(app).remove(owner, id)).status, 204)
    const tasks = await effects.rows('tasks', { id: key.tenantId })
    assert.deepEqual(
      tasks.map((task) => [task['meeting_id'], task['title'], task['assignee_name']]),
      [[null, 'Write the release notes', 'Grace Hopper']],
    )
  })
})
