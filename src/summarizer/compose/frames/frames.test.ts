import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages, readLabelled } from '../../../../test/meetings/outcomes/labels.ts'
import { summarize } from '../../summarize.ts'
import { personalities, type TranscriptEntry } from '../../summary.ts'
import { countSentences } from '../../text/sentence-counts.ts'
import { countWords } from '../../text/word-counts.ts'

const tags = { german: 'de', french: 'fr', spanish: 'es', italian: 'it' }
/** Words of English frames that are no words of the other languages. */
const englishFrame =
  /\b(?:said|noted|discussed|meeting|topics?|decided|next steps?|owner|recorded|spoke|words|overview|transcript)\b/i
const threeLines = (['Berlin?', 'Berlin.', 'OK.'] as const).map((text, i) => ({
  speaker: `Ole ${i % 2}`,
  text,
  timestamp: '00:00:01',
}))

function assertForm(transcript: TranscriptEntry[], language: string) {
  for (const personality of personalities) {
    const write = (mode: 'short' | 'detailed') =>
      summarize({ title: 'Plan', transcript, mode, personality, language }).text
    const [short, detailed] = [write('short'), write('detailed')]
    for (const count of countSentences(short)) assert.ok(count >= 4 && count <= 6, `${count} sentences: ${short}`)
    for (const count of countWords(detailed)) assert.ok(count >= 400 && count <= 700, `${count} words: ${detailed}`)
    assert.doesNotMatch(short, englishFrame)
    assert.doesNotMatch(detailed, englishFrame)
  }
}

for (const language of languages) {
  test(`a ${language} meeting has frames in its language and the promised length, however small it is`, () => {
    assertForm(readLabelled(language).transcript, tags[language])
    assertForm(threeLines, tags[language])
    assertForm([], tags[language])
  })
}
