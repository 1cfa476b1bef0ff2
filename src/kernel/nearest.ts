/** The candidate with the fewest letters to change, in any case, and how many those are. Null without candidates. */
export function nearest(word: string, candidates: readonly string[]): { word: string; distance: number } | null {
  const ranked = candidates
    .map((candidate) => ({ word: candidate, distance: distanceOf(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  return ranked[0] ?? null
}

/** Levenshtein distance, for "did you mean"; both texts are short names. */
function distanceOf(a: string, b: string): number {
  if (a.length > 64) return 64
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
