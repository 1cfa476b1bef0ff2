import { getResolvedPDFJS } from 'unpdf'
import { ExtractionError, pagesMax } from '../extraction.ts'
import type { FileReader } from './file-reader.ts'
import { addPage } from './pdf-layout.ts'

type Pdfjs = Awaited<ReturnType<typeof getResolvedPDFJS>>
type PdfDocument = Awaited<ReturnType<Pdfjs['getDocument']>['promise']>

// PDF.js gives up work that nobody awaits when a document is destroyed. It must not end the thread of the next one.
process.on('unhandledRejection', () => undefined)

export const readPdf: FileReader = async (bytes, { list, onPage }) => {
  const pdfjs = await getResolvedPDFJS()
  const task = pdfjs.getDocument({
    data: bytes,
    // Text needs no fonts but those in the file, and nothing is loaded: not from the disk, not from the network.
    useSystemFonts: true,
    disableFontFace: true,
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  })
  try {
    const pdf = await openPdf(task.promise)
    if (pdf.numPages > pagesMax) throw new ExtractionError('TOO_LONG', `The document has more than ${pagesMax} pages.`)
    for (let page = 1; page <= pdf.numPages; page++) {
      addPage(await readItems(pdf, page), { page, list })
      onPage(page, pdf.numPages)
    }
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
