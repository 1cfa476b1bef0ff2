import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, testSecrets, unique } from '../../../test/harness/app.ts'
import { metricsRegistry } from '../../kernel/metrics.ts'
import { eventBus } from '../../storage/events.ts'
import type { Handle } from '../../storage/handle.ts'
import { licensing } from '../index.ts'
import { useBatcher } from '../uses/use-batch.ts'
import { validationService } from './validation.service.ts'

const sdk = 'editing-sdk'
const unknownKey = 'ATR-00000-00000-00000-00000-8AGH3'

async function setup(products?: string[]) {
  const app = await testApp()
  const tenant = await app.tenant()
  const apiKey = await app.apiKey(tenant, products === undefined ? {} : { products })
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    app.call({
      method: 'POST',
      url: '/vault/v1/licenses/validate',
      headers: { 'x-api-key': apiKey.key, ...headers },
      body,
    })
  const license = (overrides: Record<string, unknown> = {}) => app.license(tenant, { product: sdk, ...overrides })
  const read = async (key: string) =>
    (await app.call({ url: `/vault/v1/licenses/${key}`, headers: app.admin })).body.license
  const revoke = (key: string) =>
    app.call({ method: 'POST', url: `/vault/v1/licenses/${key}/revoke`, headers: app.admin })
  const inMs = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString()
  return { app, tenant, ask, license, read, revoke, inMs }
}

const notFound = { valid: false, code: 'NOT_FOUND', plan: null, usesRemaining: 0, expiresAt: null }
const mismatch = { ...notFound, code: 'PRODUCT_MISMATCH' }

test('every state of a license has its code, with status 200', async () => {
  const { app, ask, license, revoke, inMs } = await setup([sdk])
  const expiresAt = inMs(60_000)
  const starter = await license({ plan: 'STARTER', maxUses: 7, expiresAt })
  const pro = await license({ plan: 'PRO' })
  const revoked = await license({ plan: 'TRIAL', expiresAt })
  await revoke(revoked.key)
  const expired = await license({ plan: 'ENTERPRISE', expiresAt: inMs(1) })
  const exhausted = await license({ plan: 'STARTER', maxUses: 0 })
  const vpn = await license({ product: 'vault-vpn' })
  app.clock.advance({ ms: 1 })
  const good = { valid: true, code: 'VALID', plan: 'STARTER', usesRemaining: 7, expiresAt }
  const bad = { valid: false, usesRemaining: 0, expiresAt }
  const cases: [object, object][] = [
    [{ licenseKey: starter.key }, good],
    [{ key: starter.key }, good],
    [{ key: starter.key, licenseKey: starter.key, product: sdk, consume: false }, good],
    [{ key: starter.key.toLowerCase().replaceAll('-', ' ') }, good],
    [{ key: pro.key }, { valid: true, code: 'VALID', plan: 'PRO', usesRemaining: null, expiresAt: null }],
    [{ key: unknownKey }, notFound],
    [{ key: revoked.key }, { ...bad, code: 'REVOKED', plan: 'TRIAL' }],
    [{ key: expired.key }, { ...bad, code: 'EXPIRED', plan: 'ENTERPRISE', expiresAt: app.clock.now().toISOString() }],
    [{ key: exhausted.key }, { ...bad, code: 'USES_EXHAUSTED', plan: 'STARTER', expiresAt: null }],
    [{ key: starter.key, product: 'vault-vpn' }, mismatch],
    [{ key: starter.key, product: 'unheard-of' }, mismatch],
    [{ key: vpn.key }, mismatch],
    [{ key: vpn.key, product: 'vault-vpn' }, mismatch],
  ]
  for (const [question, answer] of cases) {
    const { status, body, headers } = await ask(question)
    assert.deepEqual([status, body], [200, answer], JSON.stringify(question))
    assert.equal(headers['cache-control'], 'no-store')
  }
})

