import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { newId } from '../../kernel/ids.ts'
import { transaction } from '../../storage/scope.ts'
import { insertDelivery, recordRejection } from './delivery.store.ts'

describe('a delivery whose connection is erased while it is looked at', () => {
  test('gets the answer of an unknown connection, whether its signature is valid or not', async () => {
    const app = await testApp()
    const scope = app.scopeOf((await app.tenant()).id)
    const now = app.clock.now()
    const shared = {
      id: newId(now),
      connectionId: newId(now),
      deliveryKey: 'late',
      receivedAt: now,
      headers: {},
      contentType: 'application/json',
      bodySha256: Buffer.alloc(32),
      bodyKey: null,
    }
    const event = { kind: 'event', eventType: 'changed', entityKey: 'a', occurredAt: null } as const
    const inserting = transaction(scope, (tx) =>
      insertDelivery(tx, { ...shared, ...event, timeline: [], body: Buffer.from('{}') }),
    )
    await assert.rejects(inserting, { code: 'SIGNATURE_INVALID' })
    const refusal = { cause: 'SIGNATURE_MISMATCH', detail: '', bodyBytes: 2 } as const
    await assert.rejects(recordRejection(scope, { ...shared, ...refusal }), { code: 'SIGNATURE_INVALID' })
  })
})
