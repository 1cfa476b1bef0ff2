import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, parseJsonObject, valueAt } from '../json.ts'
import { buildDeliveryKey, identifierAt, parseTime } from './identifiers.ts'

describe('a payload of a provider', () => {
  test('has its own members and none of its prototype', () => {
    const payload = parseJsonObject(Buffer.from('{"a":{"b":[{"c":1}]},"__proto__":{"taken":"x"}}'))
    assert.equal(valueAt(payload, 'a', 'b', 0, 'c'), 1)
    for (const path of [
      ['constructor', 'name'],
      ['a', 'b', 'length', 'x'],
      ['toString'],
      ['taken'],
      ['a', 'x', 'y'],
      ['a', 'b', 1],
    ])
      assert.equal(valueAt(payload, ...path), undefined, path.join('.'))
    assert.equal(identifierAt('text', 'constructor', 'name'), null)
  })

  test('may nest 128 levels, and is not read beyond that', () => {
    const nested = (depth: number) =>
      parseJsonObject(Buffer.from(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`))
    assert.ok(nested(128))
    assert.equal(nested(129), null)
    assert.ok(parseJsonObject(Buffer.from(`{"a":"\\"${'['.repeat(500)}","b":"\\\\"}`)), 'brackets in a text are text')
  })

  test('has identifiers that are text that can be stored, or integers', () => {
    const names: [Json, string | null][] = [
      ['x', 'x'],
      [7, '7'],
      [0, '0'],
      [1.5, null],
      [2 ** 53, null],
      ['', null],
      ['a\0', null],
      ['\ud800', null],
      ['x'.repeat(401), null],
      [true, null],
      [['x'], null],
    ]
    for (const [value, name] of names) assert.equal(identifierAt({ value }, 'value'), name, String(value))
  })

  test('has times in one of three formats', () => {
    assert.deepEqual(parseTime('2026-01-02T03:04:05.006Z'), new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6)))
    assert.deepEqual(parseTime('2026-01-02T03:04:05+01:00'), new Date(Date.UTC(2026, 0, 2, 2, 4, 5)))
    assert.deepEqual(parseTime(1000), new Date(1000))
    assert.deepEqual(parseTime(1, 's'), new Date(1000))
    const none = [
      'yesterday',
      '2026-13-01T00:00:00Z',
      '2026',
      `2026-01-02T03:04:05Z${'x'.repeat(40)}`,
      Number.NaN,
      -1,
      1e20,
      null,
      {},
    ]
    for (const value of none) assert.equal(parseTime(value), null, String(value))
  })

  test('has a key of parts that cannot be confused', () => {
    const key = (...parts: (string | null)[]) => buildDeliveryKey({ scheme: 'graph', body: Buffer.from('x'), parts })
    assert.equal(key('a', 'b'), 'a/b')
    assert.notEqual(key('a/b', 'c'), key('a', 'b/c'))
    assert.equal(new Set([key('a', null), key('a/b'), key('a b'), key('x'.repeat(150)), key(null)]).size, 4)
    assert.ok(key('x'.repeat(100), 'y'.repeat(100)).length < 80)
  })
})
