/** A text at a place of a page, in points from its lower left corner. Default: 11 points of Helvetica. */
export type PdfText = { text: string; x: number; y: number; size?: number; isBold?: boolean }

export type PdfOptions = {
  isEncrypted?: boolean
  /** The offsets in the table of cross references are wrong by so many bytes. */
  offsetError?: number
  /** Said of the pages instead of their number. */
  statedPages?: number
  /** In place of Helvetica, a font that is not in the file. Texts are then its codes, one byte a letter. */
  cidFont?: { encoding: string; collection: string }
  /** Another content stream of every page, with its filter. */
  stream?: { filter: string; bytes: Uint8Array }
}

/** A PDF 1.7 of hand-placed texts in Latin letters. */
export function pdfFile(pages: PdfText[][], options: PdfOptions = {}): Buffer {
  const { isEncrypted, offsetError = 0, statedPages = pages.length, stream, cidFont } = options
  const pageId = (index: number) => 10 + 2 * index
  const objects = new Map<number, Buffer>([
    [1, Buffer.from('<< /Type /Catalog /Pages 2 0 R >>')],
    [
      2,
      Buffer.from(
        `<< /Type /Pages /Count ${statedPages} /Kids [${pages.map((_, index) => `${pageId(index)} 0 R`).join(' ')}] >>`,
      ),
    ],
    [3, cidFont ? compositeFont(cidFont.encoding) : font('Helvetica')],
    [4, font('Helvetica-Bold')],
    [
      5,
      Buffer.from(
        `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
      ),
    ],
    ...(cidFont ? ([[6, descendantFont(cidFont.collection)]] as const) : []),
    ...pages.flatMap((texts, index): [number, Buffer][] => [
      [
        pageId(index),
        Buffer.from(
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${pageId(index) + 1} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
        ),
      ],
      [
        pageId(index) + 1,
        contentStream(stream ?? { filter: '', bytes: Buffer.from(texts.map(drawing).join('\n'), 'latin1') }),
      ],
    ]),
  ])
  return assemble(objects, {
    offsetError,
    trailer: isEncrypted ? `/Encrypt 5 0 R /ID [<${'01'.repeat(16)}> <${'01'.repeat(16)}>]` : '',
  })
}

function font(name: string): Buffer {
  return Buffer.from(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`)
}

function compositeFont(encoding: string): Buffer {
  return Buffer.from(
    `<< /Type /Font /Subtype /Type0 /BaseFont /SomeFont /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
  )
}

/** Of a collection of Adobe's, such as Japan1. */
function descendantFont(collection: string): Buffer {
  const systemInfo = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${collection}) /Supplement 0 >>`
  const descriptor = '/FontDescriptor << /Type /FontDescriptor /FontName /SomeFont /Flags 4 >>'
  return Buffer.from(
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /SomeFont ${systemInfo} ${descriptor} /DW 1000 >>`,
  )
}

function drawing({ text, x, y, size = 11, isBold = false }: PdfText): string {
  return `BT /${isBold ? 'F2' : 'F1'} ${size} Tf ${x} ${y} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`
}

function contentStream({ filter, bytes }: { filter: string; bytes: Uint8Array }): Buffer {
  const named = filter === '' ? '' : `/Filter /${filter} `
  return Buffer.concat([
    Buffer.from(`<< ${named}/Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

function assemble(
  objects: Map<number, Buffer>,
  { offsetError, trailer }: { offsetError: number; trailer: string },
): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let offset = parts[0]?.length ?? 0
  const lines: string[] = ['0 1', '0000000000 65535 f ']
  for (const [id, content] of [...objects].sort(([one], [other]) => one - other)) {
    const object = Buffer.concat([Buffer.from(`${id} 0 obj\n`), content, Buffer.from('\nendobj\n')])
    lines.push(`${id} 1`, `${String(offset + offsetError).padStart(10, '0')} 00000 n `)
    parts.push(object)
    offset += object.length
  }
  const size = Math.max(...objects.keys()) + 1
  parts.push(
    Buffer.from(
      `xref\n${lines.join('\n')}\ntrailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${offset + offsetError}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

/** Lines below each other, as a word processor places them. */
export function pdfLines(lines: string[], { x = 60, y = 780, size = 11, leading = 14 } = {}): PdfText[] {
  return lines.map((text, index) => ({ text, x, y: y - index * leading, size }))
}
