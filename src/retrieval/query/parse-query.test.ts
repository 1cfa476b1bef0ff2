import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { parseQuery, queryTermsMax } from './parse-query.ts'
import type { Phrase } from './query.ts'

const words = (phrase: Phrase) => phrase.map(({ word }) => word).join(' ')
const read = (text: string) => {
  const { terms, required, excluded, isCut } = parseQuery(text, ['en'])
  return { terms: words(terms), required: required.map((it) => it.map(words)), excluded: excluded.map(words), isCut }
}

test('a query has words, phrases, phrases of which one must stand, and what must not stand', () => {
  assert.deepEqual(read('budget plan'), { terms: 'budget plan', required: [], excluded: [], isCut: false })
  assert.deepEqual(read('budget "next year" -draft'), {
    terms: 'budget next year',
    required: [['next year']],
    excluded: ['draft'],
    isCut: false,
  })
  assert.deepEqual(read('"next year" or "this year" or later').required, [['next year', 'this year', 'later']])
  assert.deepEqual(read('soon or "this year"').required, [['soon', 'this year']])
  assert.deepEqual(read('soon or later').required, [])
  assert.deepEqual(read('-"first draft" e-mail').excluded, ['first draft'])
  assert.deepEqual(read('-"first draft" e-mail').terms, 'e mail')
})

test('any text is a query: it never throws and has at most 32 words', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 700 }),
        fc.array(fc.constantFrom('"', '-', ' or ', 'a b', '語彙', '„', '\ud800')).map((it) => it.join('')),
      ),
      (text) => {
        const { terms, required, excluded } = parseQuery(text, ['en', 'de'])
        assert.ok(terms.length <= queryTermsMax)
        assert.ok([...required.flat(), ...excluded].every((phrase) => phrase.length > 0))
        assert.ok(terms.every(({ forms }) => forms.length > 0 && forms.every((it) => it !== '' && it.length <= 64)))
      },
    ),
    { numRuns: 500 },
  )
})

test('a query with too many words says so', () => {
  const { terms, isCut } = parseQuery(Array.from({ length: 40 }, (_, i) => `word${i}`).join(' '), ['en'])
  assert.equal(terms.length, queryTermsMax)
  assert.equal(isCut, true)
})
