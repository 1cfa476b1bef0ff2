import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import type { TextBlock } from '../text-block.ts'
import { chunkCharsMax } from './chunk.ts'
import { cutDocument } from './cut-document.ts'

const paragraph = (text: string, rest: Partial<TextBlock> = {}): TextBlock => ({
  kind: 'paragraph',
  level: null,
  page: null,
  text,
  ...rest,
})
const heading = (text: string, level: number) => paragraph(text, { kind: 'heading', level })

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({ unit: anyCharacter, maxLength: 2000 }),
  fc
    .array(fc.constantFrom('word ', 'A sentence ends here. ', '\n', '😀', 'e\u0301', '語', 'x'.repeat(500)), {
      maxLength: 300,
    })
    .map((parts) => parts.join('')),
)
const anyBlock = fc.record<TextBlock>({
  kind: fc.constantFrom('heading', 'paragraph', 'list-item', 'table-row'),
  level: fc.constantFrom(null, 1, 2, 6),
  page: fc.constantFrom(null, 1, 2),
  text: anyText,
})

test('chunks joined are the text of the document to the code point, and each starts where it says', () => {
  fc.assert(
    fc.property(fc.array(anyBlock, { maxLength: 12 }), (blocks) => {
      const chunks = cutDocument(blocks)
      const text = chunks.map((it) => it.text).join('')
      const written = blocks.filter((it) => it.text !== '')
      const separator = ({ kind }: TextBlock) => (kind === 'list-item' || kind === 'table-row' ? '\n' : '\n\n')
      const whole = written.map((it, i) => (i === written.length - 1 ? it.text : it.text + separator(it))).join('')
      assert.equal(text, whole)
      const points = [...text]
      for (const chunk of chunks)
        assert.equal(points.slice(chunk.start, chunk.start + [...chunk.text].length).join(''), chunk.text)
    }),
    { numRuns: 300 },
  )
})

test('no chunk is empty, longer than 1,200 characters, or begins within a letter', () => {
  fc.assert(
    fc.property(fc.array(anyBlock, { maxLength: 12 }), (blocks) => {
      for (const { text } of cutDocument(blocks)) {
        assert.ok(text.length > 0 && text.length <= chunkCharsMax)
        assert.ok(text.isWellFormed() || !blocks.every((it) => it.text.isWellFormed()))
      }
    }),
    { numRuns: 300 },
  )
  // Letters of two UTF-16 characters, and marks of two that no letter separates, after one of a single character.
  for (const letter of ['😀', '\u{1e8d0}'])
    for (const { text } of cutDocument([paragraph(`x${letter.repeat(1500)}`)]))
      assert.ok(text.isWellFormed() && text.length <= chunkCharsMax)
  const accents = cutDocument([paragraph('e\u0301'.repeat(2000))])
  assert.ok(accents.every(({ text }) => text.startsWith('e') && text.length <= chunkCharsMax))
})

test('a paragraph on two pages is one paragraph of the text, and each chunk has its page', () => {
  const chunks = cutDocument([
    paragraph('One sentence goes on.', { page: 1, joint: ' ' }),
    paragraph('Another begins.', { page: 2 }),
    paragraph('More.', { page: 2 }),
  ])
  assert.deepEqual(
    chunks.map(({ text, page, start }) => [text, page, start]),
    [
      ['One sentence goes on. ', 1, 0],
      ['Another begins.\n\nMore.', 2, 22],
    ],
  )
})

test('a chunk knows its page and the path of its headings', () => {
  const chunks = cutDocument([
    heading('Guide', 1),
    heading('Install', 2),
    paragraph('Run the installer.', { page: null }),
    heading('Use', 2),
    paragraph('Open the app.'),
    heading('Appendix', 1),
    paragraph('Terms.'),
  ])
  assert.deepEqual(
    chunks.map(({ text, headings }) => [text, headings]),
    [
      ['Guide\n\nInstall\n\nRun the installer.\n\n', ['Guide', 'Install']],
      ['Use\n\nOpen the app.\n\n', ['Guide', 'Use']],
      ['Appendix\n\nTerms.', ['Appendix']],
    ],
  )
  const pages = cutDocument([
    paragraph('One.', { page: 1 }),
    paragraph('More.', { page: 1 }),
    paragraph('Two.', { page: 2 }),
  ])
  assert.deepEqual(
    pages.map(({ text, page }) => [text, page]),
    [
      ['One.\n\nMore.\n\n', 1],
      ['Two.', 2],
    ],
  )
})

test('a long paragraph is cut between sentences, into pieces of about the same size', () => {
  const sentence =
    'The committee met on Tuesday to talk about the budget of the next year and the plans of the schools. '
  const chunks = cutDocument([paragraph(sentence.repeat(13).trim())])
  assert.equal(chunks.length, 2)
  for (const { text } of chunks) assert.ok(text.startsWith('The committee') && text.length > 500)
})