test("an unknown, a mistyped and another tenant's key give the same answer, byte for byte", async () => {
  const { app, ask } = await setup()
  const foreign = await app.license(await app.tenant(), { product: sdk })
  const keys = [
    unknownKey,
    foreign.key,
    `${foreign.key}0`,
    foreign.key.replace('ATR', 'ATX'),
    '',
    'x',
    '\ufffd',
    '%',
    'x'.repeat(200),
  ]
  const stable = ({ 'x-request-id': _id, date: _date, ...headers }: Record<string, string | undefined>) =>
    Object.entries(headers).filter(([name]) => !/ratelimit/.test(name))
  const answers = []
  for (const key of keys) {
    const { status, headers, bytes } = await ask({ key })
    answers.push({ status, headers: stable(headers), text: bytes.toString() })
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.equal(answers[0]?.text, JSON.stringify(notFound))
})

test('a request without a key, with two keys, or malformed is rejected', async () => {
  const { ask } = await setup()
  const cases: [unknown, string][] = [
    [{}, '/body/licenseKey'],
    [{ product: sdk }, '/body/licenseKey'],
    [{ key: 'a', licenseKey: 'b' }, '/body/key'],
    [{ key: 5 }, '/body/key'],
    [{ key: null }, '/body/key'],
    [{ licenseKey: ['a'] }, '/body/licenseKey'],
    [{ key: 'x'.repeat(201) }, '/body/key'],
    [{ key: 'x', product: 5 }, '/body/product'],
    [{ key: 'x', consume: 'yes' }, '/body/consume'],
    [{ key: 'x', tenantId: 'y' }, '/body/tenantId'],
    [[], '/body'],
  ]
  for (const [question, path] of cases) {
    const { status, body } = await ask(question)
    assert.deepEqual(
      [status, body.code, body.errors[0].path],
      [400, 'VALIDATION_ERROR', path],
      JSON.stringify(question),
    )
  }
})

test('a license is valid up to the last millisecond before expiresAt', async () => {
  const { app, ask, license, inMs } = await setup()
  const { key } = await license({ expiresAt: inMs(2) })
  const codes = []
  for (let ms = 0; ms < 4; ms++) {
    codes.push((await ask({ key })).body.code)
    app.clock.advance({ ms: 1 })
  }
  assert.deepEqual(codes, ['VALID', 'VALID', 'EXPIRED', 'EXPIRED'])
})

test('validating takes no use and changes only lastValidatedAt', async () => {
  const { app, ask, license, read } = await setup()
  const { key } = await license({ plan: 'TRIAL' })
  const before = await read(key)
  app.clock.advance({ seconds: 1 })
  for (let count = 0; count < 10; count++) assert.equal((await ask({ key })).body.usesRemaining, 5)
  assert.deepEqual(await read(key), { ...before, lastValidatedAt: app.clock.now().toISOString() })
})

test('a late write of lastValidatedAt does not set the time back', async () => {
  const { app, tenant, license, read } = await setup()
  const { key } = await license()
  const aNode = () =>
    licensing({
      platform: app.platform,
      clock: app.clock,
      secrets: testSecrets,
      events: eventBus(),
      metrics: metricsRegistry(),
      audit: async () => undefined,
      unknownProducts: async () => [],
      tenantExists: async () => true,
    })
  const ask = async ({ routes }: ReturnType<typeof aNode>) => {
    const validate = routes.find(({ name }) => name === 'validateLicense')
    await validate?.handle({ scope: app.scopeOf(tenant.id), apiKey: { products: [sdk] }, body: { key } })
  }
  const [slow, fast] = [aNode(), aNode()]
  await ask(slow)
  app.clock.advance({ seconds: 1 })
  await ask(fast)
  await fast.flush()
  await slow.flush()
  assert.equal((await read(key)).lastValidatedAt, app.clock.now().toISOString())
})

test('validating costs one query, and none for a text that cannot be a key', async () => {
  const { app, tenant, license } = await setup()
  const { key } = await license()
  let statements = 0
  const scope = app.scopeOf(tenant.id)
  const handle: Handle = {
    ...scope.handle,
    readPipelined: (statement) => {
      statements++
      return scope.handle.readPipelined(statement)
    },
  }
  const validated = { mark: () => undefined, flush: async () => undefined }
  const validate = validationService({ clock: app.clock, validated, consumeUse: useBatcher(app.platform, app.clock) })
  assert.equal((await validate({ ...scope, handle }, [sdk], { key })).code, 'VALID')
  assert.equal(statements, 1)
  assert.equal((await validate({ ...scope, handle }, [sdk], { key: `${key}0` })).code, 'NOT_FOUND')
  assert.equal(statements, 1)
})

test('consume takes one use in the same call and returns the remaining uses', async () => {
  const { app, ask, license, read } = await setup()
  const { key } = await license({ plan: 'STARTER', maxUses: 2 })
  const pro = await license({ plan: 'PRO' })
  const codes = []
  for (let count = 0; count < 3; count++) {
    const { body } = await ask({ key, product: sdk, consume: true })
    codes.push([body.valid, body.code, body.usesRemaining])
  }
  assert.deepEqual(codes, [
    [true, 'VALID', 1],
    [true, 'VALID', 0],
    [false, 'USES_EXHAUSTED', 0],
  ])
  assert.deepEqual((await ask({ key: pro.key, consume: true })).body.usesRemaining, null)
  const { usesCount, lastUsedAt } = await read(key)
  assert.deepEqual([usesCount, lastUsedAt], [2, app.clock.now().toISOString()])
  const { body } = await app.call({ url: `/vault/v1/licenses/${key}/uses`, headers: app.admin })
  assert.deepEqual(body.pagination, { page: 1, limit: 20, total: 2, totalPages: 1 })
  for (const { operationId, source, refundedAt } of body.uses) {
    assert.match(operationId, /^validate:[0-9a-f-]{36}-1$/)
    assert.deepEqual([source, refundedAt], ['VALIDATE', null])
  }
})

test('consume takes nothing if the license is not valid', async () => {
  const { ask, license, read, revoke, app } = await setup([sdk])
  const revoked = await license()
  await revoke(revoked.key)
  const foreign = await app.license(await app.tenant(), { product: sdk })
  const other = await license({ product: 'assistant-ai' })
  const codes = []
  for (const { key } of [revoked, foreign, other]) {
    codes.push((await ask({ key, consume: true })).body.code)
    assert.equal((await read(key)).usesCount, 0)
  }
  assert.deepEqual(codes, ['REVOKED', 'NOT_FOUND', 'PRODUCT_MISMATCH'])
})

test('consume is refused for the VPN, and reveals nothing about keys of other tenants', async () => {
  const { app, ask, license, read } = await setup()
  const { key } = await license({ product: 'vault-vpn' })
  const foreign = await app.license(await app.tenant())
  for (const question of [{ key }, { key, product: 'vault-vpn' }, { key: 'x', product: 'vault-vpn' }]) {
    const { status, body } = await ask({ ...question, consume: true })
    assert.deepEqual([status, body.code, body.errors[0].path], [400, 'VALIDATION_ERROR', '/body/consume'])
    assert.match(body.detail, /connect/)
  }
  assert.deepEqual((await ask({ key: foreign.key, consume: true })).body, notFound)
  assert.equal((await read(key)).usesCount, 0)
})

test('60 parallel callers take exactly the 20 uses there are', async () => {
  const { ask, license, read } = await setup()
  const { key } = await license({ plan: 'STARTER', maxUses: 20 })
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask({ key, consume: true })))
  const left = answers.filter(({ body }) => body.valid).map(({ body }) => body.usesRemaining)
  assert.deepEqual(
    left.sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, at) => at),
  )
  assert.equal(answers.filter(({ body }) => body.code === 'USES_EXHAUSTED').length, 40)
  assert.equal((await read(key)).usesCount, 20)
})

