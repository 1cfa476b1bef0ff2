import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { orderedOutput } from './ordered-output.ts'
import { describeTotals, sumTotals } from './test-totals.ts'

describe('what several runs of tests write at the same time', () => {
  it('is shown one run after the other, the current one as it comes', () => {
    const shown: string[] = []
    const output = orderedOutput(3, (text) => shown.push(text))
    output.of(1)('second ')
    output.of(0)('first ')
    output.end(1)
    output.of(2)('third, ')
    assert.deepEqual(shown, ['first '])
    output.end(0)
    assert.deepEqual(shown, ['first ', 'second ', 'third, '])
    output.of(2)('and on')
    output.end(2)
    assert.deepEqual(shown.at(-1), 'and on')
    assert.deepEqual(output.texts(), ['first ', 'second ', 'third, and on'])
  })

  it('is counted together, by the closing lines alone', () => {
    const totals = sumTotals([
      'ℹ tests 1\nℹ pass 0\n\u001b[34mℹ tests 12\nℹ pass 11\nℹ fail 1\n',
      'ℹ tests 30\nℹ pass 30\n',
      '',
    ])
    assert.match(describeTotals(totals), /^ℹ tests 42\nℹ suites 0\nℹ pass 41\nℹ fail 1$/m)
  })
})
