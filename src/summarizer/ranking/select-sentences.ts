import { type RankedSentence, similarity } from './rank-sentences.ts'

/** How much a sentence loses for saying what is said already (maximal marginal relevance). */
const repetitionWeight = 2.2
const sameSpeakerWeight = 0.35

/** The best sentence that fits and is not yet said, or undefined. */
export function selectNext(
  ranked: readonly RankedSentence[],
  chosen: readonly RankedSentence[],
  fits: (it: RankedSentence) => boolean = () => true,
): RankedSentence | undefined {
  let best: { it: RankedSentence; value: number } | undefined
  for (const it of ranked) {
    // `ranked` falls by score, and no sentence gains: the rest cannot win.
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

/** True for the same sentence, and for a part of a joined one. */
export const containsSentence = (whole: RankedSentence, part: RankedSentence) =>
  whole.text.toLowerCase().includes(part.text.toLowerCase())

/** One sentence for each stretch of the meeting, so that no part of it is lost, then the best of the rest. */
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
/** A stretch of nothing but chat gives its place to another: scores have mean 0. */
const weakScore = 0.7

const refersBack = /^(?:it|it's|that|that's|this|these|those|they|they're|so that|which|he|she|because|and)\b/i
const joinedWordsMax = 36

/**
 * A sentence with its neighbour where one needs the other: "We make a new remote; it has to be trendy". Speech is cut into
 * small sentences, and one alone is often half a thought. Never past another's turn of weight, a question or `joinedWordsMax`.
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
