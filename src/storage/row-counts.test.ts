import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../test/harness/app.ts'
import { run, sql } from './query.ts'
import { foldRowCounts, rowCount, rowCountOfTenants } from './row-counts.ts'
import { transaction } from './scope.ts'

test('a count is exact at any moment: before and after folding, also while others add, remove and fold', async () => {
  const app = await testApp()
  const [tenant, other] = [await app.tenant(), await app.tenant()]
  const license = (of: { id: string }) => app.license(of, { product: 'editing-sdk' })
  const count = () => rowCount(app.platform, 'licenses', tenant.id)
  assert.equal(await count(), 0)
  await Promise.all([
    ...Array.from({ length: 12 }, () => license(tenant)),
    ...Array.from({ length: 4 }, () => license(other)),
    ...Array.from({ length: 4 }, () => foldRowCounts(app.platform)),
  ])
  assert.equal(await count(), 12)
  await foldRowCounts(app.platform)
  assert.equal(await count(), 12)
  await run(app.platform, sql`delete from licenses where tenant_id = ${tenant.id}`)
  assert.equal(await count(), 0)
  await foldRowCounts(app.platform)
  assert.equal(await count(), 0)
  assert.equal(await rowCount(app.platform, 'licenses', other.id), 4)
  assert.equal(await rowCountOfTenants(app.platform, 'licenses', sql`select ${other.id}::uuid`), 4)
})

test('the count of all tenants equals a recount, and rolled-back changes are not counted', async () => {
  const app = await testApp()
  const tenant = await app.tenant()
  await app.license(tenant)
  const undone = transaction(app.platform, async (tx) => {
    await run(tx, sql`delete from licenses where tenant_id = ${tenant.id}`)
    assert.equal(await rowCount(tx, 'licenses', tenant.id), 0)
    throw new Error('undo')
  })
  await assert.rejects(undone, /undo/)
  await foldRowCounts(app.platform)
  for (const table of ['licenses', 'users', 'audit_log', 'meetings'] as const) {
    const recount = sql<{ total: number }>`select count(*) as total from ${sql.raw(table)}`
    const { rows } = await app.platform.handle.execute(recount)
    assert.equal(await rowCount(app.platform, table, null), rows[0]?.total, table)
  }
})
