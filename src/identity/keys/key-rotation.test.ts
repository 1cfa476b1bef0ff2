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

  test('a rotated key works beside its successor until the overlap ends', async () => {
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

  test('the overlap is a day unless said, may be nothing, and never prolongs a key', async () => {
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

  test('of ten who rotate one key at once, one does, and nobody is left without a key', async () => {
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
})
