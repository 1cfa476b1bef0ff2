import { meetingWords } from '../../src/summarizer/language/common-words.ts'
import { stopWords } from '../../src/summarizer/language/stop-words.ts'
import { splitWords, stem } from '../../src/summarizer/language/words.ts'
import { readRecord } from '../../src/summarizer/sentences/meeting-record.ts'
import type { TranscriptEntry } from '../../src/summarizer/summary.ts'

type Spoken = { transcript: readonly { speaker: string }[] }

/** Words that tell of any meeting, and verbs of reporting, count for nobody. */
const reporting =
  /^(?:discuss|mention|introduc|explain|decid|decision|agree|suggest|summar|record|report|not|point|stress|warn|ask|spok|speak|talk|rais|explicit|project|people|manag)/

/** The stems of the words that say something about the subject of the meeting. */
function contentOf(text: string, { transcript }: Spoken): string[] {
  const roles = new Set(transcript.flatMap(({ speaker }) => splitWords(speaker)))
  return splitWords(text)
    .filter(
      (word) => !stopWords['en']?.has(word) && !meetingWords.has(word) && !roles.has(word) && !reporting.test(word),
    )
    .map(stem)
}

/**
 * The harmonic mean of precision and recall of content words. Each word counts once, however often it stands in either:
 * a summary says it, or does not. From 0 to 1.
 */
export function contentF1(text: string, reference: string, meeting: Spoken): number {
  const [ours, theirs] = [new Set(contentOf(text, meeting)), new Set(contentOf(reference, meeting))]
  return (2 * ours.intersection(theirs).size) / Math.max(1, ours.size + theirs.size)
}

const sentenceWordsMin = 6

/** The first sentences of the meeting, cleaned as quotations are. Shorter ones are greetings and answers. */
export function lead({ transcript }: { transcript: readonly Omit<TranscriptEntry, 'timestamp'>[] }, words: number) {
  const entries = transcript.slice(0, entriesOfLead).map((it) => ({ ...it, timestamp: '' }))
  const { sentences } = readRecord({
    title: '',
    transcript: entries,
    mode: 'short',
    personality: 'neutral',
    language: 'en',
  })
  return sentences
    .filter((it) => it.words.length >= sentenceWordsMin)
    .flatMap(({ text }) => text.split(' '))
    .slice(0, words)
    .join(' ')
}
const entriesOfLead = 500
