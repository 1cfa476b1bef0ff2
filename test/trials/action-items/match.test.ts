import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Label, matches } from './match.ts'

const label: Label = { who: 'Ada', what: 'send the minutes to everyone', entries: [10, 12] }

for (const { title, entries, right, why } of [
  { title: 'I will send the minute', entries: [12], right: true, why: 'the same entry and words in another form' },
  { title: 'I will send it', entries: [15], right: true, why: 'three entries later' },
  { title: 'I will send it', entries: [7], right: true, why: 'three entries before' },
  { title: 'I will send it', entries: [1, 13], right: true, why: 'one of its entries is near' },
  { title: 'I will send the minutes', entries: [16], right: false, why: 'four entries later' },
  { title: 'I will call the printer', entries: [10], right: false, why: 'no word in common' },
  { title: 'I will do it to the end', entries: [10], right: false, why: 'only stop words in common' },
])
  test(`a proposal ${right ? 'matches a label' : 'matches no label'}: ${why}`, () => {
    assert.equal(matches({ title, entries }, label), right)
  })
