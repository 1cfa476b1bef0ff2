import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/harness/any-character.ts'
import { BadBackup, type Manifest, type Part, type Row, readParts, tally, toLine } from './format.ts'

const manifest: Manifest = {
  atrium: 'backup',
  format: 1,
  version: '0.0.0',
  createdAt: '2026-01-01T00:00:00.000Z',
  database: 'pglite',
  migrations: [],
  masterKeyCheck: 'x',
}

// Any text that PostgreSQL can hold: no NUL.
const value = fc.option(fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\0', '')))
const rowsOfTwo = fc.array(fc.tuple(value, value) as fc.Arbitrary<Row>, { maxLength: 20 })

function linesOf(rows: Row[]): string[] {
  const counted = tally()
  for (const row of rows) counted.add(toLine(row))
  return [
    toLine(manifest),
    toLine({ table: 'notes', columns: ['id', 'text'] }),
    ...rows.map(toLine),
    toLine({ sequence: 'numbers', value: '9007199254740993', isCalled: true }),
    toLine({ end: { tables: { notes: counted.result() } } }),
  ]
}

async function read(lines: string[]): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of readParts(streamOf(lines))) parts.push(part)
  return parts
}

async function* streamOf(lines: string[]): AsyncGenerator<string> {
  yield* lines
}

test('any rows come back as they were written', async () => {
  await fc.assert(
    fc.asyncProperty(rowsOfTwo, async (rows) => {
      const lines = linesOf(rows)
      assert.ok(lines.every((line) => !line.includes('\n')))
      const parts = await read(lines)
      assert.deepEqual(
        parts.flatMap((part) => (part.kind === 'row' ? [part.row] : [])),
        rows,
      )
      assert.deepEqual(parts.at(-2), {
        kind: 'sequence',
        sequence: { sequence: 'numbers', value: '9007199254740993', isCalled: true },
      })
    }),
  )
})

test('a table hashes the same in whatever order its rows come, and differently with any other row', () => {
  const sumOf = (rows: Row[]) => {
    const counted = tally()
    for (const row of rows) counted.add(toLine(row))
    return counted.result()
  }
  fc.assert(
    fc.property(rowsOfTwo, rowsOfTwo, (some, others) => {
      assert.deepEqual(sumOf([...some, ...others]), sumOf([...others, ...some].reverse()))
      assert.notDeepEqual(sumOf([...some, ['a', null]]), sumOf([...some, ['a', '']]))
    }),
  )
  assert.notDeepEqual(
    sumOf([['a', 'b']]),
    sumOf([
      ['a', 'b'],
      ['a', 'b'],
    ]),
  )
})

const rows: Row[] = [
  ['1', 'one'],
  ['2', null],
]
const good = linesOf(rows)

const faults: [what: string, lines: string[], says: RegExp][] = [
  ['without a beginning', good.slice(1), /Line 1 is a table/],
  ['with two beginnings', [good[0] as string, ...good], /Line 2 is a manifest/],
  ['without an end', good.slice(0, -1), /before its end/],
  ['with something after its end', [...good, toLine(['1', 'one'])], /after the end/],
  ['with a row too few', good.toSpliced(2, 1), /notes has 1 rows instead of 2/],
  ['with a row too many', good.toSpliced(2, 0, toLine(['3', ''])), /notes has 3 rows instead of 2/],
  ['with another value', good.toSpliced(2, 1, toLine(['1', 'won'])), /rows of the table notes were changed/],
  ['with a value too few', good.toSpliced(2, 1, toLine(['1'])), /Line 3 is no row/],
  ['with a row before any table', good.toSpliced(1, 0, toLine(['1', 'one'])), /Line 2 is no row/],
  [
    'with a table that its end does not know',
    good.toSpliced(2, 0, toLine({ table: 'others', columns: ['a', 'b'] })),
    /not expected|rows/,
  ],
  ['without a table that its end knows', [good[0] as string, good.at(-1) as string], /notes is missing/],
  ['with one table twice', good.toSpliced(2, 0, good[1] as string), /notes is in it twice/],
  ['with a line that is no JSON', good.toSpliced(2, 1, '["1"'), /Line 3 cannot be read/],
  ['with a line that says nothing', good.toSpliced(2, 1, 'null'), /Line 3 is no part/],
  [
    'of another format',
    [toLine({ ...manifest, format: 2, version: '9.9.9' }), ...good.slice(1)],
    /format 2 of version 9.9.9/,
  ],
]

for (const [what, lines, says] of faults) {
  test(`a backup ${what} is refused, saying so`, async () => {
    await assert.rejects(read(lines), (error: Error) => {
      assert.ok(error instanceof BadBackup)
      assert.match(error.message, says)
      return true
    })
  })
}
