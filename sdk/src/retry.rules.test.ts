import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AtriumError } from './errors.ts'
import { isTemporary, waitMs } from './retry.rules.ts'

test('waits are random, doubled and limited, and never shorter than the service asked for', () => {
  assert.equal(waitMs(0, null, 1), 250)
  assert.equal(waitMs(3, null, 0.5), 1000)
  assert.equal(waitMs(30, null, 1), 8000)
  assert.equal(waitMs(0, 5000, 1), 5000)
})

test('only what may change by itself is temporary', () => {
  const error = (status: number, code: 'RATE_LIMITED' | 'IDEMPOTENCY_IN_PROGRESS' | 'STATE_CONFLICT') =>
    new AtriumError({ code, message: '', status })
  for (const status of [0, 408, 429, 502, 503, 504])
    assert.ok(isTemporary(error(status, 'RATE_LIMITED')), String(status))
  assert.ok(isTemporary(error(409, 'IDEMPOTENCY_IN_PROGRESS')))
  for (const status of [400, 401, 403, 404, 409, 412, 500]) assert.ok(!isTemporary(error(status, 'STATE_CONFLICT')))
})
