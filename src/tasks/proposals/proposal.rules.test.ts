import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { shorten, titleLettersMax, toProposals } from './proposal.rules.ts'

const entry = (seq: number, text: string) => ({ seq, speaker: 'Leo', text, timestamp: '00:00:10' })
const item = (text: string, seqs: number[]) => ({ text, owner: 'Leo', due: null, seqs })

describe('proposals', () => {
  test('are known by the last entry they cite and their place among those', () => {
    const entries = [entry(3, 'Send it.'), entry(5, 'I will call. I will write.')]
    const proposals = toProposals([item('I will call', [5]), item('Send it', [3, 5]), item('Send it', [3])], entries)
    assert.deepEqual(
      proposals.map(({ seq, place }) => [seq, place]),
      [
        [5, 0],
        [5, 1],
        [3, 0],
      ],
    )
  })

  test('quote the stored text of the entry that holds their words', () => {
    const entries = [entry(1, 'Leo, can you  send an update?'), entry(2, 'Will do.')]
    const [proposal] = toProposals([item('can you send an update', [1, 2])], entries)
    assert.deepEqual(proposal?.evidence, {
      speaker: 'Leo',
      timestamp: '00:00:10',
      quote: 'Leo, can you  send an update?',
      seqs: [1, 2],
    })
  })

  test('quote from where their words begin in a long entry', () => {
    const text = `${'So. '.repeat(2000)}I will call them tomorrow. ${'Well. '.repeat(100)}`
    const quote = toProposals([item('I will call them tomorrow', [1])], [entry(1, text)])[0]?.evidence.quote ?? ''
    assert.ok(quote.startsWith('I will call them tomorrow. Well.') && text.includes(quote) && quote.length <= 1000)
  })

  test('rest on entries that are all there', () => {
    assert.deepEqual(toProposals([item('Send it', [3, 5])], [entry(5, 'Send it.')]), [])
  })
})

test('a title has at most 500 letters and one line, and a short one stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 1200 }), (text) => {
      const [proposal] = toProposals([item(text, [1])], [entry(1, text)])
      assert.ok([...(proposal?.title ?? '')].length <= titleLettersMax)
      assert.ok(!/[\r\n]/.test(proposal?.title ?? ''))
      const short = [...text].slice(0, titleLettersMax).join('')
      assert.equal(shorten(short, titleLettersMax), short)
    }),
  )
})
