import { isOleContainer, isZip } from './signatures.ts'
import { listZipNames } from './zip-directory.ts'

/** The types that can be read, and what they are called in `mimeType`. */
export const mimeTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  csv: 'text/csv',
} as const

export type DocumentType = keyof typeof mimeTypes

const extensions: Record<string, DocumentType> = {
  pdf: 'pdf',
  docx: 'docx',
  pptx: 'pptx',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  md: 'markdown',
  markdown: 'markdown',
  txt: 'text',
  text: 'text',
  log: 'text',
  vtt: 'vtt',
  srt: 'srt',
  csv: 'csv',
}

const declaredTypes = new Map<string, DocumentType>([
  ...Object.entries(mimeTypes).map(([type, mimeType]) => [mimeType, type as DocumentType] as const),
  ['text/x-markdown', 'markdown'],
  ['application/xhtml+xml', 'html'],
  ['text/srt', 'srt'],
  ['application/csv', 'csv'],
])

/** These are what their bytes say: a name alone makes no file one of them. */
const toldByBytes: readonly DocumentType[] = ['pdf', 'docx', 'pptx']

/** A PDF's header stands within its first 1,024 bytes (ISO 32000-1, annex H). Space before HTML may be longer. */
const leadBytes = 8 * 1024
const pdfHeaderBytes = 1024

/**
 * The type of a file, by the bytes where bytes tell (PDF, ZIP, HTML), else by name and declared type. Null is a type that
 * cannot be read. An encrypted Office file is the type that it is named.
 * @param bytes of the whole file: what a ZIP contains is written at its end
 */
export async function detectType(
  bytes: Uint8Array,
  named: { filename: string | null; mimeType: string | null },
): Promise<DocumentType | null> {
  const byName = typeByName(named)
  const lead = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, leadBytes)).toString('latin1')
  if (isZip(bytes)) return zipType(bytes, byName)
  if (isOleContainer(bytes)) return byName === 'docx' || byName === 'pptx' ? byName : encryptedType(bytes)
  const text = lead.replace(/^(?:\xef\xbb\xbf|\s)+/, '')
  if (text.startsWith('%PDF-')) return 'pdf'
  if (byName === 'pdf') return lead.slice(0, pdfHeaderBytes).includes('%PDF-') ? 'pdf' : null
  if (isHtml(text)) return 'html'
  return byName !== null && !toldByBytes.includes(byName) ? byName : null
}

function typeByName({ filename, mimeType }: { filename: string | null; mimeType: string | null }): DocumentType | null {
  const extension = filename?.slice(filename.lastIndexOf('.') + 1).toLowerCase() ?? ''
  if (Object.hasOwn(extensions, extension)) return extensions[extension] ?? null
  const declared = mimeType?.split(';')[0]?.trim().toLowerCase() ?? ''
  return declaredTypes.get(declared) ?? null
}

/** A ZIP whose directory cannot be read is what it is named, and turns out to be broken when it is read. */
async function zipType(bytes: Uint8Array, byName: DocumentType | null): Promise<DocumentType | null> {
  const names = await listZipNames(bytes)
  if (names === null) return byName === 'docx' || byName === 'pptx' ? byName : null
  if (names.some((name) => name.startsWith('word/'))) return 'docx'
  if (names.some((name) => name.startsWith('ppt/'))) return 'pptx'
  return null
}

/** The stream of an encrypted package (MS-OFFCRYPTO 2.3.4.4). Nothing outside of it says what was encrypted. */
function encryptedType(bytes: Uint8Array): DocumentType | null {
  const stream = Buffer.from('EncryptedPackage', 'utf16le')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(stream) ? 'docx' : null
}

/** With a document type or an `html` element at its start, behind comments and an XML declaration. */
function isHtml(text: string): boolean {
  let rest = text.toLowerCase()
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?xml') ? '?>' : null
    if (end === null) return /^<(?:!doctype\s+html|html|head|body)[\s>]/.test(rest)
    const index = rest.indexOf(end)
    if (index === -1) return false
    rest = rest.slice(index + end.length).trimStart()
  }
}
