import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readabilityOf } from '../ranking/readability.ts'
import { readRecord } from './meeting-record.ts'
import { splitSentences } from './sentences.ts'

const reading = { language: 'en', isPunctuated: true, hasEndMarks: true }
const read = (text: string) => splitSentences(text, reading).map(({ text, isCut, spans }) => ({ text, isCut, spans }))

test('a sentence that the speaker broke off is known to be cut, and keeps what was said between the breaks', () => {
  assert.deepEqual(read('I wi {disfmarker} I will call the factory .'), [
    { text: 'I wi I will call the factory', isCut: false, spans: ['I wi', 'I will call the factory'] },
  ])
  for (const text of ['We need the {disfmarker}', 'We need the [inaudible]', 'We need the\u2014', 'We need the'])
    assert.deepEqual(read(text), [{ text: 'We need the', isCut: true, spans: [] }])
})

test('where few entries have an end mark, a missing one does not cut a sentence', () => {
  const entry = {
    speaker: 'Ann',
    text: 'the factory delivers all new cases to the shop on the first Monday of May',
    timestamp: '',
  }
  const { sentences } = readRecord({
    title: '',
    transcript: Array.from({ length: 12 }, () => entry),
    mode: 'short',
    personality: 'neutral',
    language: 'en',
  })
  assert.ok(sentences.every(({ isCut }) => !isCut))
})

for (const [text, isAlone] of [
  ['The factory has delivered the rubber cases because they cost less than titanium', true],
  ['I like them because their rubber cases cost less than the titanium cases', false],
  ['Much attention on the rubber cases, because the factory has delivered titanium', false],
  ['That the factory has delivered the rubber cases before the titanium batteries', false],
  ['In this meeting the factory is going to present the rubber and titanium cases', false],
] as const)
  test(`${isAlone ? 'can' : 'cannot'} be understood alone: ${text}`, () => {
    const [sentence] = readRecord({
      title: '',
      transcript: [{ speaker: 'Ann', text: `${text}.`, timestamp: '' }],
      mode: 'short',
      personality: 'neutral',
      language: 'en',
    }).sentences
    assert.ok(sentence)
    assert.equal(readabilityOf(sentence, { topical: 5, language: 'en' }) === 'clear', isAlone)
  })
