import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { meetingCalls, said } from '../../../test/harness/meetings.ts'
import { overrideLimit } from '../../../test/harness/usage-limits.ts'
import { many, sql } from '../../storage/query.ts'
import { windowAt } from '../../usage/meters/meter.rules.ts'
import { saveOwnLimit } from '../../usage/own-limits/own-limit.store.ts'

async function meteredUser() {
  const app = await testApp()
  const calls = meetingCalls(app)
  const user = await calls.someone()
  const used = async (meter: string, scope = 'tenant') => {
    const [row] = await many(
      app.platform,
      sql<{ amount: number }>`select amount from usage_counters where tenant_id = ${user.tenantId} and meter = ${meter}
        and span = 'month' and scope = ${scope} order by window_start desc limit 1`,
    )
    return row?.amount ?? 0
  }
  const create = (body = {}) => calls.call(user, 'POST', '', { body: { title: 'Planning', ...body } })
  return { app, calls, user, used, create, limit: overrideLimit.bind(null, app, user.tenantId) }
}

describe('the limit of meetings', () => {
  test('refuses the next one, says which limit it is, and leaves nothing of it', async () => {
    const { app, calls, user, used, create, limit } = await meteredUser()
    await limit('meetings', { hard: 2 })
    const first = await create()
    assert.match(first.headers['ratelimit-policy'] ?? '', /^"default";q=\d+;w=900, "meetings";q=2;w=\d+$/)
    assert.match(first.headers['ratelimit'] ?? '', /, "meetings";r=1;t=\d+$/)
    await create()
    const refused = await create()
    assert.deepEqual([refused.status, refused.body.code], [429, 'USAGE_EXCEEDED'])
    const { from, to } = windowAt(app.clock.now(), 'month')
    assert.deepEqual(refused.body.usage, {
      ...{ meter: 'meetings', used: 2, limit: 2, plan: 'OVERRIDE', scope: 'tenant' },
      window: { from, to, kind: 'month' },
    })
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.match(refused.headers['ratelimit'] ?? '', /, "meetings";r=0;t=\d+$/)
    assert.equal((await calls.call(user, 'GET', '')).body.pagination.total, 2)
    assert.equal(await used('meetings'), 2)
    assert.equal(await used('meetings', 'user'), 2)
  })

  test('counts a request that is repeated under its key once, and a refused one not at all', async () => {
    const { calls, user, used } = await meteredUser()
    const send = (title: string) =>
      calls.call(user, 'POST', '', { body: { title }, headers: { 'idempotency-key': 'once' } })
    assert.deepEqual([(await send('Planning')).status, (await send('Planning')).status], [201, 201])
    assert.equal((await send('Another')).status, 422)
    assert.equal(await used('meetings'), 1)
  })

  test('is exact among many at once', async () => {
    const { used, create, limit } = await meteredUser()
    await limit('meetings', { hard: 5 })
    const replies = await Promise.all(Array.from({ length: 20 }, () => create()))
    assert.equal(replies.filter(({ status }) => status === 201).length, 5)
    assert.equal(await used('meetings'), 5)
  })

  test('is that of the best license, from the request after it was issued, revoked or expired', async () => {
    const { app, user, create } = await meteredUser()
    const license = (body: object) =>
      app.call({
        method: 'POST',
        url: '/vault/v1/licenses',
        headers: app.admin,
        body: { tenantId: user.tenantId, product: 'assistant-ai', ...body },
      })
    const policy = async () => (await create()).headers['ratelimit-policy']?.match(/"meetings";q=(\d+)/)?.[1] ?? null
    assert.equal(await policy(), null)
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const starter = await license({ plan: 'STARTER', expiresAt })
    assert.equal(await policy(), '200')
    const pro = await license({ plan: 'PRO' })
    assert.equal(await policy(), null)
    const key = pro.body.license?.key ?? pro.body.key
    await app.call({ method: 'POST', url: `/vault/v1/licenses/${key}/revoke`, headers: app.admin })
    assert.equal(await policy(), '200')
    app.clock.advance({ seconds: 61 })
    assert.equal(await policy(), '20')
    assert.equal(starter.status, 201)
  })

  test('of an override holds until its end', async () => {
    const { app, used, create, limit } = await meteredUser()
    await limit('meetings', { hard: 1, until: new Date(app.clock.now().getTime() + 60_000) })
    assert.deepEqual([(await create()).status, (await create()).status], [201, 429])
    app.clock.advance({ seconds: 60 })
    assert.equal((await create()).status, 201)
    assert.equal(await used('meetings'), 2)
  })
})

