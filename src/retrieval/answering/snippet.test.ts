import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { questionTerms } from '../query/query-terms.ts'
import { snippet } from './snippet.ts'

test('a snippet shows the part with most words of the query, and marks them', () => {
  const text = `${'Nothing of interest is said here. '.repeat(20)}The budget was cut in spring. ${'More words. '.repeat(60)}`
  const { start, end, marks } = snippet(text, { terms: questionTerms('budget cuts', ['en']), language: 'en' })
  assert.deepEqual(
    marks.map(([from, to]) => text.slice(from, to)),
    ['budget', 'cut'],
  )
  assert.ok(start < (marks[0]?.[0] ?? 0) && end - start <= 300)
})

test('any text has a snippet of at most 300 characters with its marks inside it', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 1200 }), fc.string({ maxLength: 40 }), (text, words) => {
      const terms = questionTerms(`${words} ${text.slice(100, 140)}`, ['und'])
      const { start, end, marks } = snippet(text, { terms, language: 'und' })
      assert.ok(start >= 0 && start <= end && end <= text.length && end - start <= 300)
      for (const [i, [from, to]] of marks.entries())
        assert.ok(from >= (marks[i - 1]?.[1] ?? start) && to > from && to <= end)
    }),
    { numRuns: 300 },
  )
})
