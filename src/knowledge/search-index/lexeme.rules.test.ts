import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { many, sql } from '../../storage/query.ts'
import { anyOf, countPositions, lexemePrefix, tsVectorText } from './lexeme.rules.ts'

describe('a term in the index', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })

  const term = fc.oneof(
    fc
      .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
      .filter((it) => !/[\s\0]/u.test(it) && it.isWellFormed()),
    fc.constantFrom("'", "''", '\\', "\\'", ':', ':*', '&', '|', '!', '<->', '(', "a'b", "b'", "'b", 'a:1', 'A', '1'),
  )

  test('is stored as it is, found, and counted as often as it stands there, whatever its letters are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(term, { minLength: 1, maxLength: 8 }), async (terms) => {
        const prefix = lexemePrefix('0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57')
        const positions = new Map(terms.map((it, index) => [it, Array.from({ length: index + 1 }, (_, i) => i + 1)]))
        const vector = tsVectorText(prefix, positions)
        const lexemes = terms.map((it) => prefix + it)
        const [stored] = await many(
          app.platform,
          sql<{ vector: string; lexemes: string[]; isFound: boolean; isOther: boolean }>`select v.t::text as vector,
              tsvector_to_array(v.t) as lexemes, v.t @@ ${anyOf(lexemes.slice(-1))}::tsquery as "isFound",
              v.t @@ ${anyOf(['zzz never'])}::tsquery as "isOther"
            from (select ${vector}::tsvector as t) as v`,
        )
        assert.ok(stored)
        assert.deepEqual(stored.lexemes.toSorted(), lexemes.toSorted())
        assert.deepEqual([stored.isFound, stored.isOther], [true, false])
        assert.deepEqual(countPositions(stored.vector, [...lexemes, `${prefix}absent`]), [
          ...terms.map((_, index) => index + 1),
          terms.includes('absent') ? 1 : 0,
        ])
      }),
      { numRuns: 200 },
    )
  })
})
