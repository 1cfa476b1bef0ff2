// Ranked sentences in, the few to quote out: useful, and together covering the words that matter.

import type { MeetingRecord } from '../sentences/meeting-record.ts'
import type { Coverage } from './coverage.ts'
import type { RankedSentence } from './rank-sentences.ts'
import { similarity } from './rank-sentences.ts'

const sameMatter = 0.75

/** Of those that fit the sentence that probably adds most, or undefined. */
export function selectNext(
  ranked: readonly RankedSentence[],
  { chosen, cover }: { chosen: readonly RankedSentence[]; cover: Coverage },
  fits: (it: RankedSentence) => boolean = () => true,
): RankedSentence | undefined {
  let best: { it: RankedSentence; value: number } | undefined
  for (const it of ranked) {
    if (!fits(it)) continue
    const value = expectedGain(it, cover)
    if (best && value <= best.value) continue
    if (chosen.some((other) => areAlike(other, it))) continue
    best = { it, value }
  }
  return best?.it
}

/**
 * What a useful sentence adds, times how probably this is one. Cubed, because a reader minds a useless sentence more than a
 * missing word. Of those that add nothing the most useful is best.
 */
function expectedGain(it: RankedSentence, cover: Coverage): number {
  const raised = cover.raisedBy(it)
  return raised > 0 && it.usefulness >= tolerableMin ? it.usefulness ** 3 * raised : it.usefulness - 1
}

/** The same sentence, a part of it, or nearly the same words. */
const areAlike = (a: RankedSentence, b: RankedSentence) =>
  a.id === b.id || containsSentence(a, b) || containsSentence(b, a) || similarity(a, b) > sameMatter

const containsSentence = (whole: RankedSentence, part: RankedSentence) =>
  whole.text.toLowerCase().includes(part.text.toLowerCase())

type Covered = {
  count: number
  tolerableUpTo: number
  isTolerable: (it: RankedSentence) => boolean
  cover: Coverage
}

/** At most `count` sentences in the order of the meeting. Those that are only tolerable fill up to `tolerableUpTo`. */
export function selectCovering(
  ranked: readonly RankedSentence[],
  { count, tolerableUpTo, isTolerable, cover }: Covered,
): RankedSentence[] {
  const chosen: RankedSentence[] = []
  while (chosen.length < count) {
    const select = (fits: (it: RankedSentence) => boolean) => selectNext(ranked, { chosen, cover }, fits)
    const it = select(isUseful) ?? (chosen.length < tolerableUpTo ? select(isTolerable) : undefined)
    if (!it) break
    chosen.push(it)
    cover.add(it)
  }
  return chosen.sort((a, b) => a.id - b.id)
}

/** Whether a reader would probably find the sentence readable and useful. */
export const isUseful = ({ usefulness }: RankedSentence) => usefulness >= usefulMin
/**
 * What may be quoted where too little is useful. The summary of a long meeting rather says less than quote anything else;
 * of a short one every sentence matters.
 */
export const tolerableTest = ({ sentences }: MeetingRecord) =>
  sentences.length < longSentencesMin ? () => true : ({ usefulness }: RankedSentence) => usefulness >= tolerableMin
/** A meeting with so many sentences is long. */
export const longSentencesMin = 100
const usefulMin = 0.62
const tolerableMin = 0.49
