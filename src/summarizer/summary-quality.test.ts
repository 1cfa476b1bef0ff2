import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { contentF1, lead } from '../../bench/summaries/content-f1.ts'
import { summarize } from './summarize.ts'
import type { TranscriptEntry } from './summary.ts'
import { countSentences } from './text/sentence-counts.ts'
import { countWords } from './text/word-counts.ts'

// Real meetings and what a person wrote about them; where they come from is in test/meetings/NOTICE.md.
const folder = new URL('../../test/meetings/', import.meta.url)
const meetings = ['ES2005a', 'ES2008a', 'IS1004a', 'TS3010a'].map((name) => {
  const { reference, transcript }: { reference: string; transcript: Omit<TranscriptEntry, 'timestamp'>[] } = JSON.parse(
    readFileSync(new URL(`${name}.json`, folder), 'utf8'),
  )
  return { name, reference, transcript: transcript.map((entry) => ({ ...entry, timestamp: '' })) }
})
type Meeting = (typeof meetings)[number]

/** The same for every meeting, yet by ROUGE better than most summarizers: what a fair measure must not reward. */
const boilerplate =
  'The meeting was about a new project, and the team discussed several ideas for it. The project manager introduced the agenda and the goals. The group talked about the design and the users of the product. Some members raised concerns, and others made suggestions. In the end the next steps were agreed.'

const short = ({ transcript }: Meeting) =>
  summarize({ title: 'Kick-off', transcript, mode: 'short', personality: 'supportive' }).text
const detailed = ({ transcript }: Meeting) =>
  summarize({ title: 'Kick-off', transcript, mode: 'detailed', personality: 'supportive' }).text

test("on real meetings a short summary is closer to a person's summary than the first words or stock phrases are", (t) => {
  const rows = meetings.map((meeting) => {
    const ours = short(meeting)
    return [
      contentF1(ours, meeting.reference, meeting),
      contentF1(lead(meeting, countWords(ours)[0]), meeting.reference, meeting),
      contentF1(boilerplate, meeting.reference, meeting),
      contentF1(detailed(meeting), meeting.reference, meeting),
    ]
  })
  const mean = (column: number) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0) / rows.length
  const line = (name: string, values: number[]) =>
    `${name.padEnd(8)} ${values.map((it) => (100 * it).toFixed(1).padStart(8)).join(' ')}`
  t.diagnostic('content-word F1, x 100:  short     lead  phrases detailed')
  for (const [i, { name }] of meetings.entries()) t.diagnostic(line(name, rows[i] ?? []))
  t.diagnostic(line('mean', [0, 1, 2, 3].map(mean)))
  assert.ok(mean(0) > mean(1), 'no better than the first words of the meeting')
  assert.ok(mean(0) > mean(2), 'no better than phrases that fit any meeting')
})

test('on real meetings both forms have their promised length', () => {
  for (const meeting of meetings) {
    for (const count of countSentences(short(meeting)))
      assert.ok(count >= 4 && count <= 6, `${count} sentences of ${meeting.name}`)
    for (const count of countWords(detailed(meeting)))
      assert.ok(count >= 400 && count <= 700, `${count} words of ${meeting.name}`)
  }
})
