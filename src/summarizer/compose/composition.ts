// Sentences go in one by one under their headings; sections and their text come out, with the length known at each
// step.

import type { SummarySection, SummarySentence } from '../summary.ts'
import { addCounts, countWords, noWords, type WordCounts } from '../text/word-counts.ts'

/** A text that grows sentence by sentence and knows its length by every way of counting words. */
export type Composition = {
  /** Adds the sentence if the largest count stays within `max`. Returns whether it was added. */
  add: (heading: string, sentence: SummarySentence, max: number) => boolean
  has: (heading: string) => boolean
  /** Puts other sentences under a heading, from the first as many as fit; each that does not fit stays as it was. */
  replace: (heading: string, sentences: readonly SummarySentence[], max: number) => void
  /** The smallest of the counts; `mostWords` is the largest. */
  fewestWords: () => number
  mostWords: () => number
  sections: () => SummarySection[]
}

/** Sections come out in the order of `headings`, whichever was filled first. */
export function composition(headings: readonly string[]): Composition {
  const filled = new Map<string, SummarySentence[]>()
  let counts = noWords
  const withSentence = (heading: string, { text }: SummarySentence): WordCounts =>
    addCounts(filled.has(heading) ? counts : addCounts(counts, countWords(heading)), countWords(text))

  return {
    add: (heading, sentence, max) => {
      const after = withSentence(heading, sentence)
      if (Math.max(...after) > max) return false
      counts = after
      filled.set(heading, [...(filled.get(heading) ?? []), sentence])
      return true
    },
    has: (heading) => filled.has(heading),
    replace: (heading, sentences, max) => {
      const kept = [...(filled.get(heading) ?? [])]
      for (const [i, sentence] of sentences.entries()) {
        const known = kept[i]
        if (known === undefined || known.text === sentence.text) continue
        const after = addCounts(counts, countWords(sentence.text), countWords(known.text))
        if (Math.max(...after) > max) continue
        counts = after
        kept[i] = sentence
      }
      filled.set(heading, kept)
    },
    fewestWords: () => Math.min(...counts),
    mostWords: () => Math.max(...counts),
    sections: () =>
      headings
        .flatMap((heading) => ({ heading, sentences: filled.get(heading) ?? [] }))
        .filter(({ sentences }) => sentences.length > 0),
  }
}

/**
 * Each heading has a line of its own. In the sections named in `listed`, each item has one too, and the sentences of
 * one person share a line.
 */
export function renderSections(sections: readonly SummarySection[], listed: readonly string[]): string {
  return sections
    .map(
      (it) =>
        `${it.heading}\n${listed.includes(it.heading) ? renderLines(it) : it.sentences.map(({ text }) => text).join(' ')}`,
    )
    .join('\n\n')
}

function renderLines({ sentences }: SummarySection): string {
  return sentences
    .map(({ text, speaker }, i) => {
      const before = sentences[i - 1]
      if (!before) return text
      return speaker !== undefined && speaker === before.speaker ? ` ${text}` : `\n${text}`
    })
    .join('')
}
