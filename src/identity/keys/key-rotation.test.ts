import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { codeOf, keyCalls } from '../../../test/harness/key-calls.ts'

const daySeconds = 86_400

describe('rotation of API keys', () => {
  let app: TestApp
  let keys: ReturnType<typeof keyCalls>
  before(async () => {
    app = await testApp()
    keys = keyCalls(app)
  })

  const later = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString()

  test('a rotated key works together with its successor until the overlap ends', async () => {
    const tenant = await app.tenant()
    const old = await app.apiKey(tenant, { name: 'server', products: ['assistant-ai'] })
    app.clock.advance({ ms: 1 })
    const { status, headers, body } = await keys.rotate(tenant.id, old.id, { overlapSeconds: 60 })
    const { key, id } = body.apiKey
    assert.equal(status, 201)
    assert.equal(headers.location, `${keys.urlOf(tenant.id)}/${id}`)
    assert.equal(headers['cache-control'], 'no-store')
    assert.deepEqual(
      [body.apiKey.name, body.apiKey.products, body.apiKey.expiresAt],
      ['server', ['assistant-ai'], null],
    )
    assert.equal((await keys.get(tenant.id, old.id)).body.apiKey.expiresAt, later(60))
    assert.deepEqual([await keys.isLetIn(old.key), await keys.isLetIn(key)], [true, true])
    app.clock.advance({ seconds: 60 })
    assert.deepEqual([await keys.isLetIn(old.key), await keys.isLetIn(key)], [false, true])
  })

  test('the overlap is a day by default, may be zero, and never extends a key', async () => {
    const tenant = await app.tenant()
    const [plain, instant, short] = [
      await app.apiKey(tenant),
      await app.apiKey(tenant),
      await app.apiKey(tenant, { expiresAt: later(60) }),
    ]
    const endOf = async (id: string) => (await keys.get(tenant.id, id)).body.apiKey.expiresAt
    await keys.rotate(tenant.id, plain.id)
    assert.equal(await endOf(plain.id), later(daySeconds))
    await keys.rotate(tenant.id, instant.id, { overlapSeconds: 0 })
    assert.equal(await keys.isLetIn(instant.key), false)
    const successor = (await keys.rotate(tenant.id, short.id, { overlapSeconds: 604_800 })).body.apiKey
    assert.equal(await endOf(short.id), later(60))
    assert.equal(successor.expiresAt, later(60), 'a key that was to end is not made eternal')
    for (const overlapSeconds of [-1, 604_801, 1.5, '60', null]) {
      assert.deepEqual(codeOf(await keys.rotate(tenant.id, successor.id, { overlapSeconds })), [
        400,
        'VALIDATION_ERROR',
      ])
    }
  })

  test('a revoked or expired key cannot be rotated', async () => {
    const tenant = await app.tenant()
    const [revoked, expired] = [await app.apiKey(tenant), await app.apiKey(tenant, { expiresAt: later(60) })]
    await keys.revoke(tenant.id, revoked.id)
    app.clock.advance({ seconds: 60 })
    for (const { id } of [revoked, expired])
      assert.deepEqual(codeOf(await keys.rotate(tenant.id, id)), [409, 'KEY_NOT_ACTIVE'])
    assert.equal((await keys.list(tenant.id)).body.pagination.total, 2)
  })

  test('of ten parallel rotations of one key one succeeds, and the key keeps working', async () => {
    for (const [overlapSeconds, code] of [
      [0, 'KEY_NOT_ACTIVE'],
      [60, 'STATE_CONFLICT'],
    ] as const) {
      const tenant = await app.tenant()
      const { id } = await app.apiKey(tenant)
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => keys.rotate(tenant.id, id, { overlapSeconds })),
      )
      assert.deepEqual(answers.map(codeOf).sort(), [[201, undefined], ...Array(9).fill([409, code])])
      const successor = answers.find(({ status }) => status === 201)?.body.apiKey
      assert.ok(await keys.isLetIn(successor.key))
      assert.equal((await keys.list(tenant.id)).body.pagination.total, 2)
      assert.equal((await keys.rotate(tenant.id, successor.id)).status, 201, 'the successor can be rotated in its turn')
    }
  })

  const finish = (tenantId: string, keyId: string, body: unknown = {}) =>
    app.call({
      method: 'POST',
      url: `${keys.urlOf(tenantId)}/${keyId}/finish-rotation`,
      headers: app.admin,
      body,
    })

  test('an old key that is still in use is not revoked early, unless forced', async () => {
    const tenant = await app.tenant()
    const old = await app.apiKey(tenant)
    const successor = (await keys.rotate(tenant.id, old.id)).body.apiKey
    await keys.isLetIn(old.key)
    const usedAt = app.clock.now().toISOString()
    app.clock.advance({ seconds: 15 * 60 - 1 })
    const refused = await finish(tenant.id, old.id)
    assert.deepEqual(codeOf(refused), [409, 'STATE_CONFLICT'])
    assert.ok(refused.body.detail.includes(usedAt), refused.body.detail)
    assert.ok(await keys.isLetIn(old.key), 'a refusal ends nothing')
    app.clock.advance({ seconds: 15 * 60 })
    const done = await finish(tenant.id, old.id)
    assert.deepEqual([done.status, done.body.apiKey.id, done.body.apiKey.status], [200, old.id, 'REVOKED'])
    assert.deepEqual([await keys.isLetIn(old.key), await keys.isLetIn(successor.key)], [false, true])
    assert.deepEqual(codeOf(await finish(tenant.id, old.id)), [409, 'KEY_NOT_ACTIVE'])

    const third = (await keys.rotate(tenant.id, successor.id)).body.apiKey
    await keys.isLetIn(successor.key)
    assert.deepEqual(codeOf(await finish(tenant.id, successor.id)), [409, 'STATE_CONFLICT'])
    assert.equal((await finish(tenant.id, successor.id, { force: true })).status, 200)
    assert.deepEqual([await keys.isLetIn(successor.key), await keys.isLetIn(third.key)], [false, true])
  })

  test('finishing a rotation is refused for a key without a successor, of another tenant or unknown', async () => {
    const [tenant, other] = [await app.tenant(), await app.tenant()]
    const key = await app.apiKey(tenant)
    assert.deepEqual(codeOf(await finish(tenant.id, key.id, { force: true })), [409, 'STATE_CONFLICT'])
    await keys.rotate(tenant.id, key.id)
    assert.deepEqual(codeOf(await finish(other.id, key.id, { force: true })), [404, 'NOT_FOUND'])
    assert.deepEqual(codeOf(await finish(tenant.id, 'x', { force: true })), [404, 'NOT_FOUND'])
    assert.ok(await keys.isLetIn(key.key))
  })

  test('of ten parallel finishes of one rotation one succeeds', async () => {
    const tenant = await app.tenant()
    const { id } = await app.apiKey(tenant)
    await keys.rotate(tenant.id, id)
    const answers = await Promise.all(Array.from({ length: 10 }, () => finish(tenant.id, id)))
    assert.deepEqual(answers.map(codeOf).sort(), [[200, undefined], ...Array(9).fill([409, 'KEY_NOT_ACTIVE'])])
  })

  test('neither the old nor the new key is refused during a rotation', async () => {
    const tenant = await app.tenant()
    let current = await app.apiKey(tenant)
    const held = [current.key]
    let isOver = false
    let calls = 0
    const caller = async () => {
      for (; !isOver; calls++) assert.ok(await keys.isLetIn(held[calls % held.length] ?? ''), 'a caller was refused')
    }
    const callers = Promise.all(Array.from({ length: 8 }, caller))
    for (let rotation = 0; rotation < 10; rotation++) {
      const reply = await keys.rotate(tenant.id, current.id, { overlapSeconds: 3600 })
      current = { ...reply.body.apiKey, tenantId: tenant.id }
      held.push(current.key)
      const target = calls + 20
      while (calls < target) await new Promise(setImmediate)
    }
    isOver = true
    await callers
    assert.ok(calls >= 200, String(calls))
  })

  test('in its last seven days every answer to a key has its expiry in a header', async () => {
    const tenant = await app.tenant()
    const old = await app.apiKey(tenant)
    const url = '/vault/v1/auth/login'
    const expiryOf = async (key: string, body: unknown = {}) =>
      (await app.call({ method: 'POST', url, headers: { 'x-api-key': key }, body })).headers['x-api-key-expires-at']
    assert.equal(await expiryOf(old.key), undefined, 'a key without an end')
    const user = await app.user(old)
    const successor = (await keys.rotate(tenant.id, old.id, { overlapSeconds: 604_800 })).body.apiKey
    const endsAt = later(604_800)
    assert.equal(await expiryOf(old.key), endsAt, 'also on a refusal')
    assert.equal(await expiryOf(old.key, { email: user.email, password: user.password }), endsAt)
    assert.equal(
      (await app.call({ url: '/vault/v1/auth/me', headers: user.headers })).headers['x-api-key-expires-at'],
      endsAt,
    )
    assert.equal(await expiryOf(successor.key), undefined)
    const far = await app.apiKey(tenant, { expiresAt: later(604_801) })
    assert.equal(await expiryOf(far.key), undefined)
    app.clock.advance({ seconds: 1 })
    assert.equal(await expiryOf(far.key), later(604_800))
  })
})
