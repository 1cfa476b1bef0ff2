import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findJsonExcess } from './json-limits.ts'

const exceeded = (text: string, limits: { depthMax?: number; membersMax?: number }) =>
  findJsonExcess(Buffer.from(text), { depthMax: 1000, membersMax: 1_000_000, ...limits })?.limit ?? null

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** The members and elements, and the outermost value; an empty object or list counts like one with a single value. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value)
  return Math.max(1, parts.length) + parts.map(membersOf).reduce((sum, count) => sum + count, 0)
}

test('exactly the texts above a limit are refused, whatever the strings in them hold', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ',', ']', '}', 'a', 'é') })
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      text,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(text, tie('value'), { maxKeys: 5 }),
    ),
  }))
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (sent, indent) => {
      const json = JSON.stringify(sent, null, indent)
      const depth = depthOf(sent)
      const members = membersOf(sent)
      assert.equal(exceeded(json, { depthMax: depth, membersMax: members }), null)
      if (depth > 0) assert.equal(exceeded(json, { depthMax: depth - 1 }), 'depthMax')
      if (members > 0) assert.equal(exceeded(json, { membersMax: members - 1 }), 'membersMax')
    }),
  )
})

test('the count stops at the limit, so that a long text costs no more than a short one', () => {
  let read = 0
  const bytes = new Proxy(Buffer.from(`[${'0,'.repeat(100_000)}0]`), {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) read++
      return Reflect.get(target, name)
    },
  })
  assert.deepEqual(findJsonExcess(bytes, { depthMax: 1, membersMax: 10 }), { limit: 'membersMax', offset: 20 })
  assert.ok(read < 50, `${read} bytes were read`)
})
