import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docxFile, encryptedOffice, pptxFile, wordParagraph } from '../../test/harness/office-files.ts'
import { pdfFile } from '../../test/harness/pdf-file.ts'
import { zipFile } from '../../test/harness/zip-file.ts'
import { detectType } from './document-type.ts'

const typeOf = (content: string | Uint8Array, filename: string | null, mimeType: string | null = null) =>
  detectType(typeof content === 'string' ? Buffer.from(content) : content, { filename, mimeType })

test('a file whose bytes tell its type is of that type, whatever it is named', async () => {
  assert.equal(await typeOf(pdfFile([[]]), 'a.txt', 'text/plain'), 'pdf')
  assert.equal(await typeOf('\n \ufeff%PDF-1.4', null), 'pdf')
  assert.equal(await typeOf(docxFile(wordParagraph('a')), 'a.pptx'), 'docx')
  assert.equal(await typeOf(pptxFile([{ title: 'a' }]), 'a.pdf'), 'pptx')
  assert.equal(await typeOf('\ufeff<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE HTML><p>', 'a.md'), 'html')
  assert.equal(await typeOf('<html lang="en">', null), 'html')
})

test('other texts are what they are named, and else what was declared', async () => {
  assert.equal(await typeOf('<div>a</div>', 'a.MD', 'text/html'), 'markdown')
  assert.equal(await typeOf('We write %PDF-1.7 here', 'a.txt'), 'text')
  assert.equal(await typeOf('a', 'notes', 'Text/Markdown; charset=utf-8'), 'markdown')
  assert.equal(await typeOf('a', null, 'text/csv'), 'csv')
  for (const [name, type] of [
    ['a.vtt', 'vtt'],
    ['a.srt', 'srt'],
    ['a.csv', 'csv'],
    ['a.htm', 'html'],
  ] as const)
    assert.equal(await typeOf('a', name), type)
})

test('a file that nothing can read has no type', async () => {
  assert.equal(await typeOf('a', 'a.pdf', 'application/pdf'), null)
  assert.equal(await typeOf('a', 'a.docx'), null)
  assert.equal(await typeOf('a', 'a.exe', 'application/octet-stream'), null)
  assert.equal(await typeOf('a', null), null)
  assert.equal(await typeOf('a', 'constructor.constructor', '__proto__'), null)
  assert.equal(await typeOf(zipFile([{ name: 'xl/workbook.xml', content: '' }]), 'a.xlsx'), null)
  assert.equal(await typeOf(zipFile([{ name: 'a.txt', content: '' }]), 'a.txt'), null)
})

test('an Office file that is encrypted or cut off is what it is named, so that its failure can say why', async () => {
  assert.equal(await typeOf(encryptedOffice(), 'a.pptx'), 'pptx')
  assert.equal(await typeOf(encryptedOffice(), null), 'docx')
  assert.equal(await typeOf(encryptedOffice().fill(0, 600), 'a.doc'), null)
  assert.equal(await typeOf(docxFile(wordParagraph('a')).subarray(0, 900), 'a.docx'), 'docx')
  assert.equal(await typeOf(docxFile(wordParagraph('a')).subarray(0, 900), 'a.zip'), null)
})
