import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visiblePattern } from './schemas.ts'

test('a visible text is one that is not only spaces and has no excluded character, for every character', () => {
  const pattern = new RegExp(visiblePattern('\\p{Cc}', '\\u2028\\u2029'), 'u')
  const lines = new RegExp(visiblePattern('\\p{Cc}\\p{Zl}\\p{Zp}'), 'u')
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code)
    const isControl = /\p{Cc}/u.test(character)
    const isLineEnd = /[\u2028\u2029]/.test(character)
    const what = code.toString(16)
    assert.equal(pattern.test(character), !isControl && !/\s/.test(character), what)
    assert.equal(pattern.test(`${character} a`), !isControl, what)
    assert.equal(lines.test(`${character} a`), !isControl && !isLineEnd, what)
    assert.equal(lines.test(`a${character}`), !isControl && !isLineEnd, what)
  }
  assert.ok(!pattern.test('') && !pattern.test(' \u3000 ') && pattern.test(' a b '))
})
