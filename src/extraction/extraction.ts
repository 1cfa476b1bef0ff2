import type { TextBlock } from '../retrieval/text-block.ts'

/** What was read from a file: at least one block. */
export type Extraction = {
  blocks: TextBlock[]
  /** Null for a type that has none. */
  pages: number | null
  /** Code points in all texts of the blocks. */
  characters: number
}

/**
 * ENCRYPTED needs a password, NO_TEXT has none (a scan), BROKEN is not what its type says, TOO_LONG has too many pages or
 * characters, TOO_MUCH takes too much time, memory or unpacked space.
 */
export type ExtractionFailure = 'ENCRYPTED' | 'NO_TEXT' | 'BROKEN' | 'TOO_LONG' | 'TOO_MUCH'

export const pagesMax = 1_000
export const charactersMax = 5_000_000
/** Of a file with 5 million characters, few blocks would be 20 characters long. More would fill the memory of who stores them. */
export const blocksMax = 250_000

/** Thrown by the readers of the formats. The detail is a sentence for the person who uploaded the file. */
export class ExtractionError extends Error {
  readonly code: ExtractionFailure
  readonly detail: string

  constructor(code: ExtractionFailure, detail: string) {
    super(`${code}: ${detail}`)
    this.code = code
    this.detail = detail
  }
}
