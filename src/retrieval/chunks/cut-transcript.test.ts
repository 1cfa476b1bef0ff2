import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { chunkCharsMax } from './chunk.ts'
import { cutTranscript } from './cut-transcript.ts'

const anyEntries = fc
  .array(
    fc.record({
      speaker: fc.constantFrom('Ann', 'Bo', 'x'.repeat(300), ''),
      text: fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 300 }),
        fc
          .array(fc.constantFrom('We agreed. ', 'and so on ', '😀', 'y'.repeat(700)), { maxLength: 40 })
          .map((it) => it.join('')),
      ),
    }),
    { maxLength: 40 },
  )
  .map((entries) => entries.map((it, i) => ({ ...it, seq: i + 1 })))

test('each part of a chunk is the text of its entry, and every word of every entry is in one', () => {
  fc.assert(
    fc.property(anyEntries, (entries) => {
      const said = new Map(entries.map((it) => [it.seq, '']))
      for (const { text, parts } of cutTranscript(entries)) {
        assert.ok(text.length <= chunkCharsMax)
        for (const { seq, start, end, textStart } of parts) {
          const words = entries[seq - 1]?.text.slice(start, end) ?? ''
          assert.ok(words.length > 0)
          assert.equal(text.slice(textStart, textStart + end - start), words)
          said.set(seq, `${said.get(seq)}${words}`)
        }
      }
      const letters = (it: string | undefined) => it?.replace(/\s/g, '')
      for (const { seq, text } of entries) assert.equal(letters(said.get(seq)), letters(text))
    }),
    { numRuns: 200 },
  )
})

test('entries that are appended change only the last chunk', () => {
  fc.assert(
    fc.property(anyEntries, fc.nat(), (entries, at) => {
      const before = cutTranscript(entries.slice(0, at % (entries.length + 1)))
      const after = cutTranscript(entries)
      assert.deepEqual(after.slice(0, Math.max(0, before.length - 1)), before.slice(0, -1))
    }),
    { numRuns: 200 },
  )
})
