import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import type { TenantTable } from '../../kernel/tenant-table.ts'
import type { Handle } from '../../storage/handle.ts'
import { run, sql } from '../../storage/query.ts'
import { transaction } from '../../storage/scope.ts'
import { deleteRows } from './tenant-file.store.ts'

test('large rows of an erased tenant are deleted few at a time, because a statement that takes too long is cancelled', async () => {
  const app = await testApp()
  const scope = app.scopeOf((await app.tenant()).id)
  const table: TenantTable = {
    name: 'large_rows',
    inFile: null,
    leftOut: {},
    onErasure: 'DELETED',
    largeColumns: ['body', 'text'],
  }
  await transaction(scope, async (tx) => {
    await run(
      tx,
      sql`create temporary table large_rows on commit drop as
        select ${tx.tenantId}::uuid as tenant_id, null::bytea as body, repeat('x', 5 * 1024 * 1024) as text from generate_series(1, 3)`,
    )
    const deleted: number[] = []
    const execute: Handle['execute'] = async (statement) => {
      const result = await tx.handle.execute(statement)
      deleted.push(result.affected)
      return result
    }
    assert.equal(await deleteRows({ ...tx, handle: { ...tx.handle, execute } }, table), 3)
    assert.deepEqual(deleted, [2, 1, 0])
  })
})
