import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../kernel/refusal.ts'
import { overlapEnd, refuseInactive } from './key-rotation.rules.ts'

const now = new Date('2026-03-01T00:00:00.000Z')
const later = (ms: number) => new Date(now.getTime() + ms)

test('a rotated key expires with the overlap, but never later than before', () => {
  assert.deepEqual(overlapEnd({ expiresAt: null }, 3600, now), later(3_600_000))
  assert.deepEqual(overlapEnd({ expiresAt: null }, 0, now), now)
  assert.deepEqual(overlapEnd({ expiresAt: later(1000) }, 3600, now), later(1000))
  assert.deepEqual(overlapEnd({ expiresAt: later(7_200_000) }, 3600, now), later(3_600_000))
})

test('a revoked or expired key is refused as not active', () => {
  refuseInactive({ revokedAt: null, expiresAt: null }, now)
  refuseInactive({ revokedAt: null, expiresAt: later(1) }, now)
  for (const key of [
    { revokedAt: null, expiresAt: now },
    { revokedAt: now, expiresAt: null },
    { revokedAt: now, expiresAt: later(1) },
  ]) {
    assert.throws(
      () => refuseInactive(key, now),
      (fault) => fault instanceof Refusal && fault.code === 'KEY_NOT_ACTIVE',
    )
  }
})
