import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type NewEntry, offsetSecondsMax, parseTimestamp, planAppend, timestampPattern } from './entry.rules.ts'
import { offsetView } from './entry.schema.ts'

const entry = (text: string, segmentId: string | null = null): NewEntry => ({
  speaker: 'Ada',
  text,
  offsetSeconds: 1,
  segmentId,
})

describe('arriving entries', () => {
  test('new entries are numbered in the order of their arrival', () => {
    const plan = planAppend([entry('one two'), entry('three')], [], 7)
    assert.deepEqual(
      plan.rows.map(({ seq, changedSeq, text }) => [seq, changedSeq, text]),
      [
        [8, 8, 'one two'],
        [9, 9, 'three'],
      ],
    )
    const { rows: _, ...counts } = plan
    assert.deepEqual(counts, { added: 2, replaced: 0, unchanged: 0, lastSeq: 9, chars: 12, words: 3 })
  })

  test('an entry with a known segment id keeps its position, gets a number as a change, and changes the counts by the difference', () => {
    const known = [{ ...entry('one two three', 'a'), seq: 2, words: 3 }]
    const plan = planAppend([entry('one', 'a'), entry('new', 'b')], known, 4)
    assert.deepEqual(
      plan.rows.map(({ seq, changedSeq }) => [seq, changedSeq]),
      [
        [2, 5],
        [6, 6],
      ],
    )
    const { rows: _, ...counts } = plan
    assert.deepEqual(counts, { added: 1, replaced: 1, unchanged: 0, lastSeq: 6, chars: 3 - 13 + 3, words: -2 + 1 })
  })

  test('an equal entry changes nothing', () => {
    const plan = planAppend([entry('one', 'a')], [{ ...entry('one', 'a'), seq: 1, words: 1 }], 1)
    assert.deepEqual(plan, { rows: [], added: 0, replaced: 0, unchanged: 1, lastSeq: 1, chars: 0, words: 0 })
  })

  test('of several entries with one segment id in a call the last one counts, at the position of the first', () => {
    const { rows } = planAppend([entry('draft', 'a'), entry('between'), entry('final', 'a')], [], 0)
    assert.deepEqual(
      rows.map(({ seq, text }) => [seq, text]),
      [
        [1, 'final'],
        [2, 'between'],
      ],
    )
  })
})

describe('timestamps', () => {
  test('are written as hours, minutes and whole seconds; the milliseconds are beside them', () => {
    assert.deepEqual([0, 61, 3723.004, offsetSecondsMax, 360_000].map(offsetView), [
      { timestamp: '00:00:00', offsetMs: 0 },
      { timestamp: '00:01:01', offsetMs: 61_000 },
      { timestamp: '01:02:03', offsetMs: 3_723_004 },
      { timestamp: '99:59:59', offsetMs: 359_999_999 },
      { timestamp: '100:00:00', offsetMs: 360_000_000 },
    ])
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 359_999_999 }), (ms) => {
        const view = offsetView(ms / 1000)
        return parseTimestamp(view.timestamp) === Math.floor(ms / 1000) && view.offsetMs === ms
      }),
    )
  })

  test('in another form are rejected', () => {
    const pattern = new RegExp(timestampPattern)
    for (const text of [
      '1:00:00',
      '00:60:00',
      '00:00:60',
      '100:00:00',
      '00:00:00.1',
      '00:00',
      '-0:00:00',
      '00:00:01\n',
    ])
      assert.doesNotMatch(text, pattern)
  })
})
