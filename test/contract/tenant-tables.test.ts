import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../harness/app.ts'
import { allColumns, type Column } from '../harness/tables.ts'

/** Rows that name a tenant and are none of its data: add one only with a reason. */
const notOfTenants = new Set([
  'row_counts', // how many rows of other tables: an erased tenant's go down to none
  'row_count_changes',
])

describe('what the capabilities say of their tables', () => {
  let app: TestApp
  let columns: Column[]
  before(async () => {
    app = await testApp()
    columns = await allColumns(app.platform)
  })

  test('every table with rows of tenants is declared, so that none is missing from a file or outlives an erasure', () => {
    const withTenant = columns.filter(({ column }) => column === 'tenant_id').map(({ table }) => table)
    const declared = app.app.tenantTables.map(({ name }) => name)
    assert.equal(new Set(declared).size, declared.length, 'a table is declared twice')
    assert.deepEqual(declared.toSorted(), withTenant.filter((table) => !notOfTenants.has(table)).toSorted())
  })

  test('every column of them is in the file or left out for a reason', () => {
    for (const { name, inFile, leftOut } of app.app.tenantTables) {
      for (const [column, reason] of Object.entries(leftOut)) assert.ok(reason.length > 10, `${name}.${column}`)
      if (inFile === null) {
        assert.ok(leftOut['*'], name)
        continue
      }
      const opened = (inFile.opened ?? []).map(({ column }) => column)
      const declared = ['tenant_id', ...inFile.columns, ...opened, ...Object.keys(leftOut)]
      const existing = columns.filter(({ table }) => table === name).map(({ column }) => column)
      assert.deepEqual(declared.toSorted(), existing.toSorted(), name)
      for (const column of inFile.key) assert.ok(inFile.columns.includes(column), `${name} is ordered by ${column}`)
      for (const column of inFile.columns) assert.doesNotMatch(column, /hash|sealed/, name)
    }
  })
})
