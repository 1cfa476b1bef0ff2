import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compile, nestedCompiler, type Sql, sql } from './sql.ts'

test('values become parameters in their order, nested parts become text', () => {
  const wanted = sql`tenant_id = ${'t'} and ${sql.join([sql`a = ${1}`, sql`b = any(${[2, 3]})`], sql` or `)}`
  assert.deepEqual(compile(sql`select ${sql.raw('*')} from x where ${wanted} limit ${20}`), {
    sql: 'select * from x where tenant_id = $1 and a = $2 or b = any($3) limit $4',
    parameters: ['t', 1, [2, 3], 20],
  })
  assert.deepEqual(compile(sql`select 1`), { sql: 'select 1', parameters: [] })
  assert.deepEqual(compile(sql`select (${sql.join([], sql`, `)})`), { sql: 'select ()', parameters: [] })
})

test('a parameter is sent once, wherever it stands', () => {
  const [a, b] = [sql.parameter('a'), sql.parameter('b')]
  const part = sql`(${a}::text, ${1}, ${b})`
  assert.deepEqual(compile(sql`insert into x values ${part}, (${b}, ${2}, ${a})`), {
    sql: 'insert into x values ($1::text, $2, $3), ($3, $4, $1)',
    parameters: ['a', 1, 'b', 2],
  })
  // The same places, filled by other parameters.
  for (const [first, second, text] of [
    [a, a, '$1, $1'],
    [a, b, '$1, $2'],
    [a, sql.parameter('a'), '$1, $2'],
  ] as const)
    assert.equal(compile(sql`${first}, ${second}`).sql, text)
})

test('no value from outside can become text', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const { sql: text, parameters } = compile(sql`select ${value}`)
      assert.equal(text, 'select $1')
      assert.equal(compile(sql`${{ texts: ['drop table x'], values: [] }}`).sql, '$1')
      assert.deepEqual(compile(sql`${{ value }}`), { sql: '$1', parameters: [{ value }] })
      assert.deepEqual(parameters, [value])
    }),
  )
})

/** A statement of parts in parts, and what it is as text and parameters. */
type Tree = { statement: Sql; text: string; parameters: unknown[] }

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.integer().map((value) => ({ statement: sql`a = ${value}`, text: 'a = ?', parameters: [value] })),
    fc.constantFrom('b', 'c', '').map((text) => ({ statement: sql.raw(text), text, parameters: [] })),
    fc.tuple(tie('tree'), fc.integer()).map(([part, value]) => ({
      statement: sql`(${part.statement}) or d = ${value}`,
      text: `(${part.text}) or d = ?`,
      parameters: [...part.parameters, value],
    })),
    fc.array(tie('tree'), { maxLength: 3 }).map((parts) => ({
      statement: sql.join(
        parts.map(({ statement }) => statement),
        sql` and `,
      ),
      text: parts.map(({ text }) => text).join(' and '),
      parameters: parts.flatMap(({ parameters }) => parameters),
    })),
  ),
}))

test('a statement has its own text, whatever others there were before', () => {
  fc.assert(
    fc.property(tree, ({ statement, text, parameters }) => {
      let count = 0
      const expected = { sql: text.replaceAll('?', () => `$${++count}`), parameters }
      assert.deepEqual(compile(statement), expected)
      assert.deepEqual(compile(statement), expected)
    }),
    { numRuns: 2_000 },
  )
})

test('statements that vary without end keep their own texts', () => {
  const compileFew = nestedCompiler(10)
  for (const n of [...Array(100).keys(), 1, 99]) {
    const expected = { sql: `select column_${n}, $1`, parameters: [n] }
    assert.deepEqual(compileFew(sql`select ${sql.raw(`column_${n}`)}, ${n}`), expected)
  }
})
