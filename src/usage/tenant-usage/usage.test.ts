import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestKey, type TestTenant, type TestUser, testApp } from '../../../test/harness/app.ts'
import { erase } from '../../../test/harness/tenant-files.ts'
import { testCounts } from '../../../test/harness/usage-counts.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { newId } from '../../kernel/ids.ts'
import { one, sql } from '../../storage/query.ts'

describe('what a tenant uses', () => {
  let app: TestApp
  let vpn: ReturnType<typeof vpnCalls>
  let tenant: TestTenant
  let key: TestKey
  let user: TestUser
  before(async () => {
    app = await testApp()
    vpn = vpnCalls(app)
  })
  beforeEach(async () => {
    tenant = await app.tenant()
    key = await app.apiKey(tenant)
    user = await app.user(key)
    await app.license({ id: key.tenantId })
  })

  async function usage(query = '') {
    await app.app.flush()
    const reply = await app.call({ url: `/admin/tenants/${key.tenantId}/usage${query}`, headers: app.admin })
    assert.equal(reply.status, 200)
    return reply.body
  }

  test('is counted by day and product: requests, validations, connections, their duration, active users and devices', async () => {
    const region = (await vpn.server()).region
    const earlier = (await usage()).totals
    const device = await app.device(user, { region })
    for (let time = 0; time < 2; time++) {
      const { status, body } = await vpn.connect(user, device.id)
      assert.ok(status < 300)
      await vpn.shookHands(body.session.id)
      app.clock.advance({ seconds: 90 })
      assert.equal(
        (
          await app.call({
            method: 'POST',
            url: '/vault/v1/vpn/disconnect',
            headers: user.headers,
            body: { deviceId: device.id },
          })
        ).status,
        200,
      )
    }
    for (let time = 0; time < 3; time++) {
      const body = { licenseKey: 'ATR-AAAAA-AAAAA-AAAAA-AAAAA-AAAAA' }
      await app.call({ method: 'POST', url: '/vault/v1/licenses/validate', headers: { 'x-api-key': key.key }, body })
    }
    const { usage: days, totals } = await usage()
    assert.deepEqual(
      { ...totals, apiCalls: totals.apiCalls - earlier.apiCalls },
      {
        apiCalls: 8,
        validations: 3,
        connections: 2,
        connectionMinutes: 3,
        bytesUp: 0,
        bytesDown: 0,
        activeDevices: 1,
        activeUsers: 1,
      },
    )
    const ofVpn = days.find(({ product }: { product: string }) => product === 'vault-vpn')
    assert.deepEqual([ofVpn.connections, ofVpn.activeDevices, ofVpn.activeUsers], [2, 1, 1])
  })

  test('does not include refused requests or those of another tenant', async () => {
    const earlier = (await usage()).totals.apiCalls
    const other = await app.apiKey(await app.tenant())
    await app.call({ url: '/vault/v1/devices', headers: { 'x-api-key': 'wrong' } })
    await app.call({ url: '/vault/v1/devices', headers: { ...user.headers, 'x-api-key': other.key } })
    assert.equal((await usage()).totals.apiCalls, earlier)
  })

  test('is one sum over all nodes, even if they count at once', async () => {
    const { clock } = app
    const nodes = Array.from({ length: 3 }, () => testCounts(app))
    const of = { tenantId: key.tenantId, product: 'assistant-ai' }
    const users = Array.from({ length: 20 }, () => newId(clock.now()))
    await Promise.all(
      nodes.map(async (node) => {
        for (let round = 0; round < 5; round++) {
          for (let count = 0; count < 100; count++) node.add(of, 'apiCalls')
          for (const id of users) node.active(of, 'USER', id)
          await node.flush()
        }
      }),
    )
    const { usage: days } = await usage()
    const found = days.find(({ product }: { product: string }) => product === 'assistant-ai')
    assert.deepEqual([found.apiCalls, found.activeUsers], [1500, 20])
  })

  test('is erased with the tenant, and later counts are not written', async () => {
    const { tenantId } = key
    const counts = testCounts(app)
    await usage()
    await app.call({
      method: 'PATCH',
      url: `/admin/tenants/${tenantId}`,
      headers: app.admin,
      body: { status: 'SUSPENDED' },
    })
    const erased = await erase(app, tenant)
    counts.add({ tenantId, product: '' }, 'apiCalls')
    await counts.flush()
    const { rows } = await one(
      app.platform,
      sql<{ rows: number }>`select (select count(*) from usage_metrics where tenant_id = ${tenantId})::int
        + (select count(*) from usage_actives where tenant_id = ${tenantId})::int as rows`,
    )
    assert.deepEqual([erased.status < 300, rows], [true, 0])
  })

  test('can be read as CSV, with column names even without usage', async () => {
    const { usage: days } = await usage()
    const names =
      'day,product,apiCalls,validations,connections,bytesUp,bytesDown,activeDevices,activeUsers,connectionMinutes'
    const url = `/admin/tenants/${key.tenantId}/usage`
    for (const [query, headers] of [
      ['?format=csv', {}],
      ['', { accept: 'text/csv' }],
    ] as const) {
      const file = await app.call({ url: url + query, headers: { ...app.admin, ...headers } })
      assert.match(file.headers['content-type'] ?? '', /^text\/csv/)
      const [head, ...lines] = file.bytes.toString().trimEnd().split('\r\n')
      assert.equal(head, names)
      const values = (day: Record<string, unknown>) => names.split(',').map((name) => String(day[name] ?? ''))
      assert.deepEqual(
        lines,
        days.map((day: Record<string, unknown>) => values(day).join(',')),
      )
    }
    const none = await app.call({ url: `${url}?format=csv&from=2020-01-01&to=2020-01-31`, headers: app.admin })
    assert.equal(none.bytes.toString(), `${names}\r\n`)
  })

  test('needs an existing tenant and a valid period', async () => {
    for (const id of [newId(app.clock.now()), 'x']) {
      assert.equal((await app.call({ url: `/admin/tenants/${id}/usage`, headers: app.admin })).status, 404)
    }
    const backwards = await app.call({
      url: `/admin/tenants/${key.tenantId}/usage?from=2026-02-02&to=2026-02-01`,
      headers: app.admin,
    })
    assert.deepEqual([backwards.status, backwards.body.errors[0].path], [400, '/query/from'])
    assert.deepEqual((await usage('?from=2020-01-01&to=2020-01-31')).usage, [])
  })
})
