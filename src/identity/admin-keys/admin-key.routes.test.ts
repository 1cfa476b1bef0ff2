import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { newId } from '../../kernel/ids.ts'

const url = '/v1/platform/admin/keys'
let app: TestApp

before(async () => {
  app = await testApp()
})

function create(body: object = {}, headers: Record<string, string> = {}): Promise<Reply> {
  return app.call({
    method: 'POST',
    url,
    headers: { ...app.admin, ...headers },
    body: { name: 'Ana', role: 'VIEWER', ...body },
  })
}

async function made(body: object = {}): Promise<{ id: string; key: string; headers: Record<string, string> }> {
  const reply = await create(body)
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  const { id, key } = reply.body.adminKey
  return { id, key, headers: { 'x-admin-key': key } }
}

const isLetIn = async (headers: Record<string, string>) => (await app.call({ url, headers })).status === 200
const revoke = (id: string) => app.call({ method: 'DELETE', url: `${url}/${id}`, headers: app.admin })
const rotate = (id: string, body: object = {}) =>
  app.call({ method: 'POST', url: `${url}/${id}/rotate`, headers: app.admin, body })
const get = async (id: string) => (await app.call({ url: `${url}/${id}`, headers: app.admin })).body.adminKey

describe('named admin keys', () => {
  test('a key is shown once, is not cacheable, and works at once', async () => {
    const { status, body, headers } = await create({ name: ' Ana ', role: 'EDITOR' })
    const { key, ...shown } = body.adminKey
    assert.equal(status, 201)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['location'], `${url}/${shown.id}`)
    assert.match(key, /^atradm_[0-9A-Za-z]{36}$/)
    assert.deepEqual(shown, {
      id: shown.id,
      name: 'Ana',
      role: 'EDITOR',
      keyPrefix: key.slice(0, 11),
      status: 'ACTIVE',
      expiresAt: null,
      lastUsedAt: null,
      createdAt: app.clock.now().toISOString(),
      revokedAt: null,
    })
    assert.deepEqual(await get(shown.id), shown)
    assert.ok(await isLetIn({ 'x-admin-key': key }))
    const list = await app.call({ url: `${url}?limit=100`, headers: app.admin })
    assert.deepEqual(
      list.body.adminKeys.find(({ id }: { id: string }) => id === shown.id),
      shown,
    )
    assert.ok(!JSON.stringify(list.body).includes(key))
  })

  test('a repeated creation gives the same key and creates no second one', async () => {
    const name = unique('repeated')
    const headers = { 'idempotency-key': unique('k') }
    const first = await create({ name }, headers)
    const second = await create({ name }, headers)
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal(second.body.adminKey.key, first.body.adminKey.key)
    const { body } = await app.call({ url: `${url}?limit=100`, headers: app.admin })
    assert.equal(body.adminKeys.filter((key: { name: string }) => key.name === name).length, 1)
  })

  test('a revoked key is refused from the next request on, and cannot be revoked twice', async () => {
    const { id, headers } = await made()
    assert.equal((await revoke(id)).status, 204)
    assert.deepEqual(codeOf(await app.call({ url, headers })), [401, 'ADMIN_KEY_INVALID'])
    assert.deepEqual(codeOf(await revoke(id)), [404, 'NOT_FOUND'])
    assert.equal((await get(id)).status, 'REVOKED')
  })

  test('of twenty parallel revocations of a key one succeeds', async () => {
    const { id } = await made()
    const replies = await Promise.all(Array.from({ length: 20 }, () => revoke(id)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [204, ...Array(19).fill(404)])
  })

  test('an expired key is refused from the instant it expires', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const { id, headers } = await made({ expiresAt })
    app.clock.advance({ ms: 59_999 })
    assert.ok(await isLetIn(headers))
    app.clock.advance({ ms: 1 })
    assert.ok(!(await isLetIn(headers)))
    assert.equal((await get(id)).status, 'EXPIRED')
    assert.deepEqual(codeOf(await rotate(id)), [409, 'KEY_NOT_ACTIVE'])
  })

  test('an expiry in the past, an unknown role and an unknown id are refused', async () => {
    assert.equal((await create({ expiresAt: app.clock.now().toISOString() })).status, 400)
    assert.equal((await create({ role: 'ROOT' })).status, 400)
    assert.equal((await create({ name: ' ' })).status, 400)
    for (const id of [newId(app.clock.now()), 'nothing']) {
      assert.deepEqual(codeOf(await revoke(id)), [404, 'NOT_FOUND'])
      assert.deepEqual(codeOf(await rotate(id)), [404, 'NOT_FOUND'])
    }
  })

  test('a rotated key works until the overlap ends, its successor has the same role, and it can be rotated once', async () => {
    const { id, headers } = await made({ role: 'OWNER' })
    const replies = await Promise.all(Array.from({ length: 10 }, () => rotate(id, { overlapSeconds: 60 })))
    const [good, ...more] = replies.filter(({ status }) => status === 201)
    assert.equal(more.length, 0)
    assert.equal(replies.filter(({ body }) => body.code === 'STATE_CONFLICT').length, 9)
    const { key, role, name } = good?.body.adminKey ?? {}
    assert.deepEqual([role, name], ['OWNER', 'Ana'])
    assert.ok((await isLetIn(headers)) && (await isLetIn({ 'x-admin-key': key })))
    app.clock.advance({ seconds: 60 })
    assert.ok(!(await isLetIn(headers)) && (await isLetIn({ 'x-admin-key': key })))
  })

  test('the last use is accurate to a minute', async () => {
    const { id, headers } = await made()
    await app.call({ url, headers })
    await app.app.flush()
    assert.equal((await get(id)).lastUsedAt, app.clock.now().toISOString())
  })

  test('only the name of a key can be changed', async () => {
    const { id } = await made()
    const patch = (body: object) => app.call({ method: 'PATCH', url: `${url}/${id}`, headers: app.admin, body })
    assert.equal((await patch({ name: 'Ben' })).body.adminKey.name, 'Ben')
    assert.equal((await patch({ role: 'OWNER' })).status, 400)
    assert.deepEqual([(await get(id)).name, (await get(id)).role], ['Ben', 'VIEWER'])
  })

  test('the audit log has the id and name of the key that acted, and each change of a key', async () => {
    const { id, headers } = await made({ name: 'Carla', role: 'OWNER' })
    const body = { name: 'Acme', slug: unique('t'), contactEmail: 'ops@acme.example' }
    const { body: tenant } = await app.call({ method: 'POST', url: '/admin/tenants', headers, body })
    const logs = async (query: string) =>
      (await app.call({ url: `/admin/audit-logs?${query}`, headers: app.admin })).body.auditLogs
    const [entry] = await logs(`targetId=${tenant.tenant.id}`)
    assert.deepEqual(entry.actor, { type: 'ADMIN', id, label: 'Carla' })
    app.clock.advance({ ms: 1 })
    await app.call({ method: 'PATCH', url: `${url}/${id}`, headers, body: { name: 'Dora' } })
    app.clock.advance({ ms: 1 })
    await rotate(id)
    app.clock.advance({ ms: 1 })
    await revoke(id)
    assert.deepEqual(
      (await logs(`targetId=${id}`)).map(({ action }: { action: string }) => action),
      ['adminKey.revoke', 'adminKey.rotate', 'adminKey.update', 'adminKey.create'],
    )
  })
})

