/** The value that half of the values are not above; of an even number of them the mean of the middle two. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('Nothing was measured.')
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/** The value that `share` (0 to 1) of the values are not above, by the nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('Nothing was measured.')
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number
}

/** The mean of the values between the first and the last tenth of them. */
export function middleMean(values: readonly number[]): number {
  const cut = Math.floor(values.length / 10)
  const middle = values.toSorted((a, b) => a - b).slice(cut, values.length - cut)
  if (middle.length === 0) throw new Error('Nothing was measured.')
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

/**
 * Each round's quotient, and their median. What one round did to both (a busy machine) cancels out in its quotient;
 * a quotient of two medians would compare different rounds.
 */
export function medianRatio(above: readonly number[], below: readonly number[]): { ratio: number; rounds: number[] } {
  if (above.length !== below.length) throw new Error('Only rounds that measured both can be compared.')
  const rounds = above.map((value, at) => value / (below[at] as number))
  return { ratio: median(rounds), rounds }
}
