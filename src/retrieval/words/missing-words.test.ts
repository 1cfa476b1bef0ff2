import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingWords } from './missing-words.ts'

test('words of other texts are missing where no word of the text has their stem, each once', () => {
  const text = 'We will postpone it to May.'
  const others = ['The team postponed the launch.', 'Ada said that the launches wait.']
  assert.deepEqual(missingWords(others, text, 'en'), ['The', 'team', 'launch', 'Ada', 'said', 'that', 'wait'])
  assert.deepEqual(missingWords([], text, 'en'), [])
})

test('no more than 200 words are missing', () => {
  const many = Array.from({ length: 500 }, (_, n) => `word${n}`).join(' ')
  assert.equal(missingWords([many], 'none of them', 'en').length, 200)
})
