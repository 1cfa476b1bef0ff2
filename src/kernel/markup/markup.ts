import { Refusal } from '../refusal.ts'
import type { Passage, TocEntry } from './passage.ts'

export type { Passage, TocEntry } from './passage.ts'

export type Rendered = { html: string; toc: TocEntry[]; wordCount: number; passages: Passage[] }

/** In characters. The slowest text of this length that we found took two seconds, a table of 1,000 rows and 100 columns. */
export const markupLengthMax = 200_000

/**
 * Markdown as HTML that is safe to put into any page: raw HTML in it is text, and the result is cleaned once more by
 * `cleanHtml`. To be called when the text is written, not when it is read. Refuses VALIDATION_ERROR past the length.
 */
export async function renderMarkdown(markdown: string): Promise<Rendered> {
  refuseLong(markdown)
  // Loaded by the first text: a start without one does not pay for them.
  const [{ parse }, { clean }] = await Promise.all([import('./markdown.ts'), import('./cleaning.ts')])
  const { html, toc, passages } = parse(markdown)
  return { html: clean(html), toc, wordCount: wordsIn(passages), passages }
}

/**
 * HTML of a caller with only the elements, attributes and addresses that are safe in any page; the same when cleaned
 * again. Refuses VALIDATION_ERROR past the length.
 */
export async function cleanHtml(html: string): Promise<string> {
  refuseLong(html)
  const { clean } = await import('./cleaning.ts')
  return clean(html)
}

function refuseLong(text: string): void {
  if (text.length > markupLengthMax)
    throw new Refusal('VALIDATION_ERROR', { detail: `A text has at most ${markupLengthMax} characters.` })
}

function wordsIn(passages: Passage[]): number {
  return passages.reduce((total, { heading, text }) => total + countWords(heading) + countWords(text), 0)
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0
}
