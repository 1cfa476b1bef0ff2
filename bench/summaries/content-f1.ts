import { meetingWords } from '../../src/summarizer/language/common-words.ts'
import { stopWords } from '../../src/summarizer/language/stop-words.ts'
import { splitWords, stem } from '../../src/summarizer/language/words.ts'

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

/** The harmonic mean of precision and recall of content words, each as often as it stands in both. From 0 to 1. */
export function contentF1(text: string, reference: string, meeting: Spoken): number {
  const [ours, theirs] = [contentOf(text, meeting), contentOf(reference, meeting)]
  const left = Map.groupBy(theirs, (word) => word)
  const shared = ours.filter((word) => left.get(word)?.pop() !== undefined).length
  return (2 * shared) / Math.max(1, ours.length + theirs.length)
}

/** The first words of the meeting, without the marks of noise. */
export function lead({ transcript }: { transcript: readonly { text: string }[] }, words: number): string {
  const spoken = transcript.map(({ text }) => text.replace(/\{[^}]*\}/g, ' ')).join(' ')
  return spoken.trim().split(/\s+/).slice(0, words).join(' ')
}
