import { after } from 'node:test'
import { documentReader } from '../../src/extraction/document-reader.ts'
import type { DocumentType } from '../../src/extraction/document-type.ts'

/** Reads files with a worker of its own, until the file's tests, or the given one, have ended. Blocks as short texts: `# heading`, `- item`, `| row`, and paragraphs as they are. */
export function documentReadings(
  options: Parameters<typeof documentReader>[0] = {},
  test: { after(close: () => unknown): void } = { after },
) {
  const reader = documentReader(options)
  test.after(() => reader.close())
  const read = (type: DocumentType, content: string | Uint8Array) =>
    reader.read({ type, bytes: typeof content === 'string' ? Buffer.from(content) : content })
  return {
    reader,
    read,
    /** The code of a failure, or the blocks. */
    shown: async (type: DocumentType, content: string | Uint8Array): Promise<string | string[]> => {
      const result = await read(type, content)
      if ('failure' in result) return result.failure.code
      return result.extraction.blocks.map(({ kind, level, page, text }) => {
        const mark = { heading: `${'#'.repeat(level ?? 0)} `, 'list-item': '- ', 'table-row': '| ', paragraph: '' }[
          kind
        ]
        return `${page === null ? '' : `${page}: `}${mark}${text}`
      })
    },
  }
}
