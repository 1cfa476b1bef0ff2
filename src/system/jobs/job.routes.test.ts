import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { newId } from '../../kernel/ids.ts'
import { many, sql } from '../../storage/query.ts'

const path = '/v1/platform/admin/jobs'
const secret = unique('secret')

let app: TestApp
let tenantId: string

before(async () => {
  const database = await freshDatabase()
  app = await testApp({ database })
  tenantId = (await app.tenant()).id
  return () => database.close()
})

/** A job as the queue keeps it, in a kind of its own that nobody works on. */
async function aJob({
  kind,
  state,
  retryCount = 0,
}: {
  kind: string
  state: string
  retryCount?: number
}): Promise<string> {
  const id = newId(app.clock.now())
  await many(
    app.platform,
    sql`insert into jobs.job_common (id, name, state, data, group_id, retry_count, retry_limit, started_on, completed_on, output)
      values (${id}, ${kind}, ${state}::jobs.job_state, jsonb_build_object('token', ${secret}::text), ${tenantId}, ${retryCount}, 2,
        case when ${state} <> 'created' then now() end, case when ${state} in ('failed', 'completed') then now() end,
        case when ${retryCount}::int > 0 then '{"message": "no route"}'::jsonb end)`,
  )
  return id
}

async function aKind(): Promise<string> {
  const kind = unique('test.kind')
  await many(app.platform, sql`select jobs.create_queue(${kind}, '{"policy": "standard"}'::jsonb)`)
  return kind
}

const list = async (query: string) => (await app.call({ url: `${path}?${query}`, headers: app.admin })).body
const retry = (url: string, body?: object) =>
  app.call({ method: 'POST', url: `${path}/${url}`, headers: app.admin, ...(body ? { body } : {}) })
const audited = async () =>
  (await app.call({ url: '/admin/audit-logs?action=job.retry', headers: app.admin })).body.pagination.total

describe('administrators', () => {
  test('see the jobs that are not done, by kind and state, and never what they are about', async () => {
    const kind = await aKind()
    const dead = await aJob({ kind, state: 'failed', retryCount: 2 })
    const failed = await aJob({ kind, state: 'retry', retryCount: 1 })
    const active = await aJob({ kind, state: 'active' })
    const queued = await aJob({ kind, state: 'created' })
    await aJob({ kind, state: 'completed' })
    const all = await list(`kind=${kind}`)
    assert.equal(all.pagination.total, 4)
    assert.equal(JSON.stringify(all).includes(secret), false)
    for (const [state, id] of Object.entries({ dead, failed, active, queued })) {
      const { jobs } = await list(`kind=${kind}&state=${state}`)
      assert.deepEqual(
        jobs.map((job: { id: string }) => job.id),
        [id],
      )
    }
    const [job] = (await list(`kind=${kind}&state=dead`)).jobs
    assert.deepEqual(
      {
        kind: job.kind,
        tenantId: job.tenantId,
        attempts: job.attempts,
        attemptsMax: job.attemptsMax,
        error: job.error,
      },
      { kind, tenantId, attempts: 3, attemptsMax: 3, error: 'no route' },
    )
    assert.equal((await list(`kind=${kind}&limit=2&page=2`)).jobs.length, 2)
  })

  test('give a dead job its tries again, once, and it is audited', async () => {
    const kind = await aKind()
    const id = await aJob({ kind, state: 'failed', retryCount: 2 })
    const before = await audited()
    assert.deepEqual((await retry(`${id}/retry`)).body, { job: { id, kind } })
    const [job] = (await list(`kind=${kind}`)).jobs
    assert.deepEqual([job.state, job.attempts, job.diedAt], ['queued', 0, null])
    assert.equal((await retry(`${id}/retry`)).status, 404)
    assert.equal(await audited(), before + 1)
  })

  test('give nothing to a job that is not dead, nor to an unknown id', async () => {
    const kind = await aKind()
    const before = await audited()
    for (const state of ['created', 'retry', 'active', 'completed'])
      assert.equal((await retry(`${await aJob({ kind, state })}/retry`)).status, 404)
    assert.equal((await retry(`${newId(app.clock.now())}/retry`)).status, 404)
    assert.equal(await audited(), before)
  })

  test('give all dead jobs of one kind their tries again, and those of no other', async () => {
    const [kind, other] = [await aKind(), await aKind()]
    for (let index = 0; index < 3; index++) await aJob({ kind, state: 'failed', retryCount: 2 })
    await aJob({ kind: other, state: 'failed' })
    assert.deepEqual((await retry('retry', { kind })).body, { retried: 3 })
    assert.equal((await list(`kind=${kind}&state=queued`)).pagination.total, 3)
    assert.equal((await list(`kind=${other}&state=dead`)).pagination.total, 1)
    assert.deepEqual((await retry('retry', { kind })).body, { retried: 0 })
  })
})
