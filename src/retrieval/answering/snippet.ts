import type { Language } from '../language/language.ts'
import type { QueryTerm } from '../query/query.ts'
import { letterBoundary } from '../sentences/split-sentences.ts'
import { splitWords } from '../words/split-words.ts'
import { termFor } from '../words/term.ts'

/** UTF-16 offsets in the text. `marks`: where words of the query stand, in rising order, within `start` to `end`. */
export type Snippet = { start: number; end: number; marks: [start: number, end: number][] }

const snippetCharsMax = 300
const charsBefore = 40

type Hit = { start: number; end: number; term: QueryTerm }

/** The part of a text with most words of the query, of at most 300 characters. Without any: its beginning. */
export function snippet(
  text: string,
  { terms, language }: { terms: readonly QueryTerm[]; language: Language },
): Snippet {
  const byForm = new Map(terms.flatMap((term) => term.forms.map((form) => [form, term] as const)))
  const words = splitWords(text)
  const hits = words.flatMap(({ text: written, start, end }): Hit[] => {
    const term = byForm.get(termFor(written, language))
    return term === undefined ? [] : [{ start, end, term }]
  })
  const first = bestWindow(hits)
  const wordStart = words.find(({ start }) => start >= Math.max(0, first - charsBefore))?.start ?? 0
  const start = first <= charsBefore ? 0 : Math.min(wordStart, first)
  const end = endOfSnippet(text, start)
  const marks = hits.filter((hit) => hit.start >= start && hit.end <= end)
  return { start, end, marks: joinMarks(marks) }
}

/** The first hit of the window with most of the query's words. */
function bestWindow(hits: readonly Hit[]): number {
  const inside = new Map<QueryTerm, number>()
  let best = { start: hits[0]?.start ?? 0, worth: 0 }
  let from = 0
  for (const hit of hits) {
    inside.set(hit.term, (inside.get(hit.term) ?? 0) + 1)
    for (; hit.end - (hits[from] as Hit).start > snippetCharsMax - charsBefore; from += 1) {
      const { term } = hits[from] as Hit
      const left = (inside.get(term) ?? 1) - 1
      if (left === 0) inside.delete(term)
      else inside.set(term, left)
    }
    const worth = [...inside.keys()].reduce((sum, { isCommon }) => sum + (isCommon ? 0.05 : 1), 0)
    if (worth > best.worth) best = { start: (hits[from] as Hit).start, worth }
  }
  return best.start
}

function endOfSnippet(text: string, start: number): number {
  if (text.length - start <= snippetCharsMax) return text.length
  const window = text.slice(start, start + snippetCharsMax)
  const space = window.search(/\s\S{0,60}$/)
  return space > 0 ? start + space : letterBoundary(text, start + snippetCharsMax, start)
}

/** Pairs of letters overlap, and make one mark. */
function joinMarks(hits: readonly Hit[]): [number, number][] {
  const marks: [number, number][] = []
  for (const { start, end } of hits) {
    const last = marks.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else marks.push([start, end])
  }
  return marks
}
