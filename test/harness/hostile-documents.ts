import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import type { DocumentType } from '../../src/extraction/document-type.ts'
import type { ExtractionFailure } from '../../src/extraction/extraction.ts'
import { docxFile, pptxFile, relationships, wordParagraph } from './office-files.ts'
import { pdfFile, pdfLines } from './pdf-file.ts'
import { zipFile } from './zip-file.ts'

export type HostileDocument = {
  name: string
  type: DocumentType
  make(): Uint8Array | string
  /** What it must come to; where it says nothing, any result or failure will do. */
  expected?: ExtractionFailure | 'READ'
  /** It takes all of its time. */
  isSlow?: true
}

const megabyte = 1024 * 1024
const levels = 100_000

const slide = (content: string) => [{ name: 'ppt/slides/slide1.xml', content }]
const word = (content: string) => [{ name: 'word/document.xml', content }]
const wordHead = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const nested = (open: string, close: string, inside = 'text') => open.repeat(levels) + inside + close.repeat(levels)

const laughs = Array.from({ length: 9 }, (_, level) => {
  return `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`
}).join('')
const laughing = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]><x>&l9;</x>`

const archives: HostileDocument[] = [
  {
    name: 'a Word file of 150 MB of spaces',
    type: 'docx',
    expected: 'TOO_MUCH',
    make: () => docxFile('', { others: word(`<w:document ${wordHead}>${' '.repeat(150 * megabyte)}</w:document>`) }),
  },
  {
    name: 'a Word file that states a small size for 60 MB',
    type: 'docx',
    expected: 'BROKEN',
    make: () =>
      docxFile('', {
        others: [{ name: 'word/document.xml', content: Buffer.alloc(60 * megabyte), statedBytes: 1000 }],
      }),
  },
  {
    name: 'a presentation that states 4 GB',
    type: 'pptx',
    expected: 'TOO_MUCH',
    make: () => pptxFile([], [{ name: 'ppt/media/a.bin', content: 'a', statedBytes: 0xfffffff0 }]),
  },
  {
    name: 'a Word file with 2,001 entries',
    type: 'docx',
    expected: 'TOO_MUCH',
    make: () =>
      docxFile(wordParagraph('a'), {
        others: Array.from({ length: 2001 }, (_, n) => ({ name: `word/media/${n}.xml`, content: '' })),
      }),
  },
  {
    name: 'a presentation with ZIP files in each other',
    type: 'pptx',
    expected: 'READ',
    make: () => {
      const inner = zipFile([{ name: 'a.bin', content: Buffer.alloc(20 * megabyte) }])
      return pptxFile(
        [{ title: 'a' }],
        [{ name: 'ppt/embeddings/a.zip', content: zipFile([{ name: 'a.zip', content: inner }]) }],
      )
    },
  },
  {
    name: 'a Word file whose names leave the file',
    type: 'docx',
    expected: 'BROKEN',
    make: () => docxFile(wordParagraph('a'), { others: [{ name: '../../../etc/passwd', content: 'a' }] }),
  },
]

const xmls: HostileDocument[] = [
  {
    name: 'a presentation with entities that grow',
    type: 'pptx',
    expected: 'BROKEN',
    make: () => pptxFile([{}], slide(laughing)),
  },
  {
    name: 'a Word file with entities that grow',
    type: 'docx',
    expected: 'BROKEN',
    make: () => docxFile('', { others: word(laughing) }),
  },
  {
    name: 'a presentation of 100,000 levels',
    type: 'pptx',
    expected: 'TOO_MUCH',
    make: () => pptxFile([{}], slide(`<x>${nested('<a>', '</a>')}</x>`)),
  },
  {
    name: 'a Word file of 100,000 levels',
    type: 'docx',
    expected: 'TOO_MUCH',
    make: () => docxFile(nested('<w:p>', '</w:p>')),
  },
  {
    name: 'a Word file of 250 levels of tables',
    type: 'docx',
    expected: 'READ',
    make: () => docxFile('<w:tbl><w:tr><w:tc>'.repeat(80) + wordParagraph('a') + '</w:tc></w:tr></w:tbl>'.repeat(80)),
  },
  {
    name: 'a Word file with 100,000 attributes',
    type: 'docx',
    make: () => docxFile(`<w:p ${Array.from({ length: levels }, (_, n) => `a${n}=""`).join(' ')}/>`),
  },
  {
    name: 'a Word file whose styles are based on each other',
    type: 'docx',
    expected: 'READ',
    make: () =>
      docxFile(wordParagraph('a', { style: 'A' }), {
        others: [
          {
            name: 'word/styles.xml',
            content: `<w:styles ${wordHead}><w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="A"/><w:name w:val="__proto__"/></w:style></w:styles>`,
          },
        ],
      }),
  },
  {
    name: 'a presentation that shows a slide 1,000 times',
    type: 'pptx',
    expected: 'TOO_LONG',
    make: () => {
      const ids = '<p:sldId r:id="rId1"/>'.repeat(1000)
      const content = `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`
      return pptxFile([{ body: ['word '.repeat(20_000)] }], [{ name: 'ppt/presentation.xml', content }])
    },
  },
  {
    name: 'a presentation whose slide is its own notes',
    type: 'pptx',
    expected: 'READ',
    make: () =>
      pptxFile(
        [{ title: 'a' }],
        [
          {
            name: 'ppt/slides/_rels/slide1.xml.rels',
            content: relationships([{ id: 'rId1', type: 'notesSlide', target: 'slide1.xml' }]),
          },
        ],
      ),
  },
]

const texts: HostileDocument[] = [
  { name: 'HTML of 100,000 levels', type: 'html', expected: 'TOO_MUCH', make: () => nested('<div>', '</div>') },
  { name: 'HTML of 100,000 lists in each other', type: 'html', make: () => '<ul><li>a'.repeat(levels) },
  {
    name: 'HTML of 100,000 tables in each other',
    type: 'html',
    expected: 'TOO_MUCH',
    make: () => '<table><tr><td>a'.repeat(levels),
  },
  { name: 'HTML that closes what is not open', type: 'html', make: () => '<b>'.repeat(levels) + '</i>'.repeat(levels) },
  { name: 'HTML with a tag that never ends', type: 'html', make: () => `<p title="${'a'.repeat(megabyte)}` },
  { name: 'HTML with a million attributes', type: 'html', make: () => `<p ${'a=b '.repeat(1_000_000)}>a</p>` },
  { name: 'HTML with open comments', type: 'html', make: () => '<!-- a --!'.repeat(levels) },
  { name: 'HTML with a million entities', type: 'html', make: () => '&amp;&#x41;&notanentity;'.repeat(300_000) },
  {
    name: 'HTML of one table with 100,000 rows',
    type: 'html',
    expected: 'READ',
    make: () => `<table>${'<tr><td>a<td>b'.repeat(levels)}`,
  },
  { name: 'Markdown of 100,000 quotes in each other', type: 'markdown', make: () => '> '.repeat(levels) },
  { name: 'Markdown of lists in each other', type: 'markdown', make: () => `${'- '.repeat(levels)}a` },
  { name: 'Markdown of open brackets', type: 'markdown', make: () => '['.repeat(levels) },
  { name: 'Markdown of open emphasis', type: 'markdown', make: () => '*a **b '.repeat(levels / 4) },
  {
    name: 'Markdown of back ticks',
    type: 'markdown',
    make: () => Array.from({ length: 600 }, (_, n) => '`'.repeat(n)).join(' '),
  },
  {
    name: 'Markdown of a table that fills its rows',
    type: 'markdown',
    make: () => `|${'a|'.repeat(1000)}\n|${'-|'.repeat(1000)}\n${'|a\n'.repeat(20_000)}`,
  },
  { name: 'an endless line', type: 'text', expected: 'READ', make: () => 'a'.repeat(4 * megabyte) },
  { name: 'four million empty lines', type: 'text', make: () => '\n'.repeat(4_000_000) },
  { name: 'a CSV file of one endless line', type: 'csv', expected: 'TOO_MUCH', make: () => 'a,'.repeat(megabyte) },
  { name: 'a CSV file of open quotes', type: 'csv', make: () => '"a""'.repeat(megabyte) },
  {
    name: 'a CSV file with a header that is repeated in each row',
    type: 'csv',
    expected: 'TOO_LONG',
    make: () => `${'header '.repeat(10_000)}\n${'1\n'.repeat(100_000)}`,
  },
  {
    name: 'captions of one endless cue',
    type: 'vtt',
    make: () => `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<v a>b '.repeat(levels)}`,
  },
  {
    name: 'captions of open tags',
    type: 'srt',
    make: () => `1\n00:00:01,000 --> 00:00:02,000\n${'<b {\\'.repeat(levels)}`,
  },
]

