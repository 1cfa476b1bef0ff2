/** The candidate with the smallest edit distance, ignoring case. Null without candidates. */
export function closestMatch(word: string, candidates: readonly string[]): { word: string; distance: number } | null {
  const ranked = candidates
    .map((candidate) => ({ word: candidate, distance: editDistance(word, candidate) }))
    .sort((a, b) => a.distance - b.distance)
  return ranked[0] ?? null
}

/**
 * Letters to insert, delete, replace or swap with their neighbour (optimal string alignment), ignoring case, for "did you
 * mean". Both texts are short names.
 */
export function editDistance(word: string, candidate: string): number {
  if (word.length > 64) return 64
  const [a, b] = [word.toLowerCase(), candidate.toLowerCase()]
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : replaced
      current.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
