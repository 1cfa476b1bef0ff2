import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpokenSentence } from '../sentences/meeting-record.ts'
import { summarize } from '../summarize.ts'
import { isClearQuestion, readabilityOf } from './readability.ts'

const spoken = (text: string, isQuestion = false) =>
  ({
    text,
    words: text.toLowerCase().split(' '),
    isQuestion,
    isCut: false,
    isBroken: false,
    disfluency: 0,
  }) as SpokenSentence

for (const text of [
  "Three minutes of speech without ever mentioning the person's name",
  'The volume and channel buttons, left and right, up and down arrows, to do the volume',
  'Most people are right-handed, so in terms of our greatest target group',
  'We are required at the end to give them boxes in their format, but hey',
  'For a production cost of twelve fifty Euros maximum',
  "What's the most annoying thing about remote controls and speech recognition",
  'We still we had to focus to get more people from the younger group',
])
  test(`a sentence without an end or a verb is a fragment: ${text}`, () =>
    assert.equal(readabilityOf(spoken(text), { topical: 4, language: 'en' }), 'fragment'))

for (const text of [
  "The survey is short, so it's cheap to print",
  'The left button shows the menu of the remote control, because people expect that there',
  'We decided we will launch the red case in May',
  'I promise I will send the report to Ann by Friday',
  'The titanium case cost more than the rubber case in the first test',
  'The rubber cases cost twelve euros in the new factory',
])
  test(`a whole sentence is none: ${text}`, () =>
    assert.notEqual(readabilityOf(spoken(text), { topical: 4, language: 'en' }), 'fragment'))

for (const [text, isClear] of [
  ['Will the government commit to helping women return to the workforce', true],
  ['How many languages does the speech recognizer for the kitchen need', true],
  ['Have you been home yet since the meeting of the committee', false],
  ['Why do I pay the designers of the remote control for that', false],
  ["Isn't there a name for them in the catalogue of the shop", false],
  ['How much better can it get', false],
] as const)
  test(`a question is ${isClear ? '' : 'not '}clear to a stranger: ${text}`, () =>
    assert.equal(isClearQuestion(spoken(text, true), 'en'), isClear))

test('of a long meeting only questions that are clear to a stranger are in the text, and all are in the list', () => {
  const asked = ['Have you been home yet since the last workshop?', 'How many languages does the recognizer support?']
  // Nobody else says anything soon after a question: it stays open.
  const transcript = Array.from({ length: 150 }, (_, i) => ({
    speaker: i % 20 < 10 ? 'Ann' : 'Ben',
    text: { 70: asked[0], 110: asked[1] }[i] ?? `Machine number ${i} needs ${i % 7} new parts.`,
    timestamp: '00:00:00',
  }))
  const { text, questions } = summarize({ title: '', transcript, mode: 'detailed', personality: 'neutral' })
  const listed = questions.map((question) => question.text)
  assert.deepEqual(
    listed,
    asked.map((question) => question.slice(0, -1)),
  )
  assert.ok(text.includes('the recognizer support'))
  assert.ok(!text.includes('been home yet'))
})
