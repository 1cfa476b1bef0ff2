import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { testApp } from '../../../test/harness/app.ts'
import { createConnection, inboundApp, tenantAdministrator } from '../../../test/harness/inbound.ts'
import { newId } from '../../kernel/ids.ts'
import { many, run, sql } from '../../storage/query.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import {
  deleteDeliveries,
  eraseBodies,
  findPending,
  insertDelivery,
  type NewDelivery,
  recordRejection,
} from './delivery.store.ts'

/** Without a job. */
function insertAlone(tx: TenantScope, delivery: NewDelivery): Promise<boolean> {
  return insertDelivery(tx, delivery, async (insert) => (await run(tx, insert)) > 0)
}

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
      insertAlone(tx, { ...shared, ...event, timeline: [], body: Buffer.from('{}') }),
    )
    await assert.rejects(inserting, { code: 'SIGNATURE_INVALID' })
    const refusal = { cause: 'SIGNATURE_MISMATCH', detail: '', bodyBytes: 2 } as const
    await assert.rejects(recordRejection(scope, { ...shared, ...refusal }), { code: 'SIGNATURE_INVALID' })
  })
})

const long = new Date('2020-01-01')
const before = new Date('2020-01-02')

async function connectedTenant() {
  const app = await inboundApp()
  const user = await tenantAdministrator(app)
  const { id: connectionId } = await createConnection(app, user)
  const scope = app.scopeOf(user.tenantId)
  const insert = async (body: Buffer, deliveryKey: number): Promise<string> => {
    const id = newId(app.clock.now())
    const event = { kind: 'event', eventType: 'changed', entityKey: 'a', occurredAt: null } as const
    const sent = { connectionId, deliveryKey: `${deliveryKey}`, receivedAt: long, headers: {}, contentType: 'a/b' }
    const delivery = { id, ...sent, ...event, body, bodySha256: Buffer.alloc(32), bodyKey: null, timeline: [] }
    assert.ok(await transaction(scope, (tx) => insertAlone(tx, delivery)))
    return id
  }
  return { app, scope, insert }
}

test('a large body is read as it came, whatever its size, and is erased and deleted with all its parts', async () => {
  const { app, scope, insert } = await connectedTenant()
  const partBytes = 512 * 1024
  const bodies = [0, 1, partBytes, partBytes + 1, 3 * partBytes].map((size) => randomBytes(size))
  const ids = await Promise.all(bodies.map(insert))
  for (const [n, id] of ids.entries()) assert.deepEqual((await findPending(scope, { id, run: 1 }))?.body, bodies[n])
  const parts = async () =>
    (await many(scope, sql`select from webhook_delivery_parts where tenant_id = ${scope.tenantId}`)).length
  assert.equal(await parts(), 3)
  const finish = (id = '') =>
    run(scope, sql`update webhook_deliveries set status = 'dead' where tenant_id = ${scope.tenantId} and id = ${id}`)
  await finish(ids[3])
  assert.equal(await eraseBodies(app.platform, before), 1)
  assert.equal(await findPending(scope, { id: ids[3] ?? '', run: 1 }), null)
  assert.equal(await parts(), 2)
  await finish(ids[4])
  assert.equal(await deleteDeliveries(app.platform, before), 2)
  assert.equal(await parts(), 0)
})

test('large bodies are erased and deleted few at a time, because a statement that takes too long is cancelled', async () => {
  const { app, scope, insert } = await connectedTenant()
  await Promise.all([1, 2, 3].map((n) => insert(Buffer.from('large'), n)))
  const enlarge = () =>
    run(
      scope,
      sql`update webhook_deliveries set status = 'dead', body = 'large', body_bytes = ${5 * 1024 * 1024} where tenant_id = ${scope.tenantId}`,
    )
  for (const erase of [eraseBodies, deleteDeliveries]) {
    await enlarge()
    const erased = []
    for (let count = 1; count > 0; erased.push(count)) count = await erase(app.platform, before)
    assert.deepEqual(erased, [2, 1, 0])
  }
})
