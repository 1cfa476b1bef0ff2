import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import type { Language } from '../language/language.ts'
import { indexTerms, positionMax } from './index-terms.ts'

const terms = (text: string, language: Language = 'en') => [
  ...indexTerms({ title: '', headings: [], text, language }).terms.keys(),
]

test('words of a language are found in each of their forms', () => {
  assert.deepEqual(terms('decided decides Decide'), ['decid'])
  assert.deepEqual(terms('Häuser Hauses haus', 'de'), ['haus'])
  assert.deepEqual(terms('élections élection', 'fr'), ['elect'])
  assert.deepEqual(terms('Straße STRASSE', 'de'), ['strass'])
})

test('numbers have one spelling, and codes and dates are kept', () => {
  assert.deepEqual(terms('1,200.50 1.200,50 3,5 12.03.2020 COVID-19 A4'), [
    '1200.50',
    '3.5',
    '12',
    '03',
    '2020',
    'covid',
    '19',
    'a4',
  ])
})

test('scripts without spaces are indexed as overlapping pairs of letters', () => {
  assert.deepEqual(terms('机器学习', 'zh'), ['机器', '器学', '学习'])
  assert.deepEqual(terms('iPhone手机', 'zh'), ['iphone', '手机'])
  assert.deepEqual(terms('水', 'zh'), ['水'])
})

test('no phrase goes on from a title into the text, and the title counts', () => {
  const { terms, length } = indexTerms({ title: 'Plan', headings: ['Cost'], text: 'Plan of the year', language: 'en' })
  const [first, second] = terms.get('plan') ?? []
  assert.equal(first, 1)
  assert.ok((second ?? 0) > 10)
  assert.equal(length, 6)
})

test('any text has terms of 1 to 64 characters at rising positions up to what PostgreSQL keeps', () => {
  const languages: Language[] = ['en', 'de', 'fr', 'ru', 'ar', 'hi', 'tr', 'zh', 'und']
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 1200 }), fc.constantFrom(...languages), (text, language) => {
      for (const [term, positions] of indexTerms({ title: text, headings: [text], text, language }).terms) {
        assert.ok(term.length >= 1 && term.length <= 64)
        assert.ok(positions.every((it, i) => it > (positions[i - 1] ?? 0) && it <= positionMax))
      }
    }),
    { numRuns: 300 },
  )
})
