export const mean = (values: number[]): number => values.reduce((sum, it) => sum + it, 0) / Math.max(1, values.length)

/** Where one unit is relevant: 1 if it is first, 0 if it is not among the first ten. */
export function ndcgAt10(units: number[], relevant: number): number {
  const at = units.indexOf(relevant)
  return at >= 0 && at < 10 ? 1 / Math.log2(at + 2) : 0
}

/** `with` and `without`: what a question reaches with its article in the collection, and without it. */
type Reached = { half: number; with: number; without: number }

const answeredShare = 0.9

/**
 * The threshold with which 90 % of one half's questions are answered is applied to the other half, both ways. Returns which
 * shares are answered and refused then.
 */
export function refusals(reached: Reached[]): { answered: number; refused: number } {
  const halves = [0, 1].map((half) => {
    const tuned = reached.filter((it) => it.half === half).map((it) => it.with)
    const threshold = tuned.sort((a, b) => a - b)[Math.floor(tuned.length * (1 - answeredShare))] ?? 0
    const other = reached.filter((it) => it.half !== half)
    return other.map((it) => ({ answered: Number(it.with >= threshold), refused: Number(it.without < threshold) }))
  })
  const all = halves.flat()
  return { answered: mean(all.map((it) => it.answered)), refused: mean(all.map((it) => it.refused)) }
}