test('one Idempotency-Key takes one use, however often it is sent, also in parallel', async () => {
  const { ask, license, read } = await setup()
  const { key } = await license({ plan: 'TRIAL' })
  const once = { 'idempotency-key': unique('use') }
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask({ key, consume: true }, once)))
  for (const { status, body } of answers) {
    if (status === 200) assert.deepEqual([body.code, body.usesRemaining], ['VALID', 4])
    else assert.deepEqual([status, body.code], [409, 'IDEMPOTENCY_IN_PROGRESS'])
  }
  assert.ok(answers.some(({ status }) => status === 200))
  const again = await ask({ key, consume: true }, once)
  assert.deepEqual([again.headers['idempotent-replayed'], again.body.usesRemaining], ['true', 4])
  assert.equal((await read(key)).usesCount, 1)
})

test('a license that changes between the check and the use is checked again, and no use is taken', async () => {
  const { app, tenant, license, read, revoke } = await setup()
  const validate = validationService({
    clock: app.clock,
    validated: { mark: () => undefined, flush: async () => undefined },
    consumeUse: useBatcher(app.platform, app.clock),
  })
  const scope = app.scopeOf(tenant.id)
  /** Runs `act` after the first statement, the check. */
  const interrupted = (act: () => Promise<unknown>): Handle => {
    let statements = 0
    return {
      ...scope.handle,
      readPipelined: async (statement) => {
        const result = await scope.handle.readPipelined(statement)
        if (++statements === 1) await act()
        return result
      },
    }
  }
  const change = (key: string, body: object) =>
    app.call({ method: 'PATCH', url: `/vault/v1/licenses/${key}`, headers: app.admin, body })
  const cases: [(key: string) => Promise<unknown>, string][] = [
    [(key) => revoke(key), 'REVOKED'],
    [(key) => change(key, { maxUses: 0 }), 'USES_EXHAUSTED'],
  ]
  for (const [act, code] of cases) {
    const { key } = await license({ plan: 'STARTER', maxUses: 1 })
    const handle = interrupted(() => act(key))
    const verdict = await validate({ ...scope, handle }, [sdk], { key, consume: true })
    assert.deepEqual([verdict.valid, verdict.code, verdict.usesRemaining], [false, code, 0])
    assert.equal((await read(key)).usesCount, 0)
  }
})
