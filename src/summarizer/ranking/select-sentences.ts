// Ranked sentences in, the few to quote out: readable, and together covering the words that matter.

import type { Coverage } from './coverage.ts'
import type { RankedSentence } from './rank-sentences.ts'
import { similarity } from './rank-sentences.ts'
import type { Readability } from './readability.ts'

const levels: readonly Readability[] = ['alone', 'thin', 'weak', 'fragment']
const sameMatter = 0.75

/**
 * The sentence that raises the coverage most, among the most readable that fit, or undefined. `isAloneOnly`: none
 * rather than one that needs its neighbours.
 */
export function selectNext(
  ranked: readonly RankedSentence[],
  { chosen, cover }: { chosen: readonly RankedSentence[]; cover: Coverage },
  fits: (it: RankedSentence) => boolean = () => true,
): RankedSentence | undefined {
  for (const level of levels) {
    let best: { it: RankedSentence; value: number } | undefined
    for (const it of ranked) {
      if (it.readability !== level || !fits(it)) continue
      const value = cover.valueWith(it)
      if (best && value <= best.value) continue
      if (chosen.some((other) => areAlike(other, it))) continue
      best = { it, value }
    }
    if (best) return best.it
  }
  return undefined
}

/** The same sentence, a part of it, or nearly the same words. */
const areAlike = (a: RankedSentence, b: RankedSentence) =>
  a.id === b.id || containsSentence(a, b) || containsSentence(b, a) || similarity(a, b) > sameMatter

const containsSentence = (whole: RankedSentence, part: RankedSentence) =>
  whole.text.toLowerCase().includes(part.text.toLowerCase())

/** At most `count` sentences in the order of the meeting. Those that need their neighbours only fill up to `aloneMin`. */
export function selectCovering(
  ranked: readonly RankedSentence[],
  { count, aloneMin, cover }: { count: number; aloneMin: number; cover: Coverage },
): RankedSentence[] {
  const chosen: RankedSentence[] = []
  while (chosen.length < count) {
    const fits = ({ readability }: RankedSentence) => chosen.length < aloneMin || readability === 'alone'
    const it = selectNext(ranked, { chosen, cover }, fits)
    if (!it) break
    chosen.push(it)
    cover.add(it)
  }
  return chosen.sort((a, b) => a.id - b.id)
}
