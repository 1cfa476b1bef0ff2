import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseStatus, parseType, parseWordList, productStatuses, productTypes } from './product-vocabulary.rules.ts'

const aliases = {
  development: 'COMING_SOON',
  'in-development': 'COMING_SOON',
  dev: 'COMING_SOON',
  alpha: 'BETA',
  preview: 'BETA',
  published: 'LIVE',
  active: 'LIVE',
  retired: 'DEPRECATED',
  sunset: 'DEPRECATED',
}

/** Spellings of a word: any letter case, spaces or hyphens in place of underscores, and spaces around it. */
function spellingsOf(word: string): fc.Arbitrary<string> {
  const letters = [...word].map((letter) =>
    /[_ -]/.test(letter)
      ? fc.constantFrom('_', ' ', '-', ' - ')
      : fc.constantFrom(letter.toLowerCase(), letter.toUpperCase()),
  )
  const padding = fc.constantFrom('', ' ', '  ')
  return fc.tuple(padding, padding, ...letters).map(([before, after, ...parts]) => before + parts.join('') + after)
}

const statuses = [...productStatuses.map((word) => [word, word] as const), ...Object.entries(aliases)]

describe('the words for types and statuses', () => {
  test('a status is parsed in any letter case and spelling, and its original spelling is kept', () => {
    const sent = fc
      .constantFrom(...statuses)
      .chain(([word, stored]) => spellingsOf(word).map((spelling) => ({ spelling, stored })))
    fc.assert(
      fc.property(sent, ({ spelling, stored }) => {
        const { word, label } = parseStatus(spelling, '/body/status')
        assert.equal(word, stored)
        assert.equal(label ?? word, spelling.trim())
      }),
    )
  })

  test('a type is parsed the same way, and a service stays a service', () => {
    const sent = fc
      .constantFrom(...productTypes)
      .chain((word) => spellingsOf(word).map((spelling) => ({ spelling, word })))
    fc.assert(fc.property(sent, ({ spelling, word }) => assert.equal(parseType(spelling, '/body/type').word, word)))
    assert.deepEqual(parseType('service', '/body/type'), { word: 'SERVICE', label: 'service' })
    assert.deepEqual(parseType('SDK', '/body/type'), { word: 'SDK', label: null })
  })

  test('any other word is refused, with the accepted words and the closest one', () => {
    const plain = (word: string) => word.trim().toUpperCase().replace(/[ -]+/g, '_')
    const known = new Set(statuses.map(([word]) => plain(word)))
    const unknown = fc.string({ unit: 'grapheme', maxLength: 32 }).filter((word) => !known.has(plain(word)))
    fc.assert(
      fc.property(unknown, (word) => {
        assert.throws(
          () => parseStatus(word, '/body/status'),
          ({ code, options }) =>
            code === 'VALIDATION_ERROR' &&
            options.errors[0].path === '/body/status' &&
            productStatuses.every((status) => options.errors[0].message.includes(status)),
        )
      }),
    )
    for (const [word, near] of [
      ['lvie', 'LIVE'],
      ['betta', 'BETA'],
      ['depreciated', 'DEPRECATED'],
      ['constructor', ''],
      ['__proto__', ''],
      ['ſunset', ''], // a letter whose upper case is S
    ] as const) {
      assert.throws(() => parseStatus(word, '/body/status'), new RegExp(`the closest is ${near}`), word)
    }
    assert.throws(
      () => parseType('toaster', '/query/type'),
      /must be one of SDK, API, APP, SERVICE, in any letter case/,
    )
  })

  test('a filter takes several words separated by commas, each once', () => {
    assert.deepEqual(parseWordList('app, sdk,APP', '/query/type', parseType), ['APP', 'SDK'])
    assert.throws(() => parseWordList('app,', '/query/type', parseType), /must be one of/)
  })
})
