import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findQuotations } from './quotations.ts'

test('finds what stands in the quotation marks of several languages', () => {
  assert.deepEqual(findQuotations('She said “yes” and "no".'), ['yes', 'no'])
  assert.deepEqual(findQuotations('Er sagte „ja“, sie «oui», »nein« och ”nej”.'), ['ja', 'oui', 'nein', 'nej'])
  assert.deepEqual(findQuotations("Nobody's words, and it's 5 o'clock."), [])
})

test('of marks within marks the outer ones count, and what is not closed reaches to the end', () => {
  assert.deepEqual(findQuotations('It says “he told me “no” twice”.'), ['he told me “no” twice'])
  assert.deepEqual(findQuotations('It says „er sagte „nein“ dazu“.'), ['er sagte „nein“ dazu'])
  assert.deepEqual(findQuotations('“a” and “b to the end'), ['a', 'b to the end'])
})

test('leaves nothing out that stands between marks, whatever they are', () => {
  const piece = fc.constantFrom('“', '”', '„', '«', '»', '"', 'word', ' ')
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('')
      const found = findQuotations(`“${text}`)
      assert.ok(found.length > 0)
      assert.ok(found.every((it) => text.includes(it)))
    }),
  )
})
