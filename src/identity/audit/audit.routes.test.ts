import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'

async function found(app: TestApp, query: string): Promise<string[]> {
  const { status, body } = await app.call({ url: `/admin/audit-logs?${query}`, headers: app.admin })
  assert.equal(status, 200, JSON.stringify(body))
  return body.auditLogs.map(({ action }: { action: string }) => action)
}

test('an administrator reads who changed what, by tenant, actor, action, target, outcome and time', async () => {
  const app = await testApp()
  const tenant = await app.tenant()
  app.clock.advance({ seconds: 1 })
  const key = await app.apiKey(tenant)
  app.clock.advance({ seconds: 1 })
  const between = app.clock.now().toISOString()
  const user = await app.user(key)
  const within = `tenantId=${tenant.id}`

  assert.deepEqual(await found(app, within), ['user.register', 'apiKey.create', 'tenant.create'])
  assert.deepEqual(await found(app, `${within}&action=user`), ['user.register'])
  assert.deepEqual(await found(app, `${within}&action=user.register&outcome=ALLOWED`), ['user.register'])
  assert.deepEqual(await found(app, `${within}&outcome=DENIED`), [])
  assert.deepEqual(await found(app, `targetId=${user.id}`), ['user.register'])
  assert.deepEqual(await found(app, `actorId=${key.id}`), ['user.register'])
  assert.deepEqual(await found(app, `${within}&from=${between}`), ['user.register'])
  assert.equal((await found(app, `${within}&to=${between}`)).length, 2)
  assert.deepEqual(await found(app, `${within}&limit=1&page=2`), [(await found(app, within))[1]])
  assert.deepEqual(await found(app, 'tenantId=nobody'), [])

  const { body } = await app.call({ url: `/admin/audit-logs?targetId=${user.id}`, headers: app.admin })
  const [{ actor, target, tenantId, ip, requestId }] = body.auditLogs
  assert.deepEqual(actor, { type: 'API_KEY', id: key.id, label: 'app' })
  assert.deepEqual(target, { type: 'user', id: user.id })
  assert.deepEqual([tenantId, ip], [tenant.id, '127.0.0.1'])
  assert.ok(requestId)
})

test('a moment that does not exist is refused', async () => {
  const app = await testApp()
  const { status } = await app.call({ url: '/admin/audit-logs?from=2026-12-31T23:59:60Z', headers: app.admin })
  assert.equal(status, 400)
})
