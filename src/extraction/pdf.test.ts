import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getResolvedPDFJS } from 'unpdf'
import { documentReadings } from '../../test/harness/document-readings.ts'
import { pdfFile, pdfLines } from '../../test/harness/pdf-file.ts'
import { PredefinedCMapFactory, predefinedCMaps } from './formats/pdf/predefined-cmaps.ts'

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

/** Of codes that are written as bytes. */
function cidPdf(collection: string, { encoding, codes }: { encoding: string; codes: Buffer }): Buffer {
  return pdfFile([pdfLines([codes.toString('latin1')])], { cidFont: { encoding, collection } })
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16()

test('Chinese, Japanese and Korean are read where the PDF names an encoding and does not bring the font', async () => {
  const cases: [encoding: string, collection: string, codes: Buffer, text: string][] = [
    ['UniGB-UCS2-H', 'GB1', utf16('中文文件。'), '中文文件。'],
    ['GBK-EUC-H', 'GB1', Buffer.from('d6d0cec4', 'hex'), '中文'],
    ['GBK2K-H', 'GB1', Buffer.from('d6d0cec4', 'hex'), '中文'],
    ['UniCNS-UTF16-H', 'CNS1', utf16('繁體中文'), '繁體中文'],
    ['ETen-B5-H', 'CNS1', Buffer.from('a4a4a4e5', 'hex'), '中文'],
    ['UniJIS-UTF16-H', 'Japan1', utf16('日本語のテキスト'), '日本語のテキスト'],
    ['90ms-RKSJ-H', 'Japan1', Buffer.from('93fa967b8cea', 'hex'), '日本語'],
    ['EUC-H', 'Japan1', Buffer.from('c6fccbdc', 'hex'), '日本'],
    ['UniKS-UCS2-H', 'Korea1', utf16('한국어'), '한국어'],
    ['KSCms-UHC-H', 'Korea1', Buffer.from('c7d1b1b9beee', 'hex'), '한국어'],
    // Numbers of Adobe's collection itself, as typesetting programs write them.
    ['Identity-H', 'Japan1', Buffer.from('0cd60dbb', 'hex'), '入鰭'],
  ]
  for (const [encoding, collection, codes, text] of cases)
    assert.deepEqual(await shown('pdf', cidPdf(collection, { encoding, codes })), [`1: ${text}`], encoding)
})

test('an encoding of a PDF is looked up by name and is never a path', async () => {
  const isKnown = (name: string) => predefinedCMaps().byName.has(name)
  assert.ok(isKnown('UniJIS-UCS2-H') && !isKnown('../cmaps'))
  const factory = new PredefinedCMapFactory()
  for (const filename of ['../cmaps.br', '/etc/passwd', 'cmaps.license.txt', '__proto__', 'UniJIS-UCS2-H/../x.bcmap'])
    await assert.rejects(factory.fetch({ kind: 'cMapUrl', filename }), { message: 'There is no cMapUrl of this name.' })
  await assert.rejects(factory.fetch({ kind: 'standardFontDataUrl', filename: 'UniJIS-UCS2-H.bcmap' }))
  for (const encoding of ['Unknown-H', '..#2f..#2fetc#2fpasswd'])
    assert.equal(await shown('pdf', cidPdf('GB1', { encoding, codes: utf16('中文') })), 'NO_TEXT')
})

test('columns of Japanese are read from right to left, with the punctuation of lines', async () => {
  const columns = [
    '吾輩は猫である。名前はまだ無い。どこで生れたか',
    'とんと見当がつかぬ。「何でも薄暗い所で」、記憶している。',
  ]
  const texts = columns.map((text, index) => ({ text: utf16(text).toString('latin1'), x: 400 - 18 * index, y: 780 }))
  const cidFont = { encoding: 'UniJIS-UCS2-V', collection: 'Japan1' }
  assert.deepEqual(await shown('pdf', pdfFile([texts], { cidFont })), [`1: ${columns.join('')}`])
})

test('the packed encodings are those of the PDF.js that reads', async () => {
  const { version } = await getResolvedPDFJS()
  assert.equal(predefinedCMaps().version, version, 'Run node scripts/pack-cmaps.ts.')
  assert.equal(predefinedCMaps().byName.size, 168)
})
