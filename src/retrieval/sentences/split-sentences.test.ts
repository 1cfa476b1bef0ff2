import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { durationRatio } from '../../../test/harness/text-growth.ts'
import type { Language } from '../language/language.ts'
import { splitSentences } from './split-sentences.ts'

const split = (text: string, language: Language = 'en') =>
  splitSentences(text, language).map(({ start, end }) => text.slice(start, end))

test('a sentence ends at its mark, with what closes it, and at an empty line', () => {
  assert.deepEqual(split('Is it late? "Yes." They left! (At last.) Good…'), [
    'Is it late?',
    '"Yes."',
    'They left!',
    '(At last.)',
    'Good…',
  ])
  assert.deepEqual(split('Title\n\nFirst line\nSecond line'), ['Title', 'First line', 'Second line'])
  assert.deepEqual(split('会议推迟了。为什么？因为下雨。', 'zh'), ['会议推迟了。', '为什么？', '因为下雨。'])
  assert.deepEqual(split('क्या हुआ? वह गया। फिर आया।', 'hi').length, 3)
})

test('initials, abbreviations, decimals and ordinals end no sentence', () => {
  for (const text of [
    'Dr. J. P. Morgan of St. Louis paid 3.5 million to the U.S. Army.',
    'It grew, e.g. Vienna and Graz did, by 1.200 a year.',
    'Version 2.1.4 came out at 5 p.m. on Monday.',
  ])
    assert.deepEqual(split(text), [text])
  for (const text of ['Am 3. Oktober kam z. B. Herr Dr. Maier.', 'Das 19. Jahrhundert begann bzw. endete im Krieg.'])
    assert.deepEqual(split(text, 'de'), [text])
  assert.deepEqual(split('They won in the U.S. The team was glad.'), ['They won in the U.S.', 'The team was glad.'])
  assert.deepEqual(split('Es war 1916. Danach kam Frieden.', 'de'), ['Es war 1916.', 'Danach kam Frieden.'])
})

test('a line end within wrapped text ends no sentence', () => {
  const wrapped = 'The committee decided after a long debate that the\nbudget of the next year is to be raised.'
  assert.deepEqual(split(wrapped), [wrapped])
})

test('sentences are in order, at most 500 characters, and together have every letter of the text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 1500 }),
    fc
      .array(fc.constantFrom('a', ' ', '. ', '\n', '语', '。', 'x'.repeat(300), '😀', 'é', 'Dr. '))
      .map((it) => it.join('')),
  )
  fc.assert(
    fc.property(anyText, fc.constantFrom<Language>('en', 'de', 'zh', 'und'), (text, language) => {
      const spans = splitSentences(text, language)
      for (const [i, { start, end }] of spans.entries()) {
        assert.ok(start >= (spans[i - 1]?.end ?? 0) && end > start && end - start <= 500)
      }
      const joined = spans.map(({ start, end }) => text.slice(start, end)).join('')
      assert.equal(joined.replace(/\s/g, ''), text.replace(/\s/g, ''))
    }),
    { numRuns: 300 },
  )
})

test('marks without end are split in linear time', () => {
  for (const marks of ['.', '. ', 'a.', ' ', '\n \n', '"']) {
    const [long, short] = [400_000, 50_000].map((length) => {
      const text = marks.repeat(length / marks.length)
      return () => splitSentences(text, 'en')
    }) as [() => unknown, () => unknown]
    const ratio = durationRatio({ long, short }, 24)
    assert.ok(ratio < 24, `${JSON.stringify(marks)}: ${Math.round(ratio)} times as long for eight times the text`)
  }
})