describe('the roles of administrators', () => {
  // POST routes that only read.
  const reading = ['POST /admin/access-check', 'POST /v1/platform/admin/search']
  // The export of a tenant, and who can be signed in.
  const readingOfOwners = [
    'GET /admin/tenants/:tenantId/export',
    'GET /v1/platform/admin/sessions',
    'GET /v1/platform/admin/sign-in-links',
  ]

  test('a route that changes something requires OWNER, or EDITOR for catalog and content', () => {
    for (const { access, method, path } of app.routes) {
      if (access.kind !== 'admin') continue
      const isReading =
        (method === 'GET' || reading.includes(`${method} ${path}`)) && !readingOfOwners.includes(`${method} ${path}`)
      const isOfEditors = /\/(products|cms|blog|media|docs)(\/|$)/.test(path)
      const expected = isReading ? 'VIEWER' : isOfEditors ? 'EDITOR' : 'OWNER'
      assert.equal(access.role, expected, `${method} ${path}`)
    }
  })

  test('VIEWER and EDITOR may read keys but not change them', async () => {
    const other = await made()
    for (const role of ['VIEWER', 'EDITOR']) {
      const { headers } = await made({ role })
      const calls = [
        { method: 'POST', url, body: { name: 'Eve', role: 'OWNER' } },
        { method: 'PATCH', url: `${url}/${other.id}`, body: { name: 'Eve' } },
        { method: 'POST', url: `${url}/${other.id}/rotate`, body: {} },
        { method: 'DELETE', url: `${url}/${other.id}` },
      ]
      for (const call of calls) {
        assert.deepEqual(codeOf(await app.call({ ...call, headers })), [403, 'INSUFFICIENT_ROLE'], call.method)
      }
      assert.ok(await isLetIn(headers))
    }
    assert.deepEqual([(await get(other.id)).status, (await get(other.id)).name], ['ACTIVE', 'Ana'])
  })

  test('an OWNER with a named key may manage keys, including its own', async () => {
    const { id, headers } = await made({ role: 'OWNER' })
    assert.equal((await app.call({ method: 'POST', url, headers, body: { name: 'F', role: 'OWNER' } })).status, 201)
    assert.equal((await app.call({ method: 'DELETE', url: `${url}/${id}`, headers })).status, 204)
    assert.ok(!(await isLetIn(headers)))
    assert.ok(await isLetIn(app.admin))
  })
})
