import type { BlockList } from '../block-list.ts'

/** Reads the bytes of a file of one type into the list. Throws an `ExtractionError`, or what its library throws for a broken file. */
export type FileReader = (
  bytes: Uint8Array,
  into: { list: BlockList; onPage: (read: number, of: number | null) => void },
) => Promise<{ pages: number | null }> | { pages: number | null }
