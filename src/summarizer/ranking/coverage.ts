// The words that a summary would probably contain in, sentences that together contain most of them out.

import type { LikelyWords } from './likely-words.ts'

/** `terms`: the stems of the content words, each as often as it was said. */
export type Covering = { terms: readonly string[] }

/** What a growing summary already covers. `words` counts its content words. */
export type Coverage = {
  add: (it: Covering) => void
  /**
   * By how much the sentence raises the F1 that is expected of the summary: twice what is shared, over all words of both.
   */
  raisedBy: (it: Covering) => number
}

/** `referenceWords`: the number of content words that the summary of a person would have. */
export function coverage(likely: LikelyWords, referenceWords: number): Coverage {
  const covered = new Set<string>()
  let shared = 0
  let words = 0
  const gain = (terms: ReadonlySet<string>) => {
    let sum = 0
    for (const term of terms) if (!covered.has(term)) sum += likely.get(term) ?? 0
    return sum
  }
  return {
    add: ({ terms }) => {
      shared += gain(new Set(terms))
      words += terms.length
      for (const term of terms) covered.add(term)
    },
    raisedBy: ({ terms }) =>
      (2 * (shared + gain(new Set(terms)))) / (words + terms.length + referenceWords) -
      (2 * shared) / (words + referenceWords),
  }
}
