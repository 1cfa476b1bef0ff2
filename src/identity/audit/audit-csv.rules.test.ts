import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditRecord } from './audit.store.ts'
import { csvRow } from './audit-csv.rules.ts'

const entry: AuditRecord = {
  id: 'id',
  at: new Date('2026-03-01T00:00:00Z'),
  tenantId: null,
  actor: { type: 'ADMIN', id: null, label: 'admin key' },
  action: 'tenant.create',
  target: { type: 'tenant', id: null },
  outcome: 'ALLOWED',
  changes: null,
  ip: null,
  requestId: null,
}
const lineWith = (label: string) => csvRow({ ...entry, actor: { ...entry.actor, label } })

test('an entry is one row, with empty cells for null', () => {
  assert.equal(csvRow(entry), 'id,2026-03-01T00:00:00.000Z,,ADMIN,,admin key,tenant.create,tenant,,ALLOWED,,,\r\n')
})

test('commas, quotes and line breaks are escaped (RFC 4180)', () => {
  for (const [label, cell] of [
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['a\r\nb', '"a\r\nb"'],
    ['a\nb', '"a\nb"'],
    ["it's é ü 漢", "it's é ü 漢"],
  ] as const) {
    assert.ok(lineWith(label).includes(`,${cell},`), label)
  }
  assert.ok(
    csvRow({ ...entry, changes: { name: { from: 'a,b', to: '"' } } }).includes(
      '"{""name"":{""from"":""a,b"",""to"":""\\""""}}"',
    ),
  )
})

test('no cell can be read as a spreadsheet formula', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    const line = lineWith(`${start}HYPERLINK("http://x")`)
    assert.ok(line.includes(`,"'${start}HYPERLINK(""http://x"")",`), JSON.stringify(line))
  }
  assert.ok(lineWith('a=1').includes(',a=1,'))
})
