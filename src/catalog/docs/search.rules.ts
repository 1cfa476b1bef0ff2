import { escapeHtml } from '../../kernel/escape-html.ts'
import type { Passage } from '../../kernel/markup.ts'

const snippetLength = 200
/** How many characters of a snippet come before the first word found. */
const leadLength = 60

export type Snippet = { anchor: string | null; snippet: string }

/**
 * The part of a text that matches a search best, as escaped HTML with `<mark>` around the words found. `stems` are the
 * words of the query in lower case as the index has them (`licens`).
 */
export function bestSnippet(passages: Passage[], stems: string[]): Snippet {
  const best = passages.reduce<{ passage: Passage | null; score: number }>(
    (known, passage) => {
      const score = passageScore(passage, stems)
      return score > known.score ? { passage, score } : known
    },
    { passage: passages[0] ?? null, score: 0 },
  ).passage
  if (best === null) return { anchor: null, snippet: '' }
  return { anchor: best.anchor, snippet: markWords(excerpt(best.text || best.heading, stems), stems) }
}

/** A word in the heading counts twice as much as one in the text. */
function passageScore({ heading, text }: Passage, stems: string[]): number {
  const [headingWords, textWords] = [distinctWords(heading), distinctWords(text)]
  return stems.reduce(
    (score, stem) => score + (hasWordOfStem(headingWords, stem) ? 2 : 0) + (hasWordOfStem(textWords, stem) ? 1 : 0),
    0,
  )
}

const hasWordOfStem = (words: Set<string>, stem: string) => words.values().some((word) => isFormOf(word, stem))

function distinctWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(wordPattern) ?? [])
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

/** `licenses` is a form of `licens`, and `company` of `compani`: the English stemmer turns a final y into i. */
function isFormOf(word: string, stem: string): boolean {
  return word.startsWith(stem) || (stem.endsWith('i') && word.startsWith(`${stem.slice(0, -1)}y`))
}

function excerpt(text: string, stems: string[]): string {
  const flat = text.replace(/\s+/gu, ' ').trim()
  const first = [...flat.matchAll(wordPattern)].find(([word]) =>
    stems.some((stem) => isFormOf(word.toLowerCase(), stem)),
  )
  const start = wordStart(flat, Math.max(0, (first?.index ?? 0) - leadLength))
  const end = start + snippetLength >= flat.length ? flat.length : wordEnd(flat, start + snippetLength)
  return `${start > 0 ? '… ' : ''}${flat.slice(start, end).trim()}${end < flat.length ? ' …' : ''}`
}

function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.indexOf(' ', at)
  return space === -1 || space > at + leadLength ? avoidSurrogateSplit(text, at) : space + 1
}

function wordEnd(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at)
  return space < at - leadLength ? avoidSurrogateSplit(text, at) : space
}

/** Moves past the second half of a surrogate pair. */
function avoidSurrogateSplit(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at
}

function markWords(piece: string, stems: string[]): string {
  let html = ''
  let end = 0
  for (const { 0: word, index } of piece.matchAll(wordPattern)) {
    if (!stems.some((stem) => isFormOf(word.toLowerCase(), stem))) continue
    html += `${escapeHtml(piece.slice(end, index))}<mark>${escapeHtml(word)}</mark>`
    end = index + word.length
  }
  return html + escapeHtml(piece.slice(end))
}

/** More than a search needs. The database's parser fails on very many operators. */
const termsMax = 20

/** The words of a text as the index has them. Any other characters separate words (`/vault/v1`, `<script>`). */
export function extractWords(text: string): string {
  return (text.match(wordPattern) ?? []).join(' ')
}

/**
 * Reduces a query to what PostgreSQL's web search knows: words, `"phrases"`, `or`, and `-` before what to exclude.
 * `incompleteWord` is the last word in lower case if it may be incomplete, and `queryBefore` the query before it.
 */
export function parseSearchQuery(sent: string): {
  webQuery: string
  queryBefore: string
  incompleteWord: string | null
} {
  const terms = [...sent.matchAll(/(?<![^\s])(-?)(?:"([^"]*)"?|([^\s"]+))|"([^"]*)"?/g)]
    .map(([, minus = '', phrase, word, rest]) => ({
      isPlain: minus === '' && word !== undefined,
      isIncluded: minus === '',
      words: extractWords(phrase ?? word ?? rest ?? ''),
    }))
    .filter(({ words }) => words !== '')
    .slice(0, termsMax)
  const toQuery = (some: typeof terms) =>
    some.map(({ isPlain, isIncluded, words }) => (isPlain ? words : `${isIncluded ? '' : '-'}"${words}"`)).join(' ')
  const last = terms.at(-1)
  const isIncomplete = last?.isPlain === true && /[\p{L}\p{N}\p{M}]$/u.test(sent)
  const [, beforeInTerm = '', lastWord = ''] = /^(.* )?(\S+)$/.exec(last?.words ?? '') ?? []
  return {
    webQuery: toQuery(terms),
    queryBefore: isIncomplete ? `${toQuery(terms.slice(0, -1))} ${beforeInTerm}`.trim() : toQuery(terms),
    incompleteWord: isIncomplete ? lastWord.toLowerCase() : null,
  }
}