describe('the limit of words', () => {
  test('refuses imports, new meetings with words and the first words of a meeting, but never those of a running one', async () => {
    const { calls, user, used, create, limit } = await meteredUser()
    await limit('transcriptWords', { hard: 4 })
    const { id } = (await create()).body
    assert.equal((await calls.append(user, id, [said('one two three four')])).status, 200)
    assert.equal((await calls.append(user, id, [said('and so on')])).status, 200)
    assert.equal(await used('transcriptWords'), 7)
    const scheduled = (await create()).body.id
    assert.equal((await calls.append(user, scheduled, [said('too late')])).body.code, 'USAGE_EXCEEDED')
    assert.equal((await calls.call(user, 'POST', `/${scheduled}/start`)).body.code, 'USAGE_EXCEEDED')
    assert.equal((await create({ transcript: [said('too late')] })).body.code, 'USAGE_EXCEEDED')
    const imported = await calls.call(user, 'POST', `/${id}/transcript/import?format=json`, {
      body: { entries: [said('too late')] },
    })
    assert.equal(imported.body.code, 'USAGE_EXCEEDED')
    assert.equal((await calls.get(user, id)).body.transcript.length, 2)
    assert.equal((await calls.get(user, scheduled)).body.status, 'scheduled')
    assert.equal(await used('transcriptWords'), 7)
    assert.equal(await used('meetings'), 2)
  })

  test('is announced where a meeting is started, and not where it has begun before', async () => {
    const { calls, user, create, limit } = await meteredUser()
    await limit('transcriptWords', { hard: 4 })
    const { id } = (await create()).body
    const start = async () => (await calls.call(user, 'POST', `/${id}/start`)).headers
    const headers = await start()
    assert.match(headers['ratelimit-policy'] ?? '', /, "transcriptWords";q=4;w=\d+$/)
    assert.match(headers['ratelimit'] ?? '', /, "transcriptWords";r=4;t=\d+$/)
    assert.doesNotMatch((await start())['ratelimit-policy'] ?? '', /transcriptWords/)
  })

  test('of a user refuses the start and the first words of a meeting, and none later', async () => {
    const { app, calls, user, used, create } = await meteredUser()
    const scope = app.scopeOf(user.tenantId)
    const setOwn = (limit: number) =>
      saveOwnLimit(scope, {
        ...{ scope: 'user', id: user.id, meter: 'transcriptWords', limit, updatedAt: app.clock.now() },
      })
    await setOwn(3)
    const [begun, started, scheduled] = [(await create()).body.id, (await create()).body.id, (await create()).body.id]
    for (const id of [begun, started]) assert.equal((await calls.call(user, 'POST', `/${id}/start`)).status, 200)
    assert.equal((await calls.append(user, begun, [said('one two three')])).status, 200)
    const refused = await calls.append(user, started, [said('too late')])
    assert.deepEqual([refused.status, refused.body.code], [429, 'USAGE_EXCEEDED'])
    assert.deepEqual((await calls.get(user, started)).body.transcript, [])
    const notStarted = await calls.call(user, 'POST', `/${scheduled}/start`)
    assert.deepEqual([notStarted.status, notStarted.body.code], [429, 'USAGE_EXCEEDED'])
    assert.equal(notStarted.body.usage.scope, 'user')
    assert.equal((await calls.get(user, scheduled)).body.status, 'scheduled')
    assert.equal((await calls.append(user, begun, [said('and so on')])).status, 200)
    assert.equal(await used('transcriptWords', 'user'), 6)
  })
})
