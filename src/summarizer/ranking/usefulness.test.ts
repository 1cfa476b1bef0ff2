import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarize } from '../summarize.ts'
import type { TranscriptEntry } from '../summary.ts'
import { usefulnessOf } from './usefulness.ts'

const usefulness = (text: string, { language = 'en', isWeak = false } = {}) => {
  const words = text.toLowerCase().split(' ')
  const terms = words.filter((word) => word.length > 6)
  return usefulnessOf({ text, words, terms, likely: 1, readability: isWeak ? 'weak' : 'clear' }, language)
}

const plain = 'The rubber cases for the remote control are cheaper than the titanium ones'
for (const [why, text] of [
  ['tells of the speaker', 'My rubber cases for the remote control are cheaper than the titanium ones'],
  ['tells of the talk', 'The rubber cases are cheaper and we discuss the question of titanium at the next meeting'],
  ['is vague', 'The same things for some remote control are cheaper than those different ones'],
  ['has many pauses', 'The rubber cases, for the remote, control, are cheaper, than the titanium ones'],
  ['is short', 'The rubber cases are cheaper'],
] as const)
  test(`a sentence that ${why} is less useful`, () => assert.ok(usefulness(text) < usefulness(plain)))

test('a sentence that needs its neighbours is less useful', () =>
  assert.ok(usefulness(plain, { isWeak: true }) < usefulness(plain)))

test('a sentence that a reader cannot understand is of no use', () => {
  const words = plain.split(' ')
  assert.equal(usefulnessOf({ text: plain, words, terms: words, likely: 1, readability: 'fragment' }, 'en'), 0)
})

test('a word without end makes no sentence useful', () => {
  const word = 'a'.repeat(100_000)
  assert.ok(usefulness(`We ${word} it`) < usefulness(plain))
})

test('words of another language are not taken for English ones', () => {
  const german = 'In der Halle hat man die neuen Gehäuse geprüft und sie sind billiger'
  const same = 'Bei der Halle wurden alle die neuen Gehäuse geprüft und sie waren billiger'
  assert.equal(usefulness(german, { language: 'de' }), usefulness(same, { language: 'de' }))
  const french = 'On me dit que la nouvelle coque en titane coûte le double de celle'
  assert.notEqual(usefulness(french, { language: 'fr' }), usefulness(french))
})

test('of a long meeting what is useful is quoted, and what is not is left out', () => {
  const idle = 'I think you said something like that about it when we talked.'
  const transcript: TranscriptEntry[] = Array.from({ length: 150 }, (_, i) => ({
    speaker: i % 2 ? 'Ann' : 'Ben',
    text: i === 70 ? `${plain}.` : `${idle.slice(0, -1)} ${i} times.`,
    timestamp: '',
  }))
  for (const mode of ['short', 'detailed'] as const) {
    const { text } = summarize({ title: '', transcript, mode, personality: 'neutral', language: 'en' })
    assert.match(text, /rubber cases/)
    assert.doesNotMatch(text, /\u201cI think you said/)
  }
})
