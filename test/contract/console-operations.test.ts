// The console can do what the API can, or says why not.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { adminTable } from '../../sdk/src/generated/admin-table.ts'
import { parseTable } from '../../sdk/src/operation-table.ts'
import { notInConsole } from './console-operations.ts'

const sources = fileURLToPath(new URL('../../console/src/**/*.{ts,tsx}', import.meta.url))

function usedOperations(): Set<string> {
  const { groups } = parseTable(adminTable)
  const used = new Set<string>()
  for (const file of globSync(sources)) {
    const text = readFileSync(file, 'utf8')
    for (const [, group = '', method = ''] of text.matchAll(/\batrium(?:Poll)?\.(\w+)\.(\w+)/g)) {
      const operation = groups.get(group)?.get(method)
      if (operation) used.add(operation.id)
    }
    for (const [, id = ''] of text.matchAll(/\batrium(?:Poll)?\.call\('(\w+)'/g)) used.add(id)
  }
  return used
}

test('each operation of administrators is used by the console, or stands in a list that may only shrink', () => {
  const used = usedOperations()
  const listed = new Set(Object.values(notInConsole).flat())
  const all = [...parseTable(adminTable).operations.keys()]
  assert.ok(used.size > 50, 'the sources were read')
  assert.deepEqual(
    all.filter((id) => !used.has(id) && !listed.has(id)),
    [],
    'add these to a screen of the console, or to test/contract/console-operations.ts with the reason',
  )
  assert.deepEqual(
    [...listed].filter((id) => used.has(id) || !all.includes(id)),
    [],
    'take these out of test/contract/console-operations.ts: the console uses them, or they are gone',
  )
})
