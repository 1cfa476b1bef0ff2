import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from './refusal.ts'
import { parseFutureTimestamp } from './timestamps.ts'

const now = new Date('2026-03-01T00:00:00.000Z')
const later = (ms: number) => new Date(now.getTime() + ms)

test('an expiry is a moment to come, whatever its offset', () => {
  assert.deepEqual(parseFutureTimestamp('2026-03-01T00:00:00.001Z', now, '/body/expiresAt'), later(1))
  assert.deepEqual(parseFutureTimestamp('2026-03-01T01:00:01+01:00', now, '/body/expiresAt'), later(1000))
  assert.deepEqual(
    parseFutureTimestamp('9999-12-31T23:59:59.999Z', now, '/body/expiresAt'),
    new Date('9999-12-31T23:59:59.999Z'),
  )
  const refused = [
    '2026-03-01T00:00:00.000Z',
    '2026-02-28T23:59:59.999Z',
    '2026-03-01T00:30:00+01:00',
    // RFC 3339 knows leap seconds, our times do not.
    '2026-12-31T23:59:60Z',
    '9999-12-31T23:59:59-23:00',
    '0000-01-01T00:00:00Z',
  ]
  for (const text of refused) {
    assert.throws(
      () => parseFutureTimestamp(text, now, '/body/expiresAt'),
      (fault) => fault instanceof Refusal && fault.code === 'VALIDATION_ERROR',
      text,
    )
  }
})
