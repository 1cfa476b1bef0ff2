import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BlockType, isBlockKey, readLocale, valueProblem } from './block.rules.ts'

const values: [BlockType, good: unknown[], bad: unknown[]][] = [
  ['text', ['', 'a', '<b>'], [1, null, true, [], {}, 'x'.repeat(20_001)]],
  ['markdown', ['# a'], [1, null, 'x'.repeat(100_001)]],
  ['url', ['/a', 'https://example.com/'], ['javascript:alert(1)', '//x', '', 1, null]],
  ['boolean', [true, false], ['true', 0, null]],
  ['number', [0, -1.5, 1e308], [Number.POSITIVE_INFINITY, '1', null]],
  [
    'json',
    [null, 1, 'a', [], { a: [{ b: null }] }],
    [{ a: [Number.NEGATIVE_INFINITY] }, Number.POSITIVE_INFINITY, { a: 'x'.repeat(100_000) }],
  ],
]
for (const [type, good, bad] of values) {
  test(`a value is one of type ${type} or is refused`, () => {
    for (const value of good) assert.equal(valueProblem(type, value), null, JSON.stringify(value))
    for (const value of bad) assert.notEqual(valueProblem(type, value), null, String(value).slice(0, 40))
  })
}

test('a key is what an address and a program can hold', () => {
  for (const key of ['a', '0', 'home.title', 'a_b-c.d', 'x'.repeat(200)]) assert.ok(isBlockKey(key), key)
  for (const key of ['', '.a', '-a', '_a', 'A', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(201)])
    assert.ok(!isBlockKey(key), key)
})

test('a language tag has one spelling, and what is none is refused', () => {
  const read = Object.fromEntries(['en', 'EN', 'pt-br', 'zh-hant-tw', 'iw'].map((text) => [text, readLocale(text)]))
  assert.deepEqual(read, { en: 'en', EN: 'en', 'pt-br': 'pt-BR', 'zh-hant-tw': 'zh-Hant-TW', iw: 'he' })
  for (const text of ['', 'e', 'en_US', 'en-', '*', '../en', 'x'.repeat(36)]) assert.equal(readLocale(text), null, text)
})
