import { answerInWorker } from '../workers/answer-in-worker.ts'
import { encodeBlocks } from './block-batches.ts'
import { blockList } from './block-list.ts'
import type { Failure, PageReport, ReadInWorker } from './document-reader.ts'
import type { DocumentType } from './document-type.ts'
import { ExtractionError } from './extraction.ts'
import type { FileReader } from './formats/file-reader.ts'

/** Each loads its library with the first document of its type. */
const readers: Record<DocumentType, () => Promise<FileReader>> = {
  pdf: async () => (await import('./formats/pdf/pdf.ts')).readPdf,
  docx: async () => (await import('./formats/docx.ts')).readDocx,
  pptx: async () => (await import('./formats/pptx.ts')).readPptx,
  html: async () => (await import('./formats/html.ts')).readHtml,
  markdown: async () => (await import('./formats/markdown.ts')).readMarkdown,
  text: async () => (await import('./formats/text.ts')).readText,
  vtt: async () => (await import('./formats/cues.ts')).readCues,
  srt: async () => (await import('./formats/cues.ts')).readCues,
  csv: async () => (await import('./formats/csv.ts')).readCsv,
}

answerInWorker(async ({ type }: { type: DocumentType }, bytes, progress): Promise<ReadInWorker> => {
  const read = await readers[type]()
  const list = blockList()
  try {
    const { pages } = await read(bytes, { list, onPage: (page, of) => progress({ page, of } satisfies PageReport) })
    if (list.blocks.length === 0) throw new ExtractionError('NO_TEXT', 'The document has no text.')
    return { batches: encodeBlocks(list.blocks), pages, characters: list.characters }
  } catch (error) {
    return { failure: failureOf(error) }
  }
})

/** A library that throws was given something that its format does not allow. */
function failureOf(error: unknown): Failure {
  if (error instanceof ExtractionError) return { code: error.code, detail: error.detail }
  if (error instanceof RangeError && /call stack/.test(error.message))
    return { code: 'TOO_MUCH', detail: 'The document is nested too deeply.' }
  return { code: 'BROKEN', detail: 'The file is damaged and cannot be read.', cause: String(error) }
}
