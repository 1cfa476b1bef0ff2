import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { apiKeyFormat, keyStatus } from './key.rules.ts'

const aKey = fc
  .uint8Array({ minLength: 30, maxLength: 30, max: 247 })
  .map((bytes) => apiKeyFormat.create(() => Buffer.from(bytes)).key)

test('a new key has the documented format and is stored as its SHA-256 and its first characters', () => {
  const { key, keyPrefix, keyHash } = apiKeyFormat.create(randomBytes)
  assert.match(key, /^atr_[0-9A-Za-z]{36}$/)
  assert.equal(keyPrefix, key.slice(0, 8))
  assert.deepEqual(keyHash, createHash('sha256').update(key).digest())
  assert.deepEqual(apiKeyFormat.hash(key), keyHash)
})

test('the format never changes: existing keys stay valid', () => {
  assert.equal(apiKeyFormat.create((bytes) => Buffer.alloc(bytes)).key, 'atr_0000000000000000000000000000002vrH8x')
})

test('a key with one wrong character is rejected without a query', () => {
  const typo = fc.tuple(
    aKey,
    fc.nat({ max: 39 }),
    fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- é'),
  )
  fc.assert(
    fc.property(typo, ([key, at, character]) => {
      const wrong = key.slice(0, at) + character + key.slice(at + 1)
      assert.equal(apiKeyFormat.hash(wrong) === null, wrong !== key)
    }),
    { numRuns: 2000 },
  )
})

test('a key with two swapped characters is rejected without a query', () => {
  fc.assert(
    fc.property(aKey, fc.nat({ max: 38 }), (key, at) => {
      const wrong = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
      assert.equal(apiKeyFormat.hash(wrong) === null, wrong !== key)
    }),
    { numRuns: 2000 },
  )
})

test('anything but a text of the right length is rejected', () => {
  const { key } = apiKeyFormat.create(randomBytes)
  const others = [
    undefined,
    null,
    7,
    {},
    [key],
    '',
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
    'atr_',
    'x'.repeat(1e6),
  ]
  for (const other of others) assert.equal(apiKeyFormat.hash(other), null)
  fc.assert(fc.property(fc.anything(), (other) => apiKeyFormat.hash(other) === null))
})

test('a key is active until it expires or is revoked, and revoked wins', () => {
  const now = new Date('2026-03-01T00:00:00Z')
  const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)]
  const cases = [
    [null, null, 'ACTIVE'],
    [null, after, 'ACTIVE'],
    [null, now, 'EXPIRED'],
    [null, before, 'EXPIRED'],
    [before, null, 'REVOKED'],
    [before, after, 'REVOKED'],
    [before, before, 'REVOKED'],
  ] as const
  for (const [revokedAt, expiresAt, status] of cases) assert.equal(keyStatus({ revokedAt, expiresAt }, now), status)
})
