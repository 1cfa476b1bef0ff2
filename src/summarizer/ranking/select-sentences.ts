// Ranked sentences in, the few to quote out: good, different from each other, and spread over the meeting.

import { type RankedSentence, similarity } from './rank-sentences.ts'

/** How much a sentence loses for repeating what is already chosen (maximal marginal relevance). */
const repetitionWeight = 2.2
const sameSpeakerWeight = 0.35

/** The best sentence that fits and is not chosen yet, or undefined. */
export function selectNext(
  ranked: readonly RankedSentence[],
  chosen: readonly RankedSentence[],
  fits: (it: RankedSentence) => boolean = () => true,
): RankedSentence | undefined {
  let best: { it: RankedSentence; value: number } | undefined
  for (const it of ranked) {
    // `ranked` is sorted by score, and a sentence can only lose: none of the rest can win.
    if (best && it.score <= best.value) break
    if (!fits(it) || chosen.some((other) => containsSentence(other, it))) continue
    const alike = chosen.reduce((max, other) => Math.max(max, similarity(it, other)), 0)
    if (alike > 0.8) continue
    const bySame = chosen.filter(({ speaker }) => speaker === it.speaker).length
    const value = it.score - repetitionWeight * alike - sameSpeakerWeight * bySame
    if (!best || value > best.value) best = { it, value }
  }
  return best?.it
}

/** Whether `part` is the same sentence, or a part of a joined one. */
export const containsSentence = (whole: RankedSentence, part: RankedSentence) =>
  whole.text.toLowerCase().includes(part.text.toLowerCase())

/** One sentence from each stretch of the meeting, so that none is left out, then the best of the rest. */
export function selectAcrossMeeting(ranked: readonly RankedSentence[], count: number): RankedSentence[] {
  const chosen: RankedSentence[] = []
  for (let part = 0; part < count; part += 1) {
    const from = part / count
    const to = (part + 1) / count
    const it = selectNext(ranked, chosen, ({ position }) => position >= from && (position < to || to === 1))
    if (it && it.score > weakScore) chosen.push(it)
  }
  while (chosen.length < count) {
    const it = selectNext(ranked, chosen)
    if (!it) break
    chosen.push(it)
  }
  return chosen.sort((a, b) => a.id - b.id)
}
/** A stretch with nothing better gives its place to another one. Scores have the mean 0. */
const weakScore = 0.7

const refersBack = /^(?:it|it's|that|that's|this|these|those|they|they're|so that|which|he|she|because|and)\b/i
const joinedWordsMax = 36

/**
 * Joins a sentence with its neighbour where one needs the other: "We make a new remote; it has to be trendy". Speech
 * comes in small sentences, and one alone is often half a thought. Never across a longer turn of somebody else or a
 * question, and never beyond `joinedWordsMax`.
 */
export function withNeighbour(it: RankedSentence, ranked: ReadonlyMap<number, RankedSentence>): RankedSentence {
  const before = refersBack.test(it.text) ? ranked.get(it.id - 1) : undefined
  if (before && canBeJoined(before, it)) return joinSentences(before, it)
  const after = ranked.get(it.id + 1)
  return after && refersBack.test(after.text) && canBeJoined(it, after) ? joinSentences(it, after) : it
}

function canBeJoined(a: RankedSentence, b: RankedSentence): boolean {
  return (
    a.speaker === b.speaker &&
    b.entry - a.entry <= 2 &&
    !a.isQuestion &&
    !b.isQuestion &&
    a.quality > -0.5 &&
    b.quality > -0.5 &&
    a.words.length + b.words.length <= joinedWordsMax
  )
}

function joinSentences(a: RankedSentence, b: RankedSentence): RankedSentence {
  return {
    ...a,
    text: `${a.text}; ${b.text.charAt(0).toLowerCase()}${b.text.slice(1)}`,
    words: [...a.words, ...b.words],
    entries: [...new Set([a.entry, b.entry])],
  }
}
