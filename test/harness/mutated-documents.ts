import type { DocumentType } from '../../src/knowledge/extraction/document-type.ts'
import { docxFile, pptxFile, wordParagraph, wordTable } from './office-files.ts'
import { pdfFile, pdfLines } from './pdf-file.ts'
import { type Random, seededRandom } from './seeded-random.ts'

export type MutatedDocument = { type: DocumentType; bytes: Buffer; seed: number }

const wholeFiles: Record<DocumentType, Buffer> = {
  pdf: pdfFile([pdfLines(['A first page of text.', 'It has two lines.']), pdfLines(['And a second page.'])]),
  docx: docxFile(wordParagraph('Head', { style: 'Heading1' }) + wordParagraph('Text.') + wordTable([['a', 'b']])),
  pptx: pptxFile([{ title: 'One', body: ['a', 'b'], notes: 'n' }, { table: [['c', 'd']] }]),
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
  let bytes = Buffer.from(wholeFiles[type])
  for (let change = 1 + random.below(4); change > 0; change--)
    bytes = Buffer.from(random.oneOf(mutations)(bytes, random))
  return { type, bytes, seed }
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
  // A number in the text is another one.
  (bytes, random) => {
    const text = bytes.toString('latin1')
    const numbers = [...text.matchAll(/\d+/g)]
    if (numbers.length === 0) return bytes
    const { 0: number, index } = random.oneOf(numbers)
    return Buffer.from(text.slice(0, index) + random.oneOf(oddNumbers) + text.slice(index + number.length), 'latin1')
  },
]
