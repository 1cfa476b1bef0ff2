import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentReadings } from '../../test/harness/document-readings.ts'
import {
  docxFile,
  encryptedOffice,
  pptxFile,
  shape,
  wordParagraph,
  wordTable,
} from '../../test/harness/office-files.ts'
import { zipFile } from '../../test/harness/zip-file.ts'

const { read, shown } = documentReadings()

describe('a Word file', () => {
  test('is its headings, paragraphs, list items and table rows, in order and without pages', async () => {
    const file = docxFile(
      [
        wordParagraph('Title', { style: 'Title' }),
        wordParagraph('First & foremost', { style: 'Heading1' }),
        wordParagraph('A paragraph.'),
        wordParagraph('item', { isItem: true }),
        wordTable([
          ['a', 'b'],
          ['1', '2'],
        ]),
        wordParagraph('Sub', { style: 'Heading2' }),
      ].join(''),
    )
    assert.deepEqual(await shown('docx', file), [
      '# Title',
      '# First & foremost',
      'A paragraph.',
      '- item',
      '| a | b',
      '| 1 | 2',
      '## Sub',
    ])
    const result = await read('docx', file)
    assert.ok('extraction' in result && result.extraction.pages === null)
  })

  test('without any text is NO_TEXT', async () => {
    assert.equal(await shown('docx', docxFile(wordParagraph(' '))), 'NO_TEXT')
  })
})

describe('a presentation', () => {
  test('is its slides in the order in which they are shown, with titles, texts, tables and notes', async () => {
    const file = pptxFile([
      { title: 'One', body: ['a', 'b'], notes: 'Say this.' },
      { title: 'Two', table: [['x', 'y']], shapes: `<p:grpSp>${shape(null, ['in a group', 'more'])}</p:grpSp>` },
      { body: ['alone'] },
    ])
    assert.deepEqual(await shown('pptx', file), [
      '1: # One',
      '1: - a',
      '1: - b',
      '1: Say this.',
      '2: # Two',
      '2: | x | y',
      '2: in a group',
      '2: more',
      '3: alone',
    ])
  })

  test('tells of each slide when it was read', async (t) => {
    const { reader } = documentReadings({}, t)
    const seen: (number | null)[][] = []
    const bytes = pptxFile([{ title: 'One' }, { title: 'Two' }])
    const result = await reader.read({ type: 'pptx', bytes, onPage: (read, of) => seen.push([read, of]) })
    assert.ok('extraction' in result && result.extraction.pages === 2)
    assert.deepEqual(seen, [
      [1, 2],
      [2, 2],
    ])
  })

  test('of more than 1,000 slides is TOO_LONG', async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => `<p:sldId id="${256 + index}" r:id="rId1"/>`).join('')
    const content = `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`
    assert.equal(
      await shown('pptx', pptxFile([{ title: 'One' }], [{ name: 'ppt/presentation.xml', content }])),
      'TOO_LONG',
    )
  })
})

test('an Office file with a password is ENCRYPTED, in its envelope or as a ZIP', async () => {
  for (const type of ['docx', 'pptx'] as const) {
    assert.equal(await shown(type, encryptedOffice()), 'ENCRYPTED')
    const zip = zipFile([{ name: 'word/document.xml', content: 'x', isEncrypted: true }])
    assert.equal(await shown(type, zip), 'ENCRYPTED')
  }
})

test('an Office file without its main part, or that is no ZIP file, is BROKEN', async () => {
  for (const type of ['docx', 'pptx'] as const) {
    assert.equal(await shown(type, zipFile([{ name: 'a.xml', content: '<a/>' }])), 'BROKEN')
    assert.equal(await shown(type, docxFile(wordParagraph('a')).subarray(0, 700)), 'BROKEN')
    assert.equal(await shown(type, 'PK\x03\x04'), 'BROKEN')
  }
})
