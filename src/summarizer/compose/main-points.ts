// The quotations of the main points in, sentences that name each speaker once out.

import type { RankedSentence } from '../ranking/rank-sentences.ts'
import type { SummarySentence } from '../summary.ts'
import type { Frames } from './frames/english.ts'
import { asSubject, quote } from './reported-speech.ts'

const quotesOfOneSentence = 3

/** In the order of the meeting. What one person said in succession stands after their name. */
export function mainPoints(quotes: readonly RankedSentence[], frames: Frames): SummarySentence[] {
  const groups: RankedSentence[][] = []
  for (const it of quotes.toSorted((a, b) => a.id - b.id)) {
    const last = groups.at(-1)
    if (last?.[0]?.speaker === it.speaker && last.length < quotesOfOneSentence) last.push(it)
    else groups.push([it])
  }
  return groups.flatMap((group) => {
    const speaker = group[0]?.speaker
    if (!speaker) return []
    const text = `${asSubject(speaker.label, frames)}: ${group.map((it) => quote(it.text)).join('; ')}.`
    return { text, citations: group.flatMap(({ entries }) => entries), basis: 'speech' as const, speaker: speaker.name }
  })
}