const flate = (text: string | Uint8Array) => ({ filter: 'FlateDecode', bytes: deflateSync(text) })

const pdfs: HostileDocument[] = [
  {
    name: 'a PDF of 10,000 pages',
    type: 'pdf',
    expected: 'TOO_LONG',
    make: () => pdfFile(Array.from({ length: 10_000 }, () => pdfLines(['a']))),
  },
  {
    name: 'a PDF that states a billion pages',
    type: 'pdf',
    make: () => pdfFile([pdfLines(['a'])], { statedPages: 1e9 }),
  },
  { name: 'a PDF that states -1 pages', type: 'pdf', make: () => pdfFile([pdfLines(['a'])], { statedPages: -1 }) },
  {
    name: 'a PDF with wrong cross references',
    type: 'pdf',
    expected: 'READ',
    make: () => pdfFile([pdfLines(['a'])], { offsetError: 3 }),
  },
  {
    name: 'a PDF with a million drawn letters',
    type: 'pdf',
    make: () => pdfFile([[]], { stream: flate(`BT /F1 9 Tf ${'1 0 Td (a) Tj '.repeat(1_000_000)} ET`) }),
  },
  {
    name: 'a PDF with 100,000 columns',
    type: 'pdf',
    make: () => pdfFile([[]], { stream: flate(`BT /F1 9 Tf ${'30 0 Td (a) Tj '.repeat(levels)} ET`) }),
  },
  {
    name: 'a PDF with texts at places that are no numbers',
    type: 'pdf',
    make: () =>
      pdfFile([[]], {
        stream: flate('BT /F1 1e38 Tf 1e38 1e38 Td 1e38 0 0 1e38 1e38 1e38 Tm (a) Tj 0 Tz (b) Tj -1e38 Tc (c) Tj ET'),
      }),
  },
  {
    name: 'a PDF with arrays in arrays',
    type: 'pdf',
    make: () => pdfFile([[]], { stream: flate(`${'['.repeat(levels)}(a) Tj`) }),
  },
  {
    name: 'a PDF whose objects are arrays in arrays',
    type: 'pdf',
    make: () => replaced(pdfFile([pdfLines(['a'])]), '/MediaBox [0 0 595 842]', `/MediaBox ${'['.repeat(levels)}`),
  },
  {
    name: 'a PDF whose pages contain themselves',
    type: 'pdf',
    expected: 'BROKEN',
    make: () => replaced(pdfFile([pdfLines(['a'])]), '/Kids [10 0 R]', '/Kids [ 2 0 R]'),
  },
  {
    name: 'a PDF whose page is its own content',
    type: 'pdf',
    make: () => replaced(pdfFile([pdfLines(['a'])]), '/Contents 11 0 R', '/Contents 10 0 R'),
  },
  {
    name: 'a PDF with a length of its stream that is too long',
    type: 'pdf',
    make: () => replaced(pdfFile([pdfLines(['a'])]), '/Length ', '/Length 99999'),
  },
  {
    name: 'a PDF whose cross references are at themselves',
    type: 'pdf',
    make: () => replaced(pdfFile([pdfLines(['a'])]), 'trailer\n<<', 'trailer\n<< /Prev 15 /XRefStm 15'),
  },
  {
    name: 'a PDF of an open string',
    type: 'pdf',
    expected: 'BROKEN',
    make: () => `%PDF-1.7\n1 0 obj\n${'('.repeat(megabyte)}`,
  },
  {
    name: 'a PDF of object headers',
    type: 'pdf',
    isSlow: true,
    make: () => `%PDF-1.7\n${'1 0 obj << '.repeat(levels)}`,
  },
  {
    name: 'a PDF whose page unpacks to 1 GB',
    type: 'pdf',
    isSlow: true,
    expected: 'TOO_MUCH',
    make: () => pdfFile([[]], { stream: repeatedFlate(1024) }),
  },
]

/** So many megabytes of spaces, packed to 1 KB each: blocks that end at a byte follow each other as often as one likes. */
function repeatedFlate(megabytes: number) {
  const block = deflateRawSync(Buffer.alloc(megabyte, 0x20), { finishFlush: constants.Z_FULL_FLUSH })
  const head = Buffer.from([0x78, 0x9c])
  return { filter: 'FlateDecode', bytes: Buffer.concat([head, ...Array.from({ length: megabytes }, () => block)]) }
}

function replaced(file: Buffer, one: string, other: string): Buffer {
  return Buffer.from(file.toString('latin1').replace(one, other), 'latin1')
}

/** Files that are made to crash, to fill the memory, to take forever or to make their reader read what is not in them. */
export const hostileDocuments: HostileDocument[] = [...archives, ...xmls, ...texts, ...pdfs]
