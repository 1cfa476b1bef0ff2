import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readExposition } from '../../test/harness/exposition.ts'
import { metricsRegistry } from './metrics.ts'

const hostile = [
  'a"b',
  'back\\slash',
  'line\nbreak',
  '"} 1\nfake_total 9',
  '\\"',
  '\\n',
  '',
  '=,{}',
  'ünï ☃',
  '\u001b[31m\r',
]

describe('what is counted', () => {
  test('stands in the text with its labels, whatever characters they hold, and comes back as it was', async () => {
    const metrics = metricsRegistry()
    const things = metrics.counter({
      name: 'things_total',
      help: 'Two\nlines, a \\ and a "quote".',
      labels: ['a', 'b'],
    })
    for (const [index, value] of hostile.entries()) things(value, 'x').add(index + 1)
    const read = readExposition(await metrics.text('prometheus'))
    assert.equal(read.samples.length, hostile.length)
    for (const [index, value] of hostile.entries()) {
      assert.equal(read.value('things_total', { a: value, b: 'x' }), index + 1, JSON.stringify(value))
    }
  })

  test('is one metric for one set of labels', async () => {
    const metrics = metricsRegistry()
    const things = metrics.counter({ name: 'things_total', help: 'h', labels: ['a'] })
    things('x').add()
    things('x').add(2)
    assert.equal(things('x'), things('x'))
    assert.equal(readExposition(await metrics.text('prometheus')).value('things_total', { a: 'x' }), 3)
    assert.throws(() => things(), /0 values for the labels a/)
    assert.throws(() => metrics.counter({ name: 'things_total', help: 'h' }), /exists already/)
    assert.throws(() => metrics.counter({ name: 'things', help: 'h' }), /_total/)
  })

  test('a value on a bound belongs to the bucket of the bound, and one past all to the infinite one', async () => {
    const metrics = metricsRegistry()
    const durations = metrics.histogram({ name: 'd_seconds', help: 'h', labels: ['r'], bounds: [0.1, 1, 10] })
    for (const value of [0, 0.1, 0.100001, 1, 10, 10.5, 1e9]) durations('x').observe(value)
    const read = readExposition(await metrics.text('prometheus'))
    const within = (le: string) => read.value('d_seconds_bucket', { r: 'x', le })
    assert.deepEqual(['0.1', '1', '10', '+Inf'].map(within), [2, 4, 5, 7])
    assert.equal(read.value('d_seconds_count', { r: 'x' }), 7)
    assert.ok(Math.abs((read.value('d_seconds_sum', { r: 'x' }) ?? 0) - 1_000_000_021.700001) < 1e-3)
  })

  test('a value that cannot be read is left out, and everything else is there', async () => {
    const metrics = metricsRegistry()
    metrics.sampled({ name: 'gone', help: 'h', kind: 'gauge' }, () => Promise.reject(new Error('away')))
    metrics.sampled({ name: 'broken', help: 'h', kind: 'gauge' }, () => {
      throw new Error('broken')
    })
    metrics.sampled({ name: 'endless', help: 'h', kind: 'gauge' }, () => [{ value: Number.POSITIVE_INFINITY }])
    const read = readExposition(await metrics.text('prometheus'))
    assert.deepEqual(read.samples, [{ name: 'endless', labels: {}, value: Number.POSITIVE_INFINITY }])
  })

  test('OpenMetrics names counters without their ending, writes bounds as floating point, and says where it ends', async () => {
    const metrics = metricsRegistry()
    metrics.counter({ name: 'things_total', help: 'h' })().add()
    metrics
      .histogram({ name: 'd_seconds', help: 'h', bounds: [0.5, 1] })()
      .observe(2)
    assert.equal(
      await metrics.text('openmetrics'),
      [
        '# HELP things h',
        '# TYPE things counter',
        'things_total 1',
        '# HELP d_seconds h',
        '# TYPE d_seconds histogram',
        'd_seconds_bucket{le="0.5"} 0',
        'd_seconds_bucket{le="1.0"} 0',
        'd_seconds_bucket{le="+Inf"} 1',
        'd_seconds_sum 2',
        'd_seconds_count 1',
        '# EOF',
        '',
      ].join('\n'),
    )
  })
})
