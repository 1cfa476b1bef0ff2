import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { entryDigests, exactTimestamp, hmacSha256 } from './audit-chain.rules.ts'

test('hmacSha256 gives the same result as node:crypto', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 500]) {
    const [key, message] = [randomBytes(32), randomBytes(length)]
    const expected = createHmac('sha256', key).update(message).digest()
    assert.deepEqual(hmacSha256(key, [message]), expected, `${length} bytes`)
    assert.deepEqual(hmacSha256(key, [message.subarray(0, 20), message.subarray(20)]), expected)
  }
})

test('the digest does not depend on the order of members, but on all content', () => {
  const key = Buffer.alloc(32, 1)
  const salt = Buffer.alloc(16, 2)
  const entry = {
    id: '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57',
    at: exactTimestamp(new Date('2026-03-01T00:00:00.123Z')),
    tenantId: null,
    actorType: 'ADMIN',
    actorId: null,
    actorLabel: 'admin key',
    action: 'tenant.create',
    targetType: 'tenant',
    targetId: 'x',
    outcome: 'ALLOWED',
    changes: { b: { d: 1, c: [1, { f: 2, e: 3 }] }, a: null } as unknown,
    ip: null,
    requestId: null,
  }
  const digest = (changed: Partial<typeof entry>) =>
    entryDigests(key, { ...entry, ...changed }, salt).digest.toString('hex')
  assert.equal(entry.at, '2026-03-01T00:00:00.123000')
  assert.equal(digest({ changes: { a: null, b: { c: [1, { e: 3, f: 2 }], d: 1 } } }), digest({}))
  const others: unknown[] = [
    { changes: { a: null, b: { c: [{ e: 3, f: 2 }, 1], d: 1 } } },
    { changes: null },
    { changes: {} },
    { changes: [['a', null]] },
    { changes: { a: null } },
    { targetType: 'tenantx', targetId: '' },
    { actorLabel: 'admin', ip: ' key' },
  ]
  const digests = [{}, ...others].map((changed) => digest(changed as Partial<typeof entry>))
  assert.equal(new Set(digests).size, digests.length)
})
