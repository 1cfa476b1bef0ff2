import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashAccountToken, newAccountToken, tokenExpiry } from './account-token.rules.ts'

test('a token is accepted only for its own purpose, also with white space from a mail around it', () => {
  for (const purpose of ['VERIFY_EMAIL', 'RESET_PASSWORD'] as const) {
    const token = newAccountToken(purpose, randomBytes)
    const other = purpose === 'VERIFY_EMAIL' ? 'RESET_PASSWORD' : 'VERIFY_EMAIL'
    assert.deepEqual(hashAccountToken(purpose, ` ${token}\r\n`), createHash('sha256').update(token).digest())
    assert.equal(hashAccountToken(other, token), null)
  }
})

test('a token with one wrong character is rejected, and so is any other text', () => {
  const token = newAccountToken('RESET_PASSWORD', randomBytes)
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...'0aZ_ é'), (place, sign) => {
      const mistyped = token.slice(0, place) + sign + token.slice(place + 1)
      assert.equal(hashAccountToken('RESET_PASSWORD', mistyped) === null, mistyped.trim() !== token)
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => assert.equal(hashAccountToken('RESET_PASSWORD', text), null)))
})

test('a reset token is valid for an hour, a verification token for a day', () => {
  const now = new Date('2026-11-21T09:30:00Z')
  assert.equal(tokenExpiry('RESET_PASSWORD', now).toISOString(), '2026-11-21T10:30:00.000Z')
  assert.equal(tokenExpiry('VERIFY_EMAIL', now).toISOString(), '2026-11-22T09:30:00.000Z')
})
