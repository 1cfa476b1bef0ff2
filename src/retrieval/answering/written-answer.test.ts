import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Passage } from './passage.ts'
import { checkWrittenSentence } from './written-answer.ts'

const passage = (text: string): Passage => ({ text, title: '', headings: [], language: 'en', score: 1 })
const passages = [
  passage('The contract with Orion ends on 14 March 2027. Nobody has called them yet.'),
  passage('The office in Graz has 45 desks.'),
]
const check = (text: string, cited: number[] = [0]) => checkWrittenSentence({ text, passages: cited }, passages)

test('a sentence that its quote bears out is kept with that quote', () => {
  assert.deepEqual(check('The contract with Orion ends on 14 March 2027.'), {
    text: 'The contract with Orion ends on 14 March 2027.',
    quotes: [{ passage: 0, start: 0, end: 46 }],
  })
})

test('invented numbers and citations are refused', () => {
  assert.equal(check('The contract with Orion ends on 15 March 2027.'), null)
  assert.equal(check('The contract with Orion ends on 14 March 2027.', [1]), null)
  assert.equal(check('The contract with Orion ends on 14 March 2027.', [7]), null)
  assert.equal(check('The contract with Orion ends on 14 March 2027.', []), null)
})
