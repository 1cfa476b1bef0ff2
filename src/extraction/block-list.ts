import type { TextBlock } from '../retrieval/text-block.ts'
import { blocksMax, charactersMax, ExtractionError } from './extraction.ts'

/** A longer heading is a paragraph in large type. Headings are stored with every piece of a document. */
const headingLengthMax = 300

export type BlockList = {
  readonly blocks: TextBlock[]
  readonly characters: number
  /** Cleans the text and drops a block without any. Throws TOO_LONG past the limits. */
  add(block: {
    kind: TextBlock['kind']
    level?: number | null
    page?: number | null
    text: string
    joint?: TextBlock['joint']
  }): void
}

/** Collects what a reader finds. All readers end here, so this is where texts become valid and bounded. */
export function blockList(): BlockList {
  const blocks: TextBlock[] = []
  let characters = 0
  return {
    blocks,
    get characters() {
      return characters
    },
    add({ kind, level = null, page = null, text, joint }) {
      const clean = cleanText(text)
      if (!hasText(clean)) return
      const isHeading = kind === 'heading' && clean.length <= headingLengthMax
      const isOther = kind === 'heading' && !isHeading
      characters += codePointCount(clean)
      if (characters > charactersMax)
        throw new ExtractionError('TOO_LONG', `The document has more than ${charactersMax} characters.`)
      if (blocks.length === blocksMax)
        throw new ExtractionError('TOO_LONG', `The document has more than ${blocksMax} paragraphs and rows.`)
      blocks.push({
        kind: isOther ? 'paragraph' : kind,
        level: isHeading ? Math.min(6, Math.max(1, level ?? 1)) : null,
        page,
        text: isHeading ? clean.replaceAll('\n', ' ') : clean,
        ...(joint === undefined ? {} : { joint }),
      })
    },
  }
}

/**
 * No store keeps NUL or half a surrogate pair. Other control characters, soft hyphens and byte order marks are no text, and would
 * part words for the search.
 */
function cleanText(text: string): string {
  const wellFormed = text.toWellFormed().replaceAll('\0', '\ufffd')
  return wellFormed
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[\u00ad\ufeff]/g, '')
    .replace(/(?!\n|\t)\p{Cc}/gu, ' ')
    .trim()
}

/** Characters that stand for nothing known are no text: a PDF without the names of its letters has only them. */
function hasText(text: string): boolean {
  return /[^\s\ufffd\p{Co}]/u.test(text)
}

function codePointCount(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff](?=[\udc00-\udfff])/g)?.length ?? 0)
}
