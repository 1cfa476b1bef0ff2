import { cutPoint, type Span, splitSentences } from '../sentences/split-sentences.ts'
import type { TextBlock } from '../text-block.ts'
import { chunkCharsMax, type DocumentChunk } from './chunk.ts'

/** A chunk that is being filled. `isOpen`: it has only headings so far, so that another heading may follow. */
type Draft = { text: string; page: number | null; headings: string[]; isOpen: boolean }

/**
 * Cuts a document at its headings and pages, then between paragraphs, then between sentences. Every chunk has 1 to 1,200
 * characters, and joined they are the document's text: the blocks with an empty line between them, or a line end after list
 * items and table rows. A paragraph on two pages is two blocks without either. Blocks without text are left out.
 */
export function cutDocument(blocks: TextBlock[]): DocumentChunk[] {
  const written = blocks.filter(({ text }) => text !== '')
  const drafts: Draft[] = []
  const path: (string | undefined)[] = []
  for (const [i, block] of written.entries()) {
    const isLast = i === written.length - 1
    if (block.kind === 'heading') setHeading(path, block)
    const text = isLast ? block.text : `${block.text}${separator(block)}`
    addBlock(
      drafts,
      { ...block, text },
      path.filter((it) => it !== undefined),
    )
  }
  let start = 0
  return drafts.map(({ text, page, headings }) => {
    const chunk = { text, start, page, headings }
    start += countCodePoints(text)
    return chunk
  })
}

const separator = ({ kind, joint }: TextBlock) =>
  joint ?? (kind === 'list-item' || kind === 'table-row' ? '\n' : '\n\n')

/** Sets the heading of a level, and removes those below it. */
function setHeading(path: (string | undefined)[], { level, text }: TextBlock) {
  const depth = Math.min(Math.max(level ?? 1, 1), 6) - 1
  path.length = depth
  path[depth] = text.trim().slice(0, headingCharsMax)
}
const headingCharsMax = 200

function addBlock(drafts: Draft[], block: TextBlock, headings: string[]) {
  const last = drafts.at(-1)
  const isHeading = block.kind === 'heading'
  const isCut = last === undefined || last.page !== block.page || (isHeading && !last.isOpen)
  if (!isCut && last.text.length + block.text.length <= chunkCharsMax) {
    last.text += block.text
    last.isOpen &&= isHeading
    last.headings = isHeading ? headings : last.headings
    return
  }
  for (const text of cutText(block.text)) drafts.push({ text, page: block.page, headings, isOpen: isHeading })
}

/** Pieces of about the same size, so that none is a short rest. */
function cutText(text: string): string[] {
  if (text.length <= chunkCharsMax) return [text]
  const target = text.length / Math.ceil(text.length / (chunkCharsMax * 0.9))
  const pieces: string[] = []
  let from = 0
  let end = 0
  for (const sentence of sentencesWithSpace(text)) {
    if (sentence.end - from > chunkCharsMax || end - from >= target) {
      if (end > from) pieces.push(text.slice(from, end))
      from = end
    }
    end = sentence.end
  }
  pieces.push(text.slice(from))
  return pieces
}

/** Each sentence with the space behind it, which together are the text. Longer pieces of space are cut too. */
function sentencesWithSpace(text: string): Span[] {
  const sentences = splitSentences(text, 'und')
  const spans: Span[] = []
  let start = 0
  for (const i of sentences.keys()) {
    const end = sentences[i + 1]?.start ?? text.length
    while (end - start > chunkCharsMax) {
      const cut = cutPoint(text, start, chunkCharsMax)
      spans.push({ start, end: cut })
      start = cut
    }
    spans.push({ start, end })
    start = end
  }
  return spans
}

function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
