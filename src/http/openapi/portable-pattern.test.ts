import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { portablePattern } from './portable-pattern.ts'

const lastCodePoint = 0x10ffff

describe('a pattern for any engine', () => {
  for (const property of ['Cc', 'Zl', 'Zp']) {
    test(`has exactly the characters of \\p{${property}} as ranges, inside a class and outside`, () => {
      const exact = new RegExp(`^\\p{${property}}$`, 'u')
      const outside = new RegExp(portablePattern(`^\\p{${property}}$`), 'u')
      const inside = new RegExp(portablePattern(`^[\\p{${property}}]$`), 'u')
      const negated = new RegExp(portablePattern(`^[^\\p{${property}}]$`), 'u')
      for (let code = 0; code <= lastCodePoint; code++) {
        const character = String.fromCodePoint(code)
        const isIn = exact.test(character)
        if (outside.test(character) !== isIn || inside.test(character) !== isIn || negated.test(character) === isIn)
          assert.fail(`U+${code.toString(16)}`)
      }
    })
  }

  test('matches what the declared pattern matches, with the flag u and without it', () => {
    const lineEnds = fc.constantFrom(
      '\u0000',
      '\u001f',
      '\u007f',
      '\u009f',
      '\u00a0',
      '\u2028',
      '\u2029',
      '\u202e',
      ' ',
    )
    const text = fc.array(fc.oneof(lineEnds, fc.string({ unit: anyCharacter, maxLength: 3 })), { maxLength: 4 })
    for (const pattern of [
      '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$',
      '^[^\\p{Cc}\\p{Zl}\\p{Zp}\\u202a-\\u202e]+$',
      '^\\p{Cc}?\\[\\p{Zl}\\]?x$',
    ]) {
      const declared = new RegExp(pattern, 'u')
      const portable = portablePattern(pattern)
      assert.doesNotMatch(portable, /\\p/)
      fc.assert(
        fc.property(text, (parts) => {
          const whole = parts.join('')
          assert.equal(new RegExp(portable, 'u').test(whole), declared.test(whole))
          assert.equal(new RegExp(portable).test(whole), declared.test(whole))
        }),
      )
    }
  })

  test('is the declared one if it uses no property', () => {
    for (const pattern of ['^[a-z0-9]+(?:-[a-z0-9]+)*$', '\\S', '^\\\\p[{]Cc}$', '^[^\\s@]+@[^\\s@]+$'])
      assert.equal(portablePattern(pattern), pattern)
  })

  test('is not made from a property whose ranges are not listed', () => {
    assert.throws(() => portablePattern('^\\p{L}+$'), /\\p\{L\}/)
  })
})
