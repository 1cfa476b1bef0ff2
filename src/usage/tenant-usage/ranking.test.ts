import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { meteringService } from '../meters/metering.service.ts'

// Other tests count in this window, too: more than they ever do.
const base = 1_000_000_000

test('administrators see who uses most, with the limits, and who is over a share of the limit', async () => {
  const app = await testApp()
  const metering = meteringService({
    clock: app.clock,
    planOf: () => sql<string | null>`null::text`,
    planEndOf: () => sql`null::timestamptz`,
    tellReached: async () => undefined,
  })
  const tenantWith = async (amount: number, limit: number | null) => {
    const { id } = await app.tenant()
    await transaction(app.scopeOf(id), (tx) => metering.count(tx, { amounts: { botMinutes: base + amount } }))
    if (limit !== null)
      await run(
        app.platform,
        sql`insert into usage_overrides (tenant_id, meter, hard, reason, updated_at)
          values (${id}, 'botMinutes', ${limit}, 'test', ${app.clock.now()})`,
      )
    return id
  }
  const second = await tenantWith(2, 2 * base)
  const first = await tenantWith(3, null)
  const third = await tenantWith(1, base)
  const rank = async (query: string) => {
    const url = `/admin/usage?meter=botMinutes&groupBy=tenant&sort=amount${query}`
    const { status, body } = await app.call({ url, headers: app.admin })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const { usage, window } = await rank('&limit=3')
  assert.deepEqual(
    usage.map(({ tenantId, amount, limit }: Record<string, unknown>) => [tenantId, amount, limit]),
    [
      [first, base + 3, null],
      [second, base + 2, 2 * base],
      [third, base + 1, base],
    ],
  )
  assert.equal(window.kind, 'month')
  assert.deepEqual(
    (await rank('&limit=1&page=2')).usage.map(({ tenantId }: { tenantId: string }) => tenantId),
    [second],
  )
  const over = async (percent: number) =>
    (await rank(`&over=${percent}&limit=100`)).usage
      .map(({ tenantId }: { tenantId: string }) => tenantId)
      .filter((id: string) => [first, second, third].includes(id))
  assert.deepEqual([await over(80), await over(40)], [[third], [second, third]])
})

test('tenants are listed by what they store, with the lower of their limits', async () => {
  const app = await testApp()
  const storing = async (documents: number, own: number | null) => {
    const { id } = await app.tenant()
    await run(
      app.platform,
      sql`insert into tenant_storage (tenant_id, mail_bytes, document_bytes, document_count) values (${id}, 1, 2, ${base + documents})`,
    )
    await run(
      app.platform,
      sql`insert into usage_overrides (tenant_id, meter, hard, reason, updated_at)
        values (${id}, 'documents', ${base * 2}, 'test', ${app.clock.now()})`,
    )
    const limits = JSON.stringify({ maxDocuments: own })
    await run(app.platform, sql`update tenants set limits = ${limits}::jsonb where id = ${id}`)
    return id
  }
  const [less, more] = [await storing(1, null), await storing(2, base + 2)]
  const list = async (query: string) => {
    const { status, body } = await app.call({ url: `/admin/usage?${query}`, headers: app.admin })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const { window, usage } = await list('meter=documents&limit=2')
  assert.equal(window, null)
  assert.deepEqual(
    usage.map(({ tenantId, amount, limit }: Record<string, unknown>) => [tenantId, amount, limit]),
    [
      [more, base + 2, base + 2],
      [less, base + 1, base * 2],
    ],
  )
  const over = (await list('meter=documents&over=80&limit=100')).usage.map(
    ({ tenantId }: { tenantId: string }) => tenantId,
  )
  assert.deepEqual([over.includes(more), over.includes(less)], [true, false])
})
