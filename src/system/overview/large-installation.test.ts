import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type TestApp, testApp } from '../../../test/harness/app.ts'
import { freshDatabase } from '../../../test/harness/database.ts'
import { notedDatabase, rowsReadMax } from '../../../test/harness/rows-read.ts'
import type { Database } from '../../storage/database.ts'
import { many, one, run, type Sql, sql } from '../../storage/query.ts'
import { foldRowCounts } from '../../storage/row-counts.ts'

const rowsMade = 8000
/** A page, its names, and what little there is of other tables. */
const rowsReadExpected = 400

let app: TestApp
let database: Database
let asked: Sql[]
let big: { id: string }

before(async () => {
  database = await freshDatabase()
  const noted = notedDatabase(database)
  asked = noted.asked
  app = await testApp({ database: noted.database })
  big = await app.tenant({ name: 'Big' })
  await makeRows()
})

/** Of the last five years, all of one tenant. */
async function makeRows() {
  const now = app.clock.now()
  const rows = sql`from generate_series(1, ${rowsMade}) as i`
  const at = sql`${now}::timestamptz - i * interval '5 hours'`
  const write = (statement: Sql) => run(app.platform, statement)
  await write(sql`insert into users (tenant_id, id, email, name, role, status, created_at, updated_at)
    select ${big.id}, gen_random_uuid(), 'user' || i || '@example.com', 'User', 'USER', 'ACTIVE', ${at}, ${at} ${rows}`)
  await write(sql`insert into licenses (tenant_id, id, key_hash, key_sealed, key_hint, product, plan, label, expires_at, created_at, updated_at)
    select ${big.id}, gen_random_uuid(), sha256(i::text::bytea), '', lpad(i::text, 4, '0'), 'vault-vpn', 'PRO', 'Order ' || i || ' of a customer',
      ${at} + interval '2 years', ${at}, ${at} ${rows}`)
  await write(sql`insert into audit_log (id, at, tenant_id, actor_type, actor_id, actor_label, action, target_type, target_id, outcome)
    select gen_random_uuid(), ${at}, ${big.id}, 'ADMIN_KEY', gen_random_uuid(), 'Ana', 'license.create', 'license', i, 'ALLOWED' ${rows}`)
  const server = await one(app.platform, sql<{ id: string }>`select id from vpn_servers limit 1`)
  await write(sql`insert into devices (tenant_id, id, user_id, device_name, device_type, public_key, server_id, assigned_ip, assigned_ipv6, status, created_at)
    select ${big.id}, gen_random_uuid(), id, 'Laptop', 'LINUX', id, ${server.id}, '', '', 'ACTIVE', created_at from users`)
  await write(sql`insert into vpn_sessions (tenant_id, id, device_id, user_id, server_id, license_id, license_key_hint, status, source, connected_at)
    select tenant_id, gen_random_uuid(), id, user_id, server_id, gen_random_uuid(), '', 'ENDED', 'API', created_at from devices`)
  await foldRowCounts(app.platform)
  // As the database does by itself after a while.
  await write(sql`vacuum analyze`)
}

test('Home, and what administrators list and search, is answered without reading the tables', async () => {
  const overview = await readBy({ url: '/v1/platform/admin/overview' })
  assert.ok(overview.rows <= rowsReadExpected, describe('/v1/platform/admin/overview', overview))
  const [audit] = await many(
    app.platform,
    sql<{ actorId: string }>`select actor_id as "actorId" from audit_log where actor_id is not null limit 1`,
  )
  const addresses = [
    '/admin/users',
    '/admin/users?email=user77*',
    '/vault/v1/licenses?q=nothing%20like%20it',
    '/vault/v1/licenses?status=REVOKED',
    '/vault/v1/licenses?product=editing-sdk',
    '/admin/audit-logs',
    '/admin/audit-logs?targetId=77',
    `/admin/audit-logs?actorId=${audit?.actorId}`,
    '/admin/audit-logs?action=tenant',
    '/admin/audit-logs?action=tenant.create',
    '/admin/audit-logs?outcome=DENIED',
    '/admin/vpn/sessions',
    `/admin/vpn/sessions?tenantId=${big.id}`,
  ]
  for (const url of addresses) {
    const read = await readBy({ url })
    assert.ok(read.rows <= rowsReadExpected, describe(url, read))
  }
  for (const q of ['user77@example.com', 'nothing', audit?.actorId, 'atr_Ab3d']) {
    const read = await readBy({ method: 'POST', url: '/v1/platform/admin/search', body: { q } })
    assert.ok(read.rows <= rowsReadExpected, describe(`search for ${q}`, read))
  }
})

test('a license is found by its label among thousands', async () => {
  const { rows } = await readBy({ url: '/vault/v1/licenses?q=ORDER%207777%20of&limit=1&page=2' })
  assert.ok(rows <= 10, `${rows} rows`)
})

test('a large tenant lists its devices without reading more than their index, and a part of them less', async () => {
  const { rows } = await readBy({ url: `/admin/tenants/${big.id}/devices` })
  assert.ok(rows <= rowsMade + rowsReadExpected, `${rows} rows`)
  const user = await one(app.platform, sql<{ id: string }>`select id from users limit 1`)
  const ofUser = await readBy({ url: `/admin/tenants/${big.id}/devices?userId=${user.id}` })
  assert.ok(ofUser.rows <= rowsReadExpected, describe('devices of a user', ofUser))
})

async function readBy(call: { method?: string; url: string; body?: unknown }) {
  asked.length = 0
  const { status } = await app.call({ ...call, headers: app.admin })
  assert.equal(status, 200, call.url)
  return rowsReadMax(database, [...asked])
}

const describe = (what: string, { rows, text }: { rows: number; text: string }) => `${what}: ${rows} rows by ${text}`
