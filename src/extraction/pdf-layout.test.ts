import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentReadings } from '../../test/harness/document-readings.ts'
import { type PdfText, pdfFile, pdfLines } from '../../test/harness/pdf-file.ts'

const { shown } = documentReadings()
const shownPages = (pages: PdfText[][]) => shown('pdf', pdfFile(pages))

/** Ten full lines of a column, of which the last ends a sentence. */
const column = (name: string) => [
  ...Array.from({ length: 9 }, (_, line) => `${name} line ${line} goes on with words that fill it`),
  `${name} ends here with its last words, full stop.`,
]

describe('the text of a page', () => {
  test('is paragraphs of joined lines, without the hyphens at their ends', async () => {
    const lines = pdfLines(['The quick brown fox jum-', 'ped over the lazy dog and', 'ran away.'])
    const next = pdfLines(['Another one, after a gap.'], { y: 780 - 3 * 14 - 12 })
    assert.deepEqual(await shownPages([[...lines, ...next]]), [
      '1: The quick brown fox jumped over the lazy dog and ran away.',
      '1: Another one, after a gap.',
    ])
  })

  test('begins a paragraph at an indented line, and an item at each bullet', async () => {
    const y = (line: number) => 780 - 14 * line
    const page = [
      { text: 'A first paragraph that fills its line up to the end of it,', x: 60, y: y(0) },
      { text: 'and a second line that also goes on to the end of the line.', x: 60, y: y(1) },
      { text: 'An indented line begins another one that goes on for long', x: 78, y: y(2) },
      { text: 'enough, so it has a second line as well, and then an end.', x: 60, y: y(3) },
      { text: '\x95 one', x: 60, y: y(4) },
      { text: '2) two', x: 60, y: y(5) },
    ]
    assert.deepEqual(await shownPages([page]), [
      '1: A first paragraph that fills its line up to the end of it, and a second line that also goes on to the end of the line.',
      '1: An indented line begins another one that goes on for long enough, so it has a second line as well, and then an end.',
      '1: - • one',
      '1: - 2) two',
    ])
  })

  test('in two columns is read one column after the other, below a title across both', async () => {
    const page = [
      { text: 'A title that goes across both of the columns', x: 60, y: 800, size: 20 },
      ...pdfLines(column('Left'), { x: 60, y: 760 }),
      ...pdfLines(column('Right'), { x: 320, y: 760 }),
    ]
    // As a program that draws line by line: the order of drawing must not matter.
    page.sort((one, other) => other.y - one.y || one.x - other.x)
    assert.deepEqual(await shownPages([page]), [
      '1: # A title that goes across both of the columns',
      `1: ${column('Left').join(' ')}`,
      `1: ${column('Right').join(' ')}`,
    ])
  })

  test('in columns whose lines are not at one height is read one column after the other', async () => {
    const page = [...pdfLines(column('Left'), { x: 60 }), ...pdfLines(column('Right'), { x: 320, y: 775 })]
    assert.deepEqual(await shownPages([page]), [`1: ${column('Left').join(' ')}`, `1: ${column('Right').join(' ')}`])
  })

  test('in a table is read row by row, with the further lines of a cell', async () => {
    const rows = [
      ['Name', 'City', 'Score'],
      ['Ada', 'London', '12'],
      ['Bob', 'Paris and', '7'],
      ['', 'Rome', ''],
      ['Eve', 'Oslo', '9'],
    ]
    const page = rows.flatMap((row, line) =>
      row.map((text, cell) => ({ text, x: 60 + 120 * cell, y: 700 - 14 * line })).filter(({ text }) => text !== ''),
    )
    assert.deepEqual(await shownPages([[...pdfLines(['Before the table.']), ...page]]), [
      '1: Before the table.',
      '1: | Name | City | Score',
      '1: | Ada | London | 12',
      '1: | Bob | Paris and Rome | 7',
      '1: | Eve | Oslo | 9',
    ])
  })

  test('that is turned is read in its own direction', async () => {
    const turned = (text: string, x: number) => `BT /F1 11 Tf 0 1 -1 0 ${x} 100 Tm (${text}) Tj ET`
    const bytes = Buffer.from([turned('second line', 214), turned('The first and', 200)].join('\n'))
    assert.deepEqual(await shown('pdf', pdfFile([[]], { stream: { filter: '', bytes } })), [
      '1: The first and second line',
    ])
  })
})

describe('a document of several pages', () => {
  const body = ['Text of the usual size that is the most common one,', 'on more than a single line.']

  test('has headings where the type is clearly larger, by size', async () => {
    const page = [
      { text: 'Chapter', x: 60, y: 800, size: 22 },
      { text: 'Section', x: 60, y: 760, size: 16 },
      ...pdfLines(body, { y: 730 }),
      { text: 'Section again', x: 60, y: 680, size: 16 },
      { text: 'a caption', x: 60, y: 640, size: 12 },
    ]
    assert.deepEqual(await shownPages([page]), [
      '1: # Chapter',
      '1: ## Section',
      `1: ${body.join(' ')}`,
      '1: ## Section again',
      '1: a caption',
    ])
  })

  test('has its header once and no page numbers', async () => {
    const page = (number: number) => [
      { text: 'Report of the year', x: 60, y: 820 },
      ...pdfLines([`This is page ${'abcd'[number]} of the report.`], { y: 700 }),
      { text: `Page ${number + 1} of 4`, x: 280, y: 30 },
    ]
    assert.deepEqual(await shownPages([0, 1, 2, 3].map(page)), [
      '1: Report of the year',
      '1: This is page a of the report.',
      '2: This is page b of the report.',
      '3: This is page c of the report.',
      '4: This is page d of the report.',
    ])
  })

  test('joins a sentence that goes on at the top of the next page', async () => {
    assert.deepEqual(await shownPages([pdfLines(['This goes on and inter-']), pdfLines(['rupts nothing.', 'So.'])]), [
      '1: This goes on and interrupts nothing.',
      '2: So.',
    ])
    // Not even its last word may be lost where nothing follows it.
    assert.deepEqual(await shownPages([pdfLines(['This goes on and']), pdfLines(['ends here'])]), [
      '1: This goes on and ends here',
    ])
  })
})
