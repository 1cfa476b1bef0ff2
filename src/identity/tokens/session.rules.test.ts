import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifySpentToken, refreshExpiry, sessionExpiry } from './session.rules.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const dayMs = 24 * 3600 * 1000

test('a session ends after 90 days, and after 30 days without a refresh', () => {
  const end = sessionExpiry(now)
  assert.deepEqual(end, after(90 * dayMs))
  assert.deepEqual(refreshExpiry(now, end), after(30 * dayMs))
  assert.deepEqual(refreshExpiry(after(59 * dayMs), end), after(89 * dayMs))
  assert.deepEqual(refreshExpiry(after(61 * dayMs), end), end)
})

test('a used refresh token may be repeated for 30 seconds and counts as stolen afterwards', () => {
  const token = { usedAt: now, expiresAt: after(dayMs), sessionExpiresAt: after(dayMs), sessionRevokedAt: null }
  // The clocks of two nodes differ: the use may be in the future of the node that handles the repeat.
  assert.equal(classifySpentToken(token, after(-5)), 'REPEAT')
  assert.equal(classifySpentToken(token, now), 'REPEAT')
  assert.equal(classifySpentToken(token, after(30_000)), 'REPEAT')
  assert.equal(classifySpentToken(token, after(30_001)), 'REUSED')
  assert.equal(classifySpentToken(token, after(dayMs - 1)), 'REUSED')
})

test('a token that is unknown, expired or of an ended session is invalid, used or not', () => {
  const token = { usedAt: now, expiresAt: after(dayMs), sessionExpiresAt: after(dayMs), sessionRevokedAt: null }
  const cases = [
    null,
    { ...token, usedAt: null },
    { ...token, expiresAt: after(1000) },
    { ...token, sessionExpiresAt: after(1000) },
    { ...token, sessionRevokedAt: now },
  ]
  for (const spent of cases) assert.equal(classifySpentToken(spent, after(1000)), 'INVALID')
})
