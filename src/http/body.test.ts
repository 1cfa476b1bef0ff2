import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Refusal, type RefusalCode } from '../kernel/refusal.ts'
import { bodyMembersMaxDefault, readJson } from './body.ts'
import { readJsonBody } from './json-body.ts'

const isRefusal = (code: RefusalCode) => (error: unknown) => error instanceof Refusal && error.code === code
const refused = (text: string | Buffer) =>
  assert.throws(() => readJson(Buffer.from(text as string)), isRefusal('MALFORMED_JSON'), String(text).slice(0, 40))

test('what no store should ever see is refused before anything reads it', () => {
  for (const text of ['{', 'undefined', '{"a":1,}', "{'a':1}", '\ufeff{"a"', 'NaN', '{"a":1e}', '01']) refused(text)
  refused(Buffer.from([0x22, 0xff, 0xfe, 0x22]))
  refused('{"name":"a\\u0000b"}')
  refused('{"a\\u0000b":1}')
  refused('{"name":"\\ud800"}')
  refused('{"__proto__":{"isAdmin":true}}')
  refused('{"a":[{"\\u005f_proto__":1}]}')
  refused('{"constructor":{"prototype":{}}}')
  refused('['.repeat(20_000) + ']'.repeat(20_000))
  refused('{"a":'.repeat(20_000))
})

test('a refusal says where the body is wrong', () => {
  const cases: [body: string | Buffer, told: RegExp][] = [
    ['{\n "a": 1,\n}', /not valid JSON at line 3, column 1: expected a name in double quotes\.$/],
    [Buffer.from([0x22, 0xff, 0x22]), /from byte 1 on/],
    [`${'['.repeat(33)}1`, /deeper than 32 levels at line 1, column 33\.$/],
    ['{"a":[{},{"b":"\\u0000"}]}', /^The text at \/body\/a\/1\/b holds a NUL/],
    ['{"a":{"\\ud800":1}}', /^A name in the object at \/body\/a holds/],
    ['{"a":{"__proto__":1}}', /object at \/body\/a has a member called __proto__/],
  ]
  for (const [body, told] of cases)
    assert.throws(
      () => readJson(Buffer.from(body as string)),
      (error) => error instanceof Refusal && told.test(error.options.detail ?? ''),
      String(body),
    )
})

test('brackets inside text do not count as nesting', () => {
  assert.equal(readJson(Buffer.from(JSON.stringify('['.repeat(1000)))), '['.repeat(1000))
  assert.deepEqual(readJson(Buffer.from('{"a":"\\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}')), {
    a: '"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[',
  })
})

test('an empty body is no body', () => {
  assert.equal(readJson(Buffer.alloc(0)), undefined)
})

test('a body with more members and elements than the route reads has a code of its own, however they are nested', () => {
  const list = (elements: number) => Buffer.from(JSON.stringify(Array.from({ length: elements }, () => 0)))
  assert.equal((readJson(list(bodyMembersMaxDefault)) as unknown[]).length, bodyMembersMaxDefault)
  const object = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`name${index}`, [index]]))
  for (const [bytes, membersMax] of [
    [list(bodyMembersMaxDefault + 1), undefined],
    [list(6), 5],
    [Buffer.from(JSON.stringify(object)), 11],
    [Buffer.from(JSON.stringify([[], [], [], {}])), 7],
  ] as const)
    assert.throws(() => readJson(bytes, membersMax), isRefusal('BODY_TOO_MANY_MEMBERS'))
})

test('a large body is parsed in a worker, with the same result and the same refusals', async () => {
  const text = 'é"\n😀'.repeat(300_000)
  const sent = { text, list: [1, null, { a: -0.5 }], of: { nothing: {} } }
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
  let turns = 0
  setImmediate(() => turns++)
  assert.deepEqual(await readJsonBody(bytes(sent)), sent)
  assert.equal(turns, 1, 'the event loop did not go on')
  await assert.rejects(readJsonBody(bytes(sent), 5), isRefusal('BODY_TOO_MANY_MEMBERS'))
  await assert.rejects(readJsonBody(Buffer.from(`{"text":"${'a'.repeat(1_100_000)}`)), isRefusal('MALFORMED_JSON'))
  await assert.rejects(readJsonBody(bytes({ ...sent, a: '\0' })), isRefusal('MALFORMED_JSON'))
})

test('every well-formed value arrives as it was sent', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 4 }),
    ),
  })).any
  fc.assert(
    fc.property(value, (sent) =>
      assert.deepEqual(readJson(Buffer.from(JSON.stringify(sent))), JSON.parse(JSON.stringify(sent))),
    ),
  )
})
