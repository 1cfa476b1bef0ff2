import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compile, sql } from './sql.ts'

test('values become parameters in their order, nested parts become text', () => {
  const wanted = sql`tenant_id = ${'t'} and ${sql.join([sql`a = ${1}`, sql`b = any(${[2, 3]})`], sql` or `)}`
  assert.deepEqual(compile(sql`select ${sql.raw('*')} from x where ${wanted} limit ${20}`), {
    sql: 'select * from x where tenant_id = $1 and a = $2 or b = any($3) limit $4',
    parameters: ['t', 1, [2, 3], 20],
  })
  assert.deepEqual(compile(sql`select 1`), { sql: 'select 1', parameters: [] })
  assert.deepEqual(compile(sql`select (${sql.join([], sql`, `)})`), { sql: 'select ()', parameters: [] })
})

test('no value from outside can become text', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const { sql: text, parameters } = compile(sql`select ${value}`)
      assert.equal(text, 'select $1')
      assert.equal(compile(sql`${{ texts: ['drop table x'], values: [] }}`).sql, '$1')
      assert.deepEqual(parameters, [value])
    }),
  )
})
