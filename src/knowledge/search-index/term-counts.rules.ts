/** In how many chunks of one item each term occurs. */
export type TermCounts = ReadonlyMap<string, number>

export function countTerms(chunks: readonly { terms: ReadonlyMap<string, unknown> }[]): TermCounts {
  const counts = new Map<string, number>()
  for (const { terms } of chunks) for (const term of terms.keys()) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** One line a term. Terms hold no white space. */
export function termCountsText(counts: TermCounts): string {
  return [...counts].map(([term, count]) => `${term} ${count}`).join('\n')
}

export function readTermCounts(text: string): TermCounts {
  const lines = text === '' ? [] : text.split('\n')
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}
