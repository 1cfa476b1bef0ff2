import { type ZipEntry, zipFile } from './zip-file.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const packageTypes = 'http://schemas.openxmlformats.org/package/2006/relationships'
const officeTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const wordNamespaces = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${officeTypes}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"`
const slideNamespaces = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${officeTypes}"`

export function relationships(links: { id: string; type: string; target: string; isExternal?: boolean }[]): string {
  const elements = links.map(
    ({ id, type, target, isExternal }) =>
      `<Relationship Id="${id}" Type="${officeTypes}/${type}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
  )
  return `${head}<Relationships xmlns="${packageTypes}">${elements.join('')}</Relationships>`
}

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** A paragraph of Word, of a style such as `Heading1` or `Title`, or an item of a list. */
export function wordParagraph(text: string, { style, isItem }: { style?: string; isItem?: boolean } = {}): string {
  const numbering = isItem ? '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>' : ''
  const properties = `<w:pPr>${style ? `<w:pStyle w:val="${style}"/>` : ''}${numbering}</w:pPr>`
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${xmlText(text)}</w:t></w:r></w:p>`
}

export function wordTable(rows: string[][]): string {
  const cells = (row: string[]) => row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('')
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`
}

const styles = ['Title', 'Subtitle', ...[1, 2, 3].map((level) => `heading ${level}`)].map((name) => {
  const id = name.replace('heading ', 'Heading')
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
})
const numbering =
  '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'

type WordOptions = { links?: Parameters<typeof relationships>[0]; others?: ZipEntry[] }

/** A Word file with this body. `links` are what the body refers to, `others` are more parts or replace the usual ones. */
export function docxFile(body: string, { links = [], others = [] }: WordOptions = {}): Buffer {
  return zipFile(withOthers(docxParts(body, links), others))
}

function withOthers(parts: ZipEntry[], others: ZipEntry[]): ZipEntry[] {
  const replaced = new Set(others.map(({ name }) => name))
  return [...parts.filter(({ name }) => !replaced.has(name)), ...others]
}

export function docxParts(body: string, links: Parameters<typeof relationships>[0] = []): ZipEntry[] {
  return [
    { name: '[Content_Types].xml', content: contentTypes },
    {
      name: '_rels/.rels',
      content: relationships([{ id: 'rId1', type: 'officeDocument', target: 'word/document.xml' }]),
    },
    {
      name: 'word/document.xml',
      content: `${head}<w:document ${wordNamespaces}><w:body>${body}</w:body></w:document>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      content: relationships([
        { id: 'rIdStyles', type: 'styles', target: 'styles.xml' },
        { id: 'rIdNumbering', type: 'numbering', target: 'numbering.xml' },
        ...links,
      ]),
    },
    { name: 'word/styles.xml', content: `${head}<w:styles ${wordNamespaces}>${styles.join('')}</w:styles>` },
    { name: 'word/numbering.xml', content: `${head}<w:numbering ${wordNamespaces}>${numbering}</w:numbering>` },
  ]
}

const contentTypes = `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/></Types>`

export type Slide = {
  title?: string
  body?: string[]
  table?: string[][]
  notes?: string
  /** More shapes, as XML. */
  shapes?: string
}

/** A presentation. Its files are named in the reverse of its order, so that reading by name is wrong. */
export function pptxFile(slides: Slide[], others: ZipEntry[] = []): Buffer {
  return zipFile(withOthers(pptxParts(slides), others))
}

export function pptxParts(slides: Slide[]): ZipEntry[] {
  const fileNumber = (index: number) => slides.length - index
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('')
  return [
    { name: '[Content_Types].xml', content: contentTypes },
    {
      name: '_rels/.rels',
      content: relationships([{ id: 'rId1', type: 'officeDocument', target: 'ppt/presentation.xml' }]),
    },
    {
      name: 'ppt/presentation.xml',
      content: `${head}<p:presentation ${slideNamespaces}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: relationships(
        slides.map((_, index) => {
          return { id: `rId${index + 1}`, type: 'slide', target: `slides/slide${fileNumber(index)}.xml` }
        }),
      ),
    },
    ...slides.flatMap((slide, index) => slideParts(slide, fileNumber(index))),
  ]
}

export function shape(placeholder: string | null, texts: string[]): string {
  const mark = placeholder === null ? '' : `<p:ph${placeholder === '' ? '' : ` type="${placeholder}"`}/>`
  return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${mark}</p:nvPr></p:nvSpPr><p:txBody>${drawnTexts(texts)}</p:txBody></p:sp>`
}

function drawnTexts(texts: string[]): string {
  return texts.map((text) => `<a:p><a:r><a:t>${xmlText(text)}</a:t></a:r></a:p>`).join('')
}

function slideParts({ title, body = [], table = [], notes, shapes = '' }: Slide, number: number): ZipEntry[] {
  const cells = (row: string[]) => row.map((cell) => `<a:tc><a:txBody>${drawnTexts([cell])}</a:txBody></a:tc>`).join('')
  const rows = table.map((row) => `<a:tr>${cells(row)}</a:tr>`).join('')
  const drawn = [
    title === undefined ? '' : shape('title', [title]),
    body.length === 0 ? '' : shape('', body),
    rows === ''
      ? ''
      : `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
    shape('sldNum', [String(number)]),
    shapes,
  ]
  const slide = (content: string) =>
    `${head}<p:sld ${slideNamespaces}><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`
  const parts = [{ name: `ppt/slides/slide${number}.xml`, content: slide(drawn.join('')) }]
  if (notes === undefined) return parts
  const target = `../notesSlides/notesSlide${number}.xml`
  return [
    ...parts,
    {
      name: `ppt/slides/_rels/slide${number}.xml.rels`,
      content: relationships([{ id: 'rId1', type: 'notesSlide', target }]),
    },
    {
      name: `ppt/notesSlides/notesSlide${number}.xml`,
      content: slide(shape('body', [notes]) + shape('sldNum', ['1'])),
    },
  ]
}

/** The start of the envelope of an Office file with a password: a compound file with the stream of the encrypted package. */
export function encryptedOffice(): Buffer {
  const signature = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  return Buffer.concat([signature, Buffer.alloc(1016), Buffer.from('EncryptedPackage', 'utf16le'), Buffer.alloc(476)])
}
