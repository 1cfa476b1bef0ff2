import type { Passage, RenderedText } from '../kernel/markup.ts'
import { clean } from './cleaning.ts'
import { parse } from './markdown.ts'

/** Both block the process until they are done. `markup.ts` decides which process that is. */
export const renderers = {
  markdown: (text: string): RenderedText => {
    const { html, toc, passages } = parse(text)
    return { html: clean(html), toc, wordCount: totalWords(passages), passages }
  },
  html: clean,
}

function totalWords(passages: Passage[]): number {
  return passages.reduce((total, { heading, text }) => total + countWords(heading) + countWords(text), 0)
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0
}
