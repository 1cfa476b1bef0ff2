import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { visitorHashOf } from './visitor-hash.rules.ts'

test('a visitor is hashed as HMAC-SHA-256 says', () => {
  for (const bytes of [1, 32, 64]) {
    const key = randomBytes(bytes)
    for (const text of ['', '198.51.100.7\nMozilla/5.0', 'é漢'.repeat(320)]) {
      assert.equal(visitorHashOf(key)(text), createHmac('sha256', key).update(text).digest('hex').slice(0, 32))
    }
  }
})
