/**
 * What a chunk is worth beside a better one that it stands next to. Chosen on QMSum, together with what `surroundingScores` adds.
 */
const besideBetter = 0.85

/**
 * Orders chunks so that the first ones are not all of one place: parts of a conversation that stand next to each other say much
 * the same. Scores stay as they are.
 * @param ranked best first. Takes time by the square of its length: for about 100.
 */
export function spreadOut<C extends { score: number }>(ranked: readonly C[], isNextTo: (a: C, b: C) => boolean): C[] {
  const left = ranked.map((chunk) => ({ chunk, worth: chunk.score }))
  const ordered: C[] = []
  while (left.length > 0) {
    const best = left.reduce((index, { worth }, at) => (worth > (left[index]?.worth ?? 0) ? at : index), 0)
    const [taken] = left.splice(best, 1) as [(typeof left)[number]]
    ordered.push(taken.chunk)
    for (const other of left) if (isNextTo(taken.chunk, other.chunk)) other.worth = other.chunk.score * besideBetter
  }
  return ordered
}
