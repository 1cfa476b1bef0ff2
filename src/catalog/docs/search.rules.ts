import type { Passage } from '../../kernel/markup.ts'

const snippetLength = 200
/** How much of a snippet stands before the first word found. */
const leadLength = 60

export type Snippet = { anchor: string | null; snippet: string }

/**
 * The piece of a text that answers a search, as HTML in which everything is escaped and only `<mark>` stands around the
 * words found. `stems` are the words of the question as the index has them (`licens`), lower case.
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

/** A word of the heading counts as much as two of the text. */
function passageScore({ heading, text }: Passage, stems: string[]): number {
  const [above, below] = [distinctWords(heading), distinctWords(text)]
  return stems.reduce(
    (score, stem) => score + (hasWordOfStem(above, stem) ? 2 : 0) + (hasWordOfStem(below, stem) ? 1 : 0),
    0,
  )
}

const hasWordOfStem = (words: Set<string>, stem: string) => words.values().some((word) => isFormOf(word, stem))

function distinctWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(wordPattern) ?? [])
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

/** `licenses` of `licens`, and `company` of `compani`: the stemmer of English writes a last y as i. */
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

/** Not between the two halves of a character. */
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

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** More than anybody asks in; the database's parser gives up on operators without end. */
const termsMax = 20

/** Words alone, as the index has them: what stands between them (`/vault/v1`, `<script>`) parts them. */
export function extractWords(text: string): string {
  return (text.match(wordPattern) ?? []).join(' ')
}

/**
 * A question with only what a web search knows: words, `"phrases"`, `or`, and `-` before what is not wanted. `begun` is
 * its last word where that may be only begun, in lower case, and `before` what stands before it.
 */
export function parseSearchQuery(sent: string): { question: string; before: string; begun: string | null } {
  const terms = [...sent.matchAll(/(?<![^\s])(-?)(?:"([^"]*)"?|([^\s"]+))|"([^"]*)"?/g)]
    .map(([, minus = '', phrase, word, rest]) => ({
      isPlain: minus === '' && word !== undefined,
      isWanted: minus === '',
      words: extractWords(phrase ?? word ?? rest ?? ''),
    }))
    .filter(({ words }) => words !== '')
    .slice(0, termsMax)
  const textOf = (these: typeof terms) =>
    these.map(({ isPlain, isWanted, words }) => (isPlain ? words : `${isWanted ? '' : '-'}"${words}"`)).join(' ')
  const last = terms.at(-1)
  const isBegun = last?.isPlain === true && /[\p{L}\p{N}\p{M}]$/u.test(sent)
  const [, beforeInTerm = '', begun = ''] = /^(.* )?(\S+)$/.exec(last?.words ?? '') ?? []
  return {
    question: textOf(terms),
    before: isBegun ? `${textOf(terms.slice(0, -1))} ${beforeInTerm}`.trim() : textOf(terms),
    begun: isBegun ? begun.toLowerCase() : null,
  }
}
