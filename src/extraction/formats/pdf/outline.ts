import { splitSentences } from '../../../retrieval/sentences/split-sentences.ts'
import type { TextBlock } from '../../../retrieval/text-block.ts'
import { joinLines, type Part } from './paragraphs.ts'

/** A heading's size beside that of most text. Smaller differences are those of captions and quotations. */
const headingRatio = 1.12
const headingLengthMax = 200
const headingLinesMax = 3

/** The parts of a page, which is numbered from 1. */
export type PageParts = { page: number; parts: Part[] }

type SizedBlock = TextBlock & { size: number }

/** What needs to know all pages: which sizes are those of headings, and which paragraphs go on on the next page. */
export function outlineBlocks(pages: PageParts[]): TextBlock[] {
  const bodySize = mostCommonSize(pages.flatMap(({ parts }) => parts))
  const blocks = joinedAcrossPages(
    pages.flatMap(({ page, parts }) => parts.map((part) => blockOf(part, { page, bodySize }))),
  )
  const levels = headingLevels(blocks)
  return blocks.map(({ size, ...block }) => {
    return { ...block, level: block.kind === 'heading' ? (levels.get(rounded(size)) ?? 6) : null }
  })
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2
}

/** By letters, not by parts: most text is in the size of the body. */
function mostCommonSize(parts: Part[]): number {
  const letters = new Map<number, number>()
  for (const { size, text } of parts) letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + text.length)
  const [most] = [...letters].sort(([, one], [, other]) => other - one)
  return most?.[0] ?? 0
}

function blockOf(
  { kind, text, size, lines }: Part,
  { page, bodySize }: { page: number; bodySize: number },
): SizedBlock {
  const isLarge = size >= headingRatio * bodySize && text.length <= headingLengthMax && lines <= headingLinesMax
  const isHeading = kind !== 'row' && isLarge && /\p{L}/u.test(text) && !/[.,;]$|… \S{0,5}$/.test(text)
  const kinds = { text: 'paragraph', item: 'list-item', row: 'table-row' } as const
  return { kind: isHeading ? 'heading' : kinds[kind], level: null, page, text, size }
}

/** The largest size of headings is level 1. */
function headingLevels(blocks: SizedBlock[]): Map<number, number> {
  const sizes = new Set(blocks.filter(({ kind }) => kind === 'heading').map(({ size }) => rounded(size)))
  return new Map([...sizes].sort((one, other) => other - one).map((size, index) => [size, Math.min(6, index + 1)]))
}

/**
 * A paragraph that continues at the top of the next page stays one. The sentence on both pages belongs to the first of them, and
 * those behind it are a block of the second, so that what is quoted has the page on which it begins.
 */
function joinedAcrossPages(blocks: SizedBlock[]): SizedBlock[] {
  const joined: SizedBlock[] = []
  for (const [index, block] of blocks.entries()) {
    const last = joined.at(-1)
    const isNextPage = last !== undefined && blocks[index - 1]?.page !== block.page
    const isText = last?.kind === 'paragraph' && block.kind === 'paragraph' && last.size === block.size
    const goesOn = isNextPage && isText && /[\p{L}\d,;-]$/u.test(last.text) && /^\p{Ll}/u.test(block.text)
    if (!goesOn) {
      joined.push(block)
      continue
    }
    const text = joinLines(last.text, block.text)
    const onNextPage = text.length - block.text.length
    const begun = splitSentences(text, 'und').find(({ start }) => start >= onNextPage)
    last.text = text.slice(0, begun?.start).trimEnd()
    if (begun === undefined) continue
    last.joint = last.text.length === begun.start ? '' : ' '
    joined.push({ ...block, text: text.slice(begun.start) })
  }
  return joined
}
