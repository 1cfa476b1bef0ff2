import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentReadings } from '../../test/harness/document-readings.ts'
import { pdfFile, pdfLines } from '../../test/harness/pdf-file.ts'

const { reader, read, shown } = documentReadings()

test('a PDF is read page by page, and tells of each', async () => {
  const seen: (number | null)[][] = []
  const bytes = pdfFile([pdfLines(['First page.']), pdfLines(['Second (page).'])])
  const result = await reader.read({ type: 'pdf', bytes, onPage: (page, of) => seen.push([page, of]) })
  assert.ok('extraction' in result && result.extraction.pages === 2)
  assert.deepEqual(seen, [
    [1, 2],
    [2, 2],
  ])
  assert.deepEqual(await shown('pdf', bytes), ['1: First page.', '2: Second (page).'])
})

test('a PDF with a password is ENCRYPTED, without text NO_TEXT, and of more than 1,000 pages TOO_LONG', async () => {
  assert.equal(await shown('pdf', pdfFile([pdfLines(['a'])], { isEncrypted: true })), 'ENCRYPTED')
  assert.equal(await shown('pdf', pdfFile([[], []])), 'NO_TEXT')
  assert.equal(await shown('pdf', pdfFile(Array.from({ length: 1001 }, () => []))), 'TOO_LONG')
})

test('a PDF whose cross references are wrong is read all the same, and what is none is BROKEN', async () => {
  assert.deepEqual(await shown('pdf', pdfFile([pdfLines(['a b'])], { offsetError: 7 })), ['1: a b'])
  for (const bytes of ['%PDF-1.7\n', '%PDF-1.7\ngarbage'.repeat(100), pdfFile([[]]).subarray(0, 60)])
    assert.equal(await shown('pdf', bytes), 'BROKEN')
  const failure = await read('pdf', '%PDF-1.7\n')
  assert.ok('failure' in failure && failure.failure.detail === 'The file is damaged and cannot be read.')
})
