import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarize } from '../summarize.ts'
import type { TranscriptEntry } from '../summary.ts'
import { usefulnessOf } from './usefulness.ts'

const usefulness = (text: string, language = 'en') =>
  usefulnessOf({ text, words: text.split(' ') }, { topical: 4, likely: 1, readability: 'clear', language })

const plain = 'The rubber cases for the remote control are cheaper than the titanium ones'
for (const [why, text] of [
  ['tells of the speaker', 'I like the rubber cases for the remote control and my own is titanium'],
  ['speaks to a listener', 'You have the rubber cases for your remote control and the titanium ones'],
  ['tells of the talk', 'The rubber cases for the remote control are a question to discuss at the meeting'],
  ['begins anew', 'The rubber cases we need for the remote control they are cheaper than titanium'],
  ['is short', 'The rubber cases are cheaper'],
] as const)
  test(`a sentence that ${why} is less useful`, () => assert.ok(usefulness(text) < usefulness(plain)))

test('a sentence that a reader cannot understand is of no use', () =>
  assert.equal(
    usefulnessOf(
      { text: plain, words: plain.split(' ') },
      { topical: 4, likely: 1, readability: 'fragment', language: 'en' },
    ),
    0,
  ))

test('words of another language are not taken for English ones', () => {
  const german = 'In der Halle hat man die neuen Gehäuse geprüft und sie sind billiger'
  const same = 'Bei der Halle wurden alle die neuen Gehäuse geprüft und sie waren billiger'
  assert.equal(usefulness(german, 'de'), usefulness(same, 'de'))
  const french = 'On me dit que la nouvelle coque en titane coûte le double de celle'
  assert.ok(usefulness(french, 'fr') > usefulness(french, 'en'))
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
