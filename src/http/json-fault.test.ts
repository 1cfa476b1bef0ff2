import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeJsonFault, firstInvalidByte } from './json-fault.ts'

test('the place where a text stops being JSON is told by line and column, with what was expected there', () => {
  const cases: [text: string, told: string][] = [
    ['{', 'line 1, column 2, where the body ends: expected a name in double quotes or "}"'],
    ['  ', 'line 1, column 3, where the body ends: expected a value'],
    ['{"a":1,}', 'line 1, column 8: expected a name in double quotes'],
    ["{'a':1}", 'line 1, column 2: expected a name in double quotes or "}"'],
    ['{"a" 1}', 'line 1, column 6: expected ":"'],
    ['{"a":}', 'line 1, column 6: expected a value'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: expected "," or "}"'],
    ['[1 2]', 'line 1, column 4: expected "," or "]"'],
    ['[1,]', 'line 1, column 4: expected a value'],
    ['[,]', 'line 1, column 2: expected a value or "]"'],
    ['[1}', 'line 1, column 3: expected "," or "]"'],
    ['{"a":[{}]]', 'line 1, column 10: expected "," or "}"'],
    ['{} {}', 'line 1, column 4: expected the end of the body'],
    ['undefined', 'line 1, column 1: expected a value'],
    ['01', 'line 1, column 2: expected the end of the body'],
    ['{"a":1e}', 'line 1, column 7: expected "," or "}"'],
    ['[NaN]', 'line 1, column 2: expected a value or "]"'],
    ['"a\nb"', 'line 1, column 3: expected an escape such as \\n in place of a control character'],
    ['["\\x41"]', 'line 1, column 3: expected an escape of JSON, such as \\n, \\" or \\u00e9'],
    ['["\\u12g4"]', 'line 1, column 3: expected an escape of JSON, such as \\n, \\" or \\u00e9'],
    ['{"a":"b', 'line 1, column 8, where the body ends: expected a closing double quote'],
  ]
  for (const [text, told] of cases) assert.equal(describeJsonFault(text), told, text)
})

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('a fault is found in exactly the texts that are not JSON', () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.nat(3), fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '\\', '1', 'e', '-'))
    .map(([text, seed, cut, added]) => {
      const at = seed % (text.length + 1)
      return text.slice(0, at) + added + text.slice(at + cut)
    })
  fc.assert(
    fc.property(damaged, (text) => {
      assert.equal(describeJsonFault(text) === null, isJson(text))
    }),
    { numRuns: 2000 },
  )
})

test('the first byte that is no UTF-8 is found, also after a replacement character that was sent', () => {
  assert.equal(firstInvalidByte(Buffer.from('{"ä":"\ufffd"}')), null)
  assert.equal(firstInvalidByte(Buffer.from([0x22, 0xff, 0x22])), 1)
  assert.equal(firstInvalidByte(Buffer.concat([Buffer.from('\ufeff"ä\ufffd'), Buffer.from([0xc3])])), 9)
})
