import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { normalizeEmail } from './email.rules.ts'

test('an address has one stored form, however it was typed', () => {
  const cases = [
    ['ana@example.com', 'ana@example.com'],
    ['  Ana.Lopez@Example.COM \n', 'ana.lopez@example.com'],
    ['ana+news@mail.example.co.uk', 'ana+news@mail.example.co.uk'],
    ["o'brien_7@ex-ample.io", "o'brien_7@ex-ample.io"],
    ['\uFF21na@example.com', 'ana@example.com'],
    ['ana\uFF20example\uFF0Ecom', 'ana@example.com'],
    ['jos\u0065\u0301@example.com', 'jos\u00E9@example.com'],
    ['J\u00FCrgen@b\u00FCcher.example', 'j\u00FCrgen@b\u00FCcher.example'],
    ['\u00A0ana@example.com\u3000', 'ana@example.com'],
    ['a@b.co', 'a@b.co'],
    ['ana@xn--bcher-kva.example', 'ana@xn--bcher-kva.example'],
  ] as const
  for (const [text, email] of cases) assert.equal(normalizeEmail(text), email, text)
})

test('invalid addresses are rejected', () => {
  const refused = [
    '',
    'ana',
    '@',
    'ana@',
    '@example.com',
    'ana@example',
    'ana@@example.com',
    'ana@evil.example@example.com',
    'ana\uFF20evil.example@example.com',
    'ana b@example.com',
    'ana@exam ple.com',
    'ana\u0000@example.com',
    'ana\r\nBcc: x@example.com',
    'ana\u200B@example.com',
    'ana\u202E@example.com',
    '\uD800@example.com',
    '.ana@example.com',
    'ana.@example.com',
    'a..na@example.com',
    'ana@.example.com',
    'ana@example.com.',
    'ana@example..com',
    'ana@-example.com',
    'ana@example-.com',
    'ana@127.0.0.1',
    'ana@[127.0.0.1]',
    '"ana"@example.com',
    'ana<x>@example.com',
    'ana,eva@example.com',
    'ana@exam_ple.com',
    `${'a'.repeat(65)}@example.com`,
    `ana@${'a'.repeat(64)}.com`,
    `ana@${'a.'.repeat(130)}com`,
    'a'.repeat(1_000_000),
  ]
  for (const text of refused) assert.equal(normalizeEmail(text), null, text.slice(0, 80))
})

test('an address may have 254 characters but not 255', () => {
  const label = 'a'.repeat(63)
  const address = (length: number) => `ana@${label}.${label}.${label}.${'a'.repeat(length - 4 - 3 * 64 - 4)}.com`
  assert.equal(normalizeEmail(address(254)), address(254))
  assert.equal(address(255).length, 255)
  assert.equal(normalizeEmail(address(255)), null)
})

test('normalizing a stored address changes nothing; it has one @ and no space or control character', () => {
  const part = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 })
  const texts = fc.oneof(
    part,
    fc.emailAddress(),
    fc.tuple(part, part).map(([local, domain]) => `${local}@${domain}.com`),
    fc
      .string({ unit: fc.constantFrom('a', '\u0130', '\u03D2', '\u0301', '\u0345', '\u1FBA', '.') })
      .map((local) => `${local}@example.com`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const email = normalizeEmail(text)
      if (email === null) return
      assert.equal(normalizeEmail(email), email)
      assert.match(email, /^[^@\s\p{C}\p{Z}]+@[^@\s\p{C}\p{Z}]+$/u)
      assert.ok(email.length <= 254)
    }),
    { numRuns: 500 },
  )
})
