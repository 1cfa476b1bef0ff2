import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../test/harness/app.ts'
import { arrayText } from './array-text.ts'
import { one, sql } from './query.ts'

test('an array arrives unchanged, whatever its texts hold', async () => {
  const { platform } = await testApp()
  const texts = [
    'plain',
    '',
    ' ',
    'null',
    'NULL',
    'Null ',
    null,
    'a,b',
    '{}',
    '{',
    '"',
    '\\',
    '\\"',
    "'",
    'é漢',
    'a\nb\t',
    '\\x00',
  ]
  const { back } = await one(platform, sql<{ back: unknown[] }>`select ${arrayText(texts)}::text[] as back`)
  assert.deepEqual(back, texts)
  const { numbers, flags, none } = await one(
    platform,
    sql<{
      numbers: unknown[]
      flags: unknown[]
      none: unknown[]
    }>`select ${arrayText([1, -2.5, null])}::float8[] as numbers,
      ${arrayText([true, false])}::boolean[] as flags, ${arrayText([])}::text[] as none`,
  )
  assert.deepEqual([numbers, flags, none], [[1, -2.5, null], [true, false], []])
})
