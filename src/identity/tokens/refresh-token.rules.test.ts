import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashRefreshToken, newRefreshToken, successorToken } from './refresh-token.rules.ts'

const form = /^atrr_[0-9A-Za-z]{49}$/
const secret = Buffer.alloc(32, 5)
const aToken = fc
  .uint8Array({ minLength: 43, maxLength: 43, max: 247 })
  .map((bytes) => newRefreshToken(() => Buffer.from(bytes)))

test('a new token has the documented form and is stored as its SHA-256', () => {
  const token = newRefreshToken(randomBytes)
  assert.match(token, form)
  assert.deepEqual(hashRefreshToken(token), createHash('sha256').update(token).digest())
})

test('the same token always has the same successor, of the same form', () => {
  fc.assert(
    fc.property(aToken, (token) => {
      const successor = successorToken(token, secret)
      assert.match(successor, form)
      assert.notEqual(hashRefreshToken(successor), null)
      assert.notEqual(successor, token)
      assert.equal(successorToken(token, secret), successor)
    }),
  )
})

test('the successor is the same in all versions, so that a repeat after an update still works', () => {
  const token = newRefreshToken((bytes) => Buffer.alloc(bytes))
  assert.equal(token, `atrr_${'0'.repeat(43)}4VnF3l`)
  assert.equal(successorToken(token, secret), 'atrr_ZlWPcf8PfF5PsV9374fQ9udA5RWGlGdjt2ZCgAL6UO60EN4xW')
})

test("another token or another server's secret gives another successor", () => {
  const token = newRefreshToken(randomBytes)
  const successor = successorToken(token, secret)
  assert.notEqual(successorToken(newRefreshToken(randomBytes), secret), successor)
  assert.notEqual(successorToken(token, Buffer.alloc(32, 6)), successor)
  assert.notEqual(successorToken(successor, secret), successor)
})

test('a token with a wrong or swapped character, or of another kind, is rejected without a query', () => {
  fc.assert(
    fc.property(aToken, fc.nat({ max: 52 }), fc.constantFrom(...'09AZaz_-'), (token, at, character) => {
      const substituted = token.slice(0, at) + character + token.slice(at + 1)
      const swapped = token.slice(0, at) + token.charAt(at + 1) + token.charAt(at) + token.slice(at + 2)
      for (const wrong of [substituted, swapped]) assert.equal(hashRefreshToken(wrong) === null, wrong !== token)
    }),
    { numRuns: 2000 },
  )
  const token = newRefreshToken(randomBytes)
  for (const other of [
    undefined,
    null,
    1,
    [token],
    '',
    token.slice(0, -1),
    `${token}0`,
    `${token}\n`,
    token.replace('atrr_', 'atr_'),
  ]) {
    assert.equal(hashRefreshToken(other), null)
  }
  fc.assert(fc.property(fc.anything(), (other) => hashRefreshToken(other) === null))
})
