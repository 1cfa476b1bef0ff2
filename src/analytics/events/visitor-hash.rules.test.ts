import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createVisitorHash } from './visitor-hash.rules.ts'

describe('the hash of a visitor', () => {
  test('is half of SHA-256 over a whole block of key and the text', () => {
    const key = randomBytes(32)
    for (const text of ['', '198.51.100.7\nMozilla/5.0', 'é漢'.repeat(320)]) {
      const whole = createHash('sha256').update(key.toString('hex')).update(text).digest('hex')
      assert.equal(createVisitorHash(key)(text), whole.slice(0, 32))
    }
  })

  test('is not made with a key of another length, whose end could be taken for the beginning of a text', () => {
    for (const bytes of [0, 31, 33, 64]) assert.throws(() => createVisitorHash(randomBytes(bytes)))
  })
})
