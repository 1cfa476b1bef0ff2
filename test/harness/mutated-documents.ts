import type { DocumentType } from '../../src/extraction/document-type.ts'
import { docxParts, pptxParts, wordParagraph, wordTable } from './office-files.ts'
import { pdfFile, pdfLines } from './pdf-file.ts'
import { type Random, seededRandom } from './seeded-random.ts'
import { type ZipEntry, zipFile } from './zip-file.ts'

export type MutatedDocument = { type: DocumentType; bytes: Buffer; seed: number }

const officeParts: Partial<Record<DocumentType, ZipEntry[]>> = {
  docx: docxParts(
    wordParagraph('Head', { style: 'Heading1' }) +
      wordParagraph('Text.') +
      wordTable([['a', 'b']]) +
      wordParagraph('End.'),
  ),
  pptx: pptxParts([{ title: 'One', body: ['a', 'b'], notes: 'n' }, { table: [['c', 'd']] }]),
}

const wholeFiles: Record<DocumentType, Buffer> = {
  pdf: pdfFile([pdfLines(['A first page of text.', 'It has two lines.']), pdfLines(['And a second page.'])]),
  docx: zipFile(officeParts.docx ?? []),
  pptx: zipFile(officeParts.pptx ?? []),
  html: Buffer.from(
    '<!doctype html><h1>Head</h1><p>One &amp; <b>two</b></p><table><tr><td>a<td>b</table><ul><li>c</ul>',
  ),
  markdown: Buffer.from(
    '# Head\n\nOne *two* [three](/x)\n\n- a\n  - b\n\n| c | d |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n',
  ),
  text: Buffer.from('One\ntwo\n\nthree äöü 漢字\n'),
  vtt: Buffer.from(
    'WEBVTT\n\nNOTE x\n\n1\n00:01.000 --> 00:02.000\n<v Ada>Hello <i>you</i>\n\n00:03.000 --> 00:04.000\nBye\n',
  ),
  srt: Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\n<b>Bye</b>\n'),
  csv: Buffer.from('a,b,c\n1,"two, 2",3\n"4 ""x""",5,6\n'),
}

/** PDF, Word and PowerPoint have the longest parsers. */
const weights: [number, DocumentType][] = [
  [8, 'pdf'],
  [5, 'docx'],
  [5, 'pptx'],
  [3, 'html'],
  [2, 'markdown'],
  [1, 'text'],
  [1, 'vtt'],
  [1, 'srt'],
  [1, 'csv'],
]

/** Numbers that programs do not expect. */
const oddNumbers = ['0', '-1', '65535', '4294967295', '99999999999999999999', '1e99', '0.0000001', '']

/** A small whole file of a type with some damage, always the same for a seed. */
export function mutatedDocument(seed: number): MutatedDocument {
  const random = seededRandom(seed)
  const type = random.weighted(weights)
  const parts = officeParts[type]
  if (parts === undefined || random.below(4) === 0) return { type, bytes: damaged(wholeFiles[type], random), seed }
  // Damage to a ZIP file is mostly seen before any part is read. So one part is damaged, and all are packed again.
  const chosen = random.oneOf(parts)
  const entries = parts.map((part) =>
    part === chosen ? { ...part, content: damaged(Buffer.from(part.content as Uint8Array), random) } : part,
  )
  return { type, bytes: zipFile(entries), seed }
}

function damaged(whole: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(whole)
  for (let change = 1 + random.below(4); change > 0; change--) {
    if (bytes.length > 0) bytes = Buffer.from(random.oneOf(mutations)(bytes, random))
  }
  return bytes
}

const mutations: ((bytes: Buffer, random: Random) => Uint8Array)[] = [
  // Other bytes at some places.
  (bytes, random) => {
    for (let n = 1 + random.below(8); n > 0; n--) bytes[random.below(bytes.length)] = random.below(256)
    return bytes
  },
  // One bit.
  (bytes, random) => {
    const at = random.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    return bytes
  },
  // The end is missing, or a part.
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  (bytes, random) => {
    const at = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.below(200))])
  },
  // A part is there again and again.
  (bytes, random) => {
    const at = random.below(bytes.length)
    const part = bytes.subarray(at, at + random.below(100))
    return Buffer.concat([
      bytes.subarray(0, at),
      ...Array.from({ length: random.below(2000) }, () => part),
      bytes.subarray(at),
    ])
  },
  // Two parts of the file are exchanged.
  (bytes, random) => {
    const [one = 0, other = 0] = [random.below(bytes.length), random.below(bytes.length)].sort((a, b) => a - b)
    return Buffer.concat([bytes.subarray(other), bytes.subarray(one, other), bytes.subarray(0, one)])
  },
  // A tag is missing, or there again.
  (bytes, random) => {
    const text = bytes.toString('latin1')
    const tags = [...text.matchAll(/<[^<>]{1,300}>/g)]
    if (tags.length === 0) return bytes
    const { 0: tag, index } = random.oneOf(tags)
    const other = random.oneOf(['', tag + tag, random.oneOf(tags)[0]])
    return Buffer.from(text.slice(0, index) + other + text.slice(index + tag.length), 'latin1')
  },
  // A number in the text is another one.
  (bytes, random) => {
    const text = bytes.toString('latin1')
    const numbers = [...text.matchAll(/\d+/g)]
    if (numbers.length === 0) return bytes
    const { 0: number, index } = random.oneOf(numbers)
    return Buffer.from(text.slice(0, index) + random.oneOf(oddNumbers) + text.slice(index + number.length), 'latin1')
  },
]
