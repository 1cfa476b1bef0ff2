/** In how many chunks of one item each term occurs. */
export type TermCounts = ReadonlyMap<string, number>

/** Terms that are counted for one item. A document with more of them consists of no language. */
const termsMax = 200_000

/** The terms are sorted in runs of this many, so that sorting holds nobody up. */
const runTerms = 5000

/**
 * Counts the terms of one more chunk. An item has at most 200,000 terms: further ones are taken out of the chunk, and
 * nothing finds them.
 */
export function countTerms(counts: Map<string, number>, terms: Map<string, unknown>): void {
  for (const term of terms.keys()) {
    const count = counts.get(term)
    if (count === undefined && counts.size >= termsMax) terms.delete(term)
    else counts.set(term, (count ?? 0) + 1)
  }
}

/** One line a term, in the order in which the counts of a source are locked. Terms hold no white space. */
export async function termCountsText(counts: TermCounts, pause: () => Promise<void>): Promise<string> {
  let text = ''
  for (const term of await sortTerms([...counts.keys()], pause)) {
    text += `${text === '' ? '' : '\n'}${term} ${counts.get(term)}`
    await pause()
  }
  return text
}

/** The lines of `termCountsText`, in batches. */
export function* termBatches(text: string, size: number): Generator<{ terms: string[]; counts: number[] }> {
  let batch: { terms: string[]; counts: number[] } = { terms: [], counts: [] }
  for (let from = 0; from < text.length; ) {
    const [space, lineEnd] = [text.indexOf(' ', from), text.indexOf('\n', from)]
    const end = lineEnd === -1 ? text.length : lineEnd
    batch.terms.push(text.slice(from, space))
    batch.counts.push(Number(text.slice(space + 1, end)))
    from = end + 1
    if (batch.terms.length < size) continue
    yield batch
    batch = { terms: [], counts: [] }
  }
  if (batch.terms.length > 0) yield batch
}

/** By code units. Merges sorted runs two by two. */
async function sortTerms(terms: string[], pause: () => Promise<void>): Promise<string[]> {
  let runs: string[][] = []
  for (let from = 0; from < terms.length; from += runTerms) {
    runs.push(terms.slice(from, from + runTerms).sort())
    await pause()
  }
  while (runs.length > 1) {
    const merged: string[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], pause))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(left: string[], right: string[], pause: () => Promise<void>): Promise<string[]> {
  const merged: string[] = []
  for (let [l, r] = [0, 0]; l < left.length || r < right.length; ) {
    const [a, b] = [left[l], right[r]]
    if (a !== undefined && (b === undefined || a < b)) {
      merged.push(a)
      l += 1
    } else if (b !== undefined) {
      merged.push(b)
      r += 1
    }
    if (merged.length % runTerms === 0) await pause()
  }
  return merged
}
