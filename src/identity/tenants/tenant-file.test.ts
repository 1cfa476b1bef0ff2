import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type TestApp, type TestTenant, testApp } from '../../../test/harness/app.ts'
import { auditOfTenant } from '../../../test/harness/audit-log.ts'
import { busyTenant } from '../../../test/harness/busy-tenant.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { exportTenant, readTenantFile } from '../../../test/harness/tenant-files.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { many, run, sql } from '../../storage/query.ts'
import { openTempFile } from './temp-file.ts'
import { tenantFileService } from './tenant-file.service.ts'

let app: TestApp

before(async () => {
  app = await testApp()
})

const suspend = ({ id }: TestTenant) =>
  app.call({ method: 'PATCH', url: `/admin/tenants/${id}`, headers: app.admin, body: { status: 'SUSPENDED' } })
const remove = ({ id, slug }: TestTenant) =>
  app.call({ method: 'DELETE', url: `/admin/tenants/${id}?confirm=${slug}`, headers: app.admin })

describe('the export of a tenant', () => {
  test('contains every row between header and end, and no secret that is not the tenant’s', async () => {
    const { mark, tenant, key, user, device, license, sdk } = await busyTenant(app)
    const reply = await exportTenant(app, tenant.id)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['content-type'], 'application/gzip')
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.equal(reply.headers['content-length'], String(reply.bytes.length))
    assert.match(reply.headers['content-disposition'] ?? '', new RegExp(`filename="tenant-${tenant.slug}.ndjson.gz"`))
    const { head, rows, end } = readTenantFile(reply.bytes)
    assert.deepEqual([head.format, head.version, head.createdAt], ['atrium-tenant', 1, app.clock.now().toISOString()])
    assert.deepEqual([head.tenant.id, head.tenant.slug, head.tenant.name], [tenant.id, tenant.slug, `${mark}-tenant`])
    const of = (table: string) => rows.filter((line) => line.table === table).map(({ row }) => row)
    assert.equal(of('users')[0].email, `${mark}-user@example.com`)
    assert.equal(of('users')[0].name, `${mark}-renamed`)
    assert.equal(of('apiKeys')[0].name, `${mark}-key`)
    assert.equal(of('devices')[0].deviceName, `${mark}-device`)
    assert.deepEqual(
      new Map(of('licenses').map((row) => [row.key, row.label])),
      new Map([
        [license.key, `${mark}-label`],
        [sdk.key, `${mark}-sdk`],
      ]),
    )
    const idOf = (one: { key: string }) => of('licenses').find((row) => row.key === one.key).id
    const [session, validation] = [of('licenseUses'), of('licenseUseBatches')]
    assert.deepEqual(
      session.map(({ licenseId, source }) => [licenseId, source]),
      [[idOf(license), 'SESSION']],
    )
    assert.deepEqual(
      validation.map(({ licenseId, usesCount }) => [licenseId, usesCount]),
      [[idOf(sdk), 1]],
    )
    assert.equal(of('vpnSessions')[0].deviceId, device.id)
    assert.ok(of('auditLog').some(({ action }) => action === 'user.register'))
    assert.ok(end.counts.users === 1 && end.counts.userSessions === 1)
    assert.ok(head.leftOut['users.passwordHash'] && head.leftOut['refreshTokens.*'])

    const text = gunzipSync(reply.bytes).toString('utf8')
    const [, privateKey = ''] = /PrivateKey = (\S+)/.exec(device.config) ?? []
    for (const secret of [privateKey, user.password, user.refreshToken, key.key, 'argon2id']) {
      assert.ok(secret.length > 5 && !text.includes(secret))
    }
    const exports = (await auditOfTenant(app.platform, tenant.id)).filter(({ action }) => action === 'tenant.export')
    assert.deepEqual(
      exports.map(({ actorType }) => actorType),
      ['ADMIN'],
    )
  })

  test('reveals when it was truncated or changed', async () => {
    const bytes = (await exportTenant(app, (await busyTenant(app)).tenant.id)).bytes
    const text = gunzipSync(bytes).toString('utf8')
    assert.throws(() => readTenantFile(bytes.subarray(0, -20)), 'cut in the middle')
    const lines = text.split('\n')
    assert.throws(() => readTenantFile(gzipSync(lines.slice(0, -2).join('\n'))), 'cut between two lines')
    assert.throws(() => readTenantFile(gzipSync(lines.toSpliced(2, 1).join('\n'))), 'a line less')
    assert.throws(() => readTenantFile(gzipSync(text.replace('canary', 'kanary'))), 'a letter changed')
  })

  test('contains the rows of one tenant only, also if it is suspended or deleted', async () => {
    const [ours, theirs] = [await busyTenant(app), await busyTenant(app)]
    for (const change of [suspend, remove]) {
      await change(ours.tenant)
      const text = gunzipSync((await exportTenant(app, ours.tenant.id)).bytes).toString('utf8')
      assert.ok(text.includes(ours.mark) && !text.includes(theirs.mark) && !text.includes(theirs.tenant.id))
    }
    assert.deepEqual(codeOf(await exportTenant(app, '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57')), [404, 'NOT_FOUND'])
  })

  test('is a consistent snapshot, over any number of pages and parallel writes', async () => {
    const tenant = await app.tenant()
    const { id } = await app.license(tenant)
    const rows = 2500
    await run(
      app.platform,
      sql`insert into license_uses (tenant_id, license_id, operation_id, source, used_at)
        select ${tenant.id}, ${id}, 'operation-' || n, 'VALIDATE', ${app.clock.now()} from generate_series(1, ${rows}::int) n`,
    )
    await run(
      app.platform,
      sql`insert into audit_log (id, at, tenant_id, actor_type, actor_label, action, target_type, outcome)
        select gen_random_uuid(), ${app.clock.now()}, ${tenant.id}, 'SYSTEM', 'atrium', 'some.thing', 'thing', 'ALLOWED'
        from generate_series(1, ${rows}::int)`,
    )
    // Each change writes rows in two tables, and a snapshot has both or neither. The log is read before the licenses.
    let isOver = false
    const writing = (async () => {
      while (!isOver) await app.license(tenant)
    })()
    const files = await Promise.all(Array.from({ length: 4 }, () => exportTenant(app, tenant.id)))
    isOver = true
    await writing
    for (const { bytes } of files) {
      const { rows: lines } = readTenantFile(bytes)
      const uses = lines.filter(({ table }) => table === 'licenseUses')
      assert.equal(new Set(uses.map(({ row }) => row.operationId)).size, rows)
      const licenses = lines.filter(({ table }) => table === 'licenses').length
      assert.equal(licenses, lines.filter(({ row }) => row.action === 'license.create').length)
    }
  })

  test('is aborted if it takes too long, and its source is stopped', { timeout: 5000 }, async () => {
    const file = await openTempFile({ timeoutMs: 20 })
    let isOver = false
    const endless = (async function* () {
      try {
        for (;;) {
          yield 'a line'
          await new Promise(setImmediate)
        }
      } finally {
        isOver = true
      }
    })()
    await assert.rejects(file.writeGzip(endless), (fault) => fault instanceof Refusal && fault.code === 'UNAVAILABLE')
    assert.equal(isOver, true)
    await file.close()
  })

  test('is given up if nobody reads it', { timeout: 5000 }, async () => {
    const file = await openTempFile({ readTimeoutMs: () => 20 })
    await file.writeGzip(Readable.from(['a line']))
    const { content } = await file.read()
    await once(content, 'close')
    assert.equal(content.readableEnded, false)
  })

  test('leaves no file descriptor open, whether it is read or fails', async () => {
    const descriptors = () => readdirSync('/proc/self/fd').length
    const tenant = await app.tenant()
    await exportTenant(app, tenant.id)
    const earlier = descriptors()
    for (let round = 0; round < 10; round++) await exportTenant(app, tenant.id)
    const file = await openTempFile()
    const failing = (async function* () {
      yield 'a line'
      throw new Error('the database has gone')
    })()
    await assert.rejects(file.writeGzip(failing), /the database has gone/)
    await file.close()
    await new Promise(setImmediate)
    assert.ok(descriptors() < earlier + 8, `${earlier} before, ${descriptors()} after`)
  })
})

test('the export of an organization leaves the embedded database to others meanwhile', async () => {
  const { id: tenantId } = await app.tenant()
  const deps = { clock: app.clock, isEmbedded: true, tables: () => [] }
  const files = tenantFileService(deps as unknown as Parameters<typeof tenantFileService>[0])
  let asked = 0
  const { content } = await files.exportOrganization(app.scopeOf(tenantId), async () => {
    asked++
    await many(app.platform, sql`select 1`)
    return { id: tenantId, tenantId, name: 'Research' }
  })
  content.destroy()
  assert.equal(asked, 2, 'who may export is asked again after the last page')
})
