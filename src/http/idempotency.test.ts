import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { floorClock, floorTenantId, made, parts, serverWith } from '../../test/harness/floor.ts'
import { newId } from '../kernel/ids.ts'
import { sql } from '../storage/query.ts'

describe('Idempotency-Key', () => {
  const post = (server: ReturnType<typeof serverWith>, key: string, body: object, apiKey = 'key-1') =>
    server.inject({
      method: 'POST',
      url: '/things',
      headers: { 'x-api-key': apiKey, 'idempotency-key': key, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })

  test('the same request gives the stored answer, another body is refused, another caller is another request', async () => {
    const server = serverWith()
    const key = newId(new Date())
    const first = await post(server, key, { name: `a-${key}` })
    const again = await post(server, key, { name: `a-${key}` })
    assert.deepEqual([first.statusCode, again.statusCode], [201, 201])
    assert.deepEqual([again.payload, again.headers['location']], [first.payload, '/things/1'])
    assert.deepEqual([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']], [undefined, 'true'])
    assert.equal((await post(server, key, { name: 'other' })).json().code, 'IDEMPOTENCY_KEY_REUSED')
    assert.equal((await post(server, key, { name: `b-${key}` }, 'key-2')).statusCode, 201)
  })

  test('50 at once do the work once', async () => {
    const server = serverWith()
    const key = newId(new Date())
    const before = made.calls
    const replies = await Promise.all(Array.from({ length: 50 }, () => post(server, key, { name: `many-${key}` })))
    for (const reply of replies)
      assert.ok(reply.statusCode === 201 || reply.json().code === 'IDEMPOTENCY_IN_PROGRESS', reply.payload)
    assert.equal(made.calls - before, 1)
    const later = await Promise.all(Array.from({ length: 20 }, () => post(server, key, { name: `many-${key}` })))
    for (const reply of later) assert.deepEqual([reply.statusCode, reply.headers['idempotent-replayed']], [201, 'true'])
    assert.equal(made.calls - before, 1)
  })

  test('a refusal undoes its work and is kept; one that invites a repeat is not kept', async () => {
    const server = serverWith()
    const key = newId(new Date())
    const refused = await post(server, `${key}-r`, { name: `refused-${key}` })
    const again = await post(server, `${key}-r`, { name: `refused-${key}` })
    assert.deepEqual([refused.statusCode, again.statusCode], [409, 409])
    assert.equal(again.json().detail, refused.json().detail)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const rows = await parts.handle.execute(
      sql`select from login_failures where tenant_id = ${floorTenantId} and email_hash = ${Buffer.from(`refused-${key}`)}`,
    )
    assert.equal(rows.rows.length, 0)
    const before = made.calls
    await post(server, `${key}-t`, { name: `throttled-${key}` })
    await post(server, `${key}-t`, { name: `throttled-${key}` })
    assert.equal(made.calls - before, 2)
  })

  test('a key is forgotten after 24 hours and lies nowhere in the clear, nor does the answer', async () => {
    const server = serverWith()
    const key = `order-${newId(new Date())}`
    await post(server, key, { name: `kept-${key}` })
    const dump = JSON.stringify(
      (await parts.handle.execute(sql`select * from idempotency_keys`)).rows.map((row) =>
        Object.values(row as object).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value)),
      ),
    )
    assert.ok(!dump.includes(key))
    // A body may hold a password, which a bare hash of it gives away to whoever can guess.
    const bare = createHash('sha256')
      .update(JSON.stringify({ name: `kept-${key}` }))
      .digest()
      .toString('latin1')
    assert.ok(!dump.includes(JSON.stringify(bare).slice(1, -1)))
    const before = made.calls
    floorClock.advance({ seconds: 24 * 3600 })
    await parts.handle.execute(sql`delete from login_failures where tenant_id = ${floorTenantId}`)
    assert.equal((await post(server, key, { name: `kept-${key}` })).statusCode, 201)
    assert.equal(made.calls - before, 1)
  })

  test('a key that is empty, too long or not ASCII is refused', async () => {
    for (const key of ['x'.repeat(256), 'a\u00e9', ''])
      assert.equal((await post(serverWith(), key, { name: 'n' })).json().code, 'VALIDATION_ERROR', key)
  })
})
