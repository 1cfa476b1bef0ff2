import { getResolvedPDFJS } from 'unpdf'
import type { TextBlock } from '../../../retrieval/text-block.ts'
import { charactersMax, ExtractionError, pagesMax } from '../../extraction.ts'
import type { FileReader } from '../file-reader.ts'
import { readingOrder } from './columns.ts'
import { outlineBlocks } from './outline.ts'
import { withoutPageEdges } from './page-edges.ts'
import { pageRows, type Row } from './page-runs.ts'
import { columnParts } from './paragraphs.ts'
import { PredefinedCMapFactory } from './predefined-cmaps.ts'

type Pdfjs = Awaited<ReturnType<typeof getResolvedPDFJS>>
type PdfDocument = Awaited<ReturnType<Pdfjs['getDocument']>['promise']>

// PDF.js gives up work that nobody awaits when a document is destroyed. It must not end the worker of the next one.
process.on('unhandledRejection', () => undefined)

export const readPdf: FileReader = async (bytes, { list, onPage }) => {
  const pdfjs = await getResolvedPDFJS()
  const task = pdfjs.getDocument({
    data: bytes,
    // Text needs no fonts but those in the file, and nothing is loaded but CMaps: not from the disk, not from the network.
    useSystemFonts: true,
    disableFontFace: true,
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    BinaryDataFactory: PredefinedCMapFactory,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  })
  try {
    const pdf = await openPdf(task.promise)
    if (pdf.numPages > pagesMax) throw new ExtractionError('TOO_LONG', `The document has more than ${pagesMax} pages.`)
    const pages = await readPages(pdf, (page) => onPage(page, pdf.numPages))
    for (const block of pageBlocks(pages)) list.add(block)
    return { pages: pdf.numPages }
  } finally {
    await task.destroy()
  }
}

async function openPdf(opening: Promise<PdfDocument>): Promise<PdfDocument> {
  try {
    return await opening
  } catch (error) {
    if ((error as Error).name === 'PasswordException')
      throw new ExtractionError('ENCRYPTED', 'The file needs a password.')
    throw error
  }
}

/** The rows of each page, for each direction of its text. */
async function readPages(pdf: PdfDocument, onPage: (page: number) => void): Promise<Row[][][]> {
  const pages: Row[][][] = []
  let letters = 0
  for (let page = 1; page <= pdf.numPages; page++) {
    const items = await readItems(pdf, page)
    pages.push(pageRows(items))
    letters += items.reduce((sum, { str }) => sum + str.length, 0)
    // Pages may lose headers and hyphens, but not half of their text.
    if (letters > 2 * charactersMax)
      throw new ExtractionError('TOO_LONG', `The document has more than ${charactersMax} characters.`)
    onPage(page)
  }
  return pages
}

function pageBlocks(pages: Row[][][]): TextBlock[] {
  const upright = withoutPageEdges(pages.map(([rows = []]) => rows))
  return outlineBlocks(
    pages.map(([, ...turned], index) => {
      const columns = [upright[index] ?? [], ...turned].flatMap((rows) => readingOrder(rows))
      return { page: index + 1, parts: columns.flatMap(columnParts) }
    }),
  )
}

async function readItems(pdf: PdfDocument, number: number) {
  try {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return items.filter((item) => 'str' in item)
  } catch {
    throw new ExtractionError('BROKEN', `Page ${number} is damaged and cannot be read.`)
  }
}
