import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze } from '../analysis.ts'
import type { TranscriptEntry } from '../summary.ts'
import { courseOfMeeting } from './course.ts'

const subjects = ['battery', 'rubber', 'chip', 'warranty', 'cardboard', 'factory']
const entriesOfSubject = 50

/** Six subjects, one after the other. Ann speaks first of all, Ben of each subject. */
function meeting({ hasTimes = false, perSubject = entriesOfSubject, people = 2 } = {}): TranscriptEntry[] {
  return subjects.flatMap((subject, part) =>
    Array.from({ length: perSubject }, (_, i) => {
      const second = (part * perSubject + i) * 20
      const time = [second / 3600, (second / 60) % 60, second % 60]
      return {
        speaker: people > 2 ? `Person ${i % people}` : i % 2 ? 'Ann' : 'Ben',
        text: `The ${subject} of the new product ${part}${i} costs more than we had planned for the summer.`,
        timestamp: hasTimes ? time.map((it) => String(Math.floor(it)).padStart(2, '0')).join(':') : '',
      }
    }),
  )
}

const courseOf = (transcript: TranscriptEntry[], language = 'en', named = 0) =>
  courseOfMeeting(analyze({ title: '', transcript, mode: 'detailed', personality: 'neutral', language }), named)

test('each part of a long meeting has a line that says when it was, who spoke most, and of what', () => {
  const lines = courseOf(meeting())
  assert.equal(lines.length, subjects.length)
  for (const [part, { text, citations, basis }] of lines.entries()) {
    const [from, to] = [part * entriesOfSubject + 1, (part + 1) * entriesOfSubject]
    assert.match(text, new RegExp(`^Turns ${from} to ${to}, mostly (?:Ann and Ben|Ben and Ann): .*${subjects[part]}`))
    for (const [other, subject] of subjects.entries()) if (other !== part) assert.ok(!text.includes(subject))
    assert.ok(citations.length > 0 && citations.every((entry) => entry >= from - 1 && entry < to))
    assert.equal(basis, 'record')
  }
})

test('a part is named by its minutes where the entries have times', () => {
  const [first, second] = courseOf(meeting({ hasTimes: true }))
  assert.match(first?.text ?? '', /^Minutes 0 to 16, /)
  assert.match(second?.text ?? '', /^Minutes 16 to 33, /)
})

test('a topic that is named already is left out', () => {
  const all = courseOf(meeting())
  const rest = courseOf(meeting(), 'en', 4)
  const topics = (lines: typeof all) => lines.flatMap(({ text }) => text.replace(/^.*: |\.$/g, '').split(/, | and /))
  assert.equal(topics(rest).length, topics(all).length - 4)
})

test('a short meeting and one of many people have no such lines', () => {
  assert.deepEqual(courseOf(meeting({ perSubject: 10 })), [])
  assert.deepEqual(courseOf(meeting({ people: 13 })), [])
})

for (const [language, pattern] of [
  ['de', /^Beiträge 1 bis 50, vor allem /],
  ['fr', /^Interventions 1 à 50, surtout /],
  ['es', /^Intervenciones 1 a 50, sobre todo /],
  ['it', /^Interventi da 1 a 50, soprattutto /],
] as const)
  test(`the lines are in the language of the meeting: ${language}`, () => {
    const transcript = meeting().map((it) => ({ ...it, text: it.text.replace(/(battery|case|chip)/g, 'Motor $1') }))
    assert.match(courseOf(transcript, language)[0]?.text ?? '', pattern)
  })
