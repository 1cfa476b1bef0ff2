import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze } from '../analysis.ts'
import { summarize } from '../summarize.ts'
import type { TranscriptEntry } from '../summary.ts'
import { courseOfMeeting } from './course.ts'

const subjects = ['battery', 'rubber', 'chip', 'warranty', 'cardboard', 'factory']
const entriesOfSubject = 50
const subjectOf = (entry: number) => Math.floor(entry / entriesOfSubject)

type Options = { speakerOf?: (entry: number) => string; timeOf?: (entry: number) => string; perSubject?: number }

/** Six subjects, one after the other. */
function meeting({ speakerOf, timeOf, perSubject = entriesOfSubject }: Options = {}): TranscriptEntry[] {
  return subjects.flatMap((subject, part) =>
    Array.from({ length: perSubject }, (_, i) => {
      const entry = part * perSubject + i
      return {
        speaker: speakerOf?.(entry) ?? ['Ann', 'Ben', 'Cleo'][i % 3] ?? '',
        text: `The ${subject} of the new product ${part}${i} costs more than we had planned for the summer.`,
        timestamp: timeOf?.(entry) ?? '',
      }
    }),
  )
}

const clock = (second: number) =>
  [second / 3600, (second / 60) % 60, second % 60].map((it) => String(Math.floor(it)).padStart(2, '0')).join(':')

const courseOf = (transcript: TranscriptEntry[], { language = 'en', named = 0 } = {}) =>
  courseOfMeeting(analyze({ title: '', transcript, mode: 'detailed', personality: 'neutral', language }), named)
/** Of a meeting that has lines: what is asserted of each is asserted of some. */
function textsOf(...[transcript, options]: Parameters<typeof courseOf>): string[] {
  const texts = courseOf(transcript, options).map(({ text }) => text)
  assert.equal(texts.length, subjects.length)
  return texts
}

test('each part of a long meeting has a line that says when it was and of what', () => {
  const lines = courseOf(meeting())
  assert.equal(lines.length, subjects.length)
  for (const [part, { text, citations, basis }] of lines.entries()) {
    const [from, to] = [part * entriesOfSubject + 1, (part + 1) * entriesOfSubject]
    assert.match(text, new RegExp(`^Turns ${from} to ${to}, mostly .*: .*${subjects[part]}`))
    for (const [other, subject] of subjects.entries()) if (other !== part) assert.ok(!text.includes(subject))
    assert.ok(citations.length > 0 && citations.every((entry) => subjectOf(entry) === part))
    assert.equal(basis, 'record')
  }
})

test('the two who spoke most in a part are named, the one with most words first', () => {
  const speakerOf = (entry: number) => {
    const most = subjectOf(entry) < 3 ? ['Cleo', 'Ben', 'Ann'] : ['Ann', 'Cleo', 'Ben']
    return (entry % 10 < 1 ? most[2] : entry % 10 < 4 ? most[1] : most[0]) ?? ''
  }
  const texts = textsOf(meeting({ speakerOf }))
  assert.match(texts[0] ?? '', /, mostly Cleo and Ben: /)
  assert.match(texts[5] ?? '', /, mostly Ann and Cleo: /)
})

test('of two people nobody is named, for both would be in each line', () => {
  for (const text of textsOf(meeting({ speakerOf: (entry) => (entry % 2 ? 'Ann' : 'Ben') })))
    assert.match(text, /^Turns \d+ to \d+: /)
})

test('a part is named by its minutes where the entries have times', () => {
  const texts = textsOf(meeting({ timeOf: (entry) => clock(600 + entry * 20) }))
  assert.match(texts[0] ?? '', /^Minutes 0 to 16, /)
  assert.match(texts[1] ?? '', /^Minutes 16 to 33, /)
})

for (const [what, timeOf] of [
  ['begin anew', (entry: number) => clock((entry % 120) * 20)],
  ['jump far ahead', (entry: number) => (entry === 99 ? '9999:59:59' : clock(entry * 20))],
  ['are missing in places', (entry: number) => (entry === 100 ? '' : clock(entry * 20))],
  ['stand still', () => '00:00:10'],
] as const)
  test(`all parts are named by their turns where the times ${what}`, () => {
    for (const text of textsOf(meeting({ timeOf }))) assert.match(text, /^Turns /)
  })

test('a topic that is named already is left out, except in a part that has no other', () => {
  const transcript = meeting()
  const { topics } = analyze({ title: '', transcript, mode: 'detailed', personality: 'neutral', language: 'en' })
  const [first, second] = topics.map(({ phrase }) => phrase)
  assert.ok(first && second && !subjects.includes(first) && !subjects.includes(second))
  for (const text of textsOf(transcript, { named: 2 })) assert.ok(!text.includes(first) && !text.includes(second), text)
  for (const [part, text] of textsOf(transcript, { named: 99 }).entries())
    assert.ok(text.includes(subjects[part] ?? ''), text)
})

test('two forms of a word are one topic, which stands where both were said most', () => {
  const forms = [Array(12).fill('batteries'), [...Array(20).fill('battery'), 'batteries'], Array(11).fill('batteries')]
  const transcript = meeting().map((it, entry) => {
    const form = forms[subjectOf(entry)]?.[entry % entriesOfSubject]
    const text = form
      ? `We need the ${form} of the product ${entry} for the summer.`
      : it.text.replace('battery', 'lamp')
    return { ...it, text }
  })
  const texts = textsOf(transcript)
  assert.deepEqual(
    texts.map((text) => /batter(?:y|ies)/.test(text)),
    [false, true, false, false, false, false],
  )
})

test('a short meeting, one of many people, and one long speech have no such lines', () => {
  assert.deepEqual(courseOf(meeting({ perSubject: 10 })), [])
  assert.deepEqual(courseOf(meeting({ speakerOf: (entry) => `Person ${entry % 13}` })), [])
  const text = meeting()
    .map((it) => it.text)
    .join(' ')
  assert.deepEqual(courseOf([{ speaker: 'Ann', text, timestamp: '' }]), [])
})

test('a detailed summary of a long meeting tells its course and has no outline', () => {
  const transcript = meeting({ timeOf: (entry) => clock(entry * 20) })
  const write = (entries: TranscriptEntry[]) =>
    summarize({ title: '', transcript: entries, mode: 'detailed', personality: 'neutral', language: 'en' })
  assert.match(write(transcript).text, /\n\nCourse of the meeting\nMinutes 0 to 16, .*\nMinutes 16 to 33, /)
  assert.doesNotMatch(write(transcript).text, /It came to/)
  assert.doesNotMatch(write(transcript.slice(0, 60)).text, /Course of the meeting/)
})

for (const [language, pattern] of [
  ['de', /^Beiträge 1 bis 50, vor allem \S+ und \S+: /],
  ['fr', /^Interventions 1 à 50, surtout \S+ et \S+ : /],
  ['es', /^Intervenciones 1 a 50, sobre todo \S+ y \S+: /],
  ['it', /^Interventi da 1 a 50, soprattutto \S+ e \S+: /],
] as const)
  test(`the lines are in the language of the meeting: ${language}`, () => {
    const transcript = meeting().map((it) => ({ ...it, text: it.text.replace(/(battery|chip)/g, 'Motor $1') }))
    assert.match(courseOf(transcript, { language })[0]?.text ?? '', pattern)
  })
