import type { Passage, RenderedText } from '../kernel/markup.ts'
import { clean } from './cleaning.ts'
import { parse } from './markdown.ts'

/** Both hold the processor until they are done; `markup.ts` says where. */
export const createMarkupRenderer = {
  markdown: (text: string): RenderedText => {
    const { html, toc, passages } = parse(text)
    return { html: clean(html), toc, wordCount: wordsIn(passages), passages }
  },
  html: clean,
}

function wordsIn(passages: Passage[]): number {
  return passages.reduce((total, { heading, text }) => total + countWords(heading) + countWords(text), 0)
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0
}
