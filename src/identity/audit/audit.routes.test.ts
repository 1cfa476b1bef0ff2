import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { type Reply, type TestApp, testApp, testSecrets } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { transaction } from '../../storage/scope.ts'
import { auditRecorder } from './audit.store.ts'
import { exportAudit } from './audit-export.service.ts'

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

test('an invalid date is rejected', async () => {
  const app = await testApp()
  const { status } = await app.call({ url: '/admin/audit-logs?from=2026-12-31T23:59:60Z', headers: app.admin })
  assert.equal(status, 400)
})

describe('the audit log as CSV', () => {
  const url = (tenantId: string, more = '') => `/admin/audit-logs?tenantId=${tenantId}${more}`
  const linesOf = ({ body }: Reply): string[] => String(body).split('\r\n').slice(0, -1)

  test('the file contains all matching entries, requested by Accept or by format', async () => {
    const app = await testApp()
    const tenant = await app.tenant({ name: '=1+1, "Ltd"' })
    for (let count = 0; count < 25; count++) await app.apiKey(tenant, { name: `key ${count}` })
    const byAccept = await app.call({ url: url(tenant.id, '&limit=2'), headers: { ...app.admin, accept: 'text/csv' } })
    assert.equal(byAccept.status, 200)
    assert.equal(byAccept.headers['content-type'], 'text/csv; charset=utf-8; header=present')
    assert.equal(byAccept.headers['content-disposition'], 'attachment; filename="audit-logs.csv"')
    assert.equal(byAccept.headers['x-export-complete'], 'true')
    assert.equal(byAccept.headers['cache-control'], 'no-store')
    const lines = linesOf(byAccept)
    assert.equal(lines.length, 27)
    assert.match(lines[0] ?? '', /^id,at,tenantId,actorType/)
    assert.ok(lines.slice(1).every((line) => line.includes(tenant.id)))
    assert.ok(lines.some((line) => line.includes('""name"":""=1+1, \\""Ltd\\""""')))
    const byFormat = await app.call({ url: url(tenant.id, '&format=csv'), headers: app.admin })
    assert.equal(byFormat.body, byAccept.body)
    const none = await app.call({ url: url('nobody', '&format=csv'), headers: app.admin })
    assert.equal(linesOf(none).length, 1)
  })

  test('without a request for CSV the answer is a page of JSON', async () => {
    const app = await testApp()
    const accepts = ['*/*', 'application/json', 'text/html, */*;q=0.8', 'application/json, text/csv;q=0.5']
    for (const accept of accepts) {
      const reply = await app.call({ url: '/admin/audit-logs', headers: { ...app.admin, accept } })
      assert.ok(Array.isArray(reply.body.auditLogs), accept)
      assert.equal(reply.headers['vary'], 'Accept')
    }
    const forced = { ...app.admin, accept: 'text/csv' }
    assert.ok((await app.call({ url: '/admin/audit-logs?format=json', headers: forced })).body.auditLogs)
    const refused = await app.call({ url: '/admin/audit-logs', headers: { ...app.admin, accept: 'image/png' } })
    assert.equal(refused.status, 406)
    assert.equal((await app.call({ url: '/admin/audit-logs?format=xml', headers: app.admin })).status, 400)
  })

  test('an export is audited with its filters', async () => {
    const app = await testApp()
    const { id } = await app.tenant()
    await app.call({ url: url(id, '&format=csv'), headers: app.admin })
    const { body } = await app.call({ url: '/admin/audit-logs?action=auditLog.export&limit=100', headers: app.admin })
    const ours = body.auditLogs.filter(({ changes }: { changes: { tenantId?: string } }) => changes.tenantId === id)
    assert.equal(ours.length, 1)
  })

  test('an export over many pages has each entry once, and says if it is incomplete', async () => {
    const app = await testApp()
    const tenant = await app.tenant()
    const audit = auditRecorder(app.clock, testSecrets.derive('audit-chain'))
    await transaction(app.scopeOf(tenant.id), async (tx) => {
      for (let count = 0; count < 2500; count++) {
        if (count % 3 === 0) app.clock.advance({ ms: 1 })
        await audit(tx, { action: 'thing.change', target: { type: 'thing', id: String(count) } })
      }
    })
    const nothing = {
      actorId: null,
      action: 'thing',
      targetId: null,
      outcome: null,
      requestId: null,
      from: null,
      to: null,
    }
    const filter = { ...nothing, tenantId: tenant.id }
    const read = async (entriesMax: number) => {
      const { csv, isComplete } = await exportAudit(app.platform, filter, entriesMax)
      const lines = (await text(csv)).split('\r\n').slice(1, -1)
      return { ids: new Set(lines.map((line) => line.split(',')[0])).size, count: lines.length, isComplete }
    }
    assert.deepEqual(await read(2500), { count: 2500, ids: 2500, isComplete: true })
    assert.deepEqual(await read(2499), { count: 2499, ids: 2499, isComplete: false })
  })
})

describe('the route to verify the audit log', () => {
  const post = (app: TestApp, body: object, headers = app.admin) =>
    app.call({ method: 'POST', url: '/v1/platform/admin/audit/verify', headers, body })

  test('reports an intact log, and is audited itself', async () => {
    const database = await freshDatabase()
    const app = await testApp({ database })
    await app.tenant()
    await app.app.housekeep()
    const { status, body } = await post(app, {})
    assert.equal(status, 200)
    const { head, checked, ...rest } = body
    const nothing = { firstBadSeq: null, firstBadId: null, reason: null, nextSeq: null }
    assert.deepEqual(rest, { ok: true, redacted: 0, unsealed: 0, ...nothing })
    assert.deepEqual([head.seq, /^[0-9a-f]{64}$/.test(head.hash)], [checked, true])
    assert.equal((await post(app, { checkpoint: head })).body.ok, true)
    const replaced = await post(app, { checkpoint: { ...head, hash: '0'.repeat(64) } })
    assert.deepEqual([replaced.status, replaced.body.ok, replaced.body.reason], [200, false, 'HISTORY_REPLACED'])
    assert.equal((await found(app, 'action=auditLog.verify')).length, 3)
    await database.close()
  })

  test('requires OWNER', async () => {
    const app = await testApp()
    const body = { name: 'Eve', role: 'EDITOR' }
    const made = await app.call({ method: 'POST', url: '/v1/platform/admin/keys', headers: app.admin, body })
    const reply = await post(app, {}, { 'x-admin-key': made.body.adminKey.key })
    assert.deepEqual([reply.status, reply.body.code], [403, 'INSUFFICIENT_ROLE'])
  })
})
