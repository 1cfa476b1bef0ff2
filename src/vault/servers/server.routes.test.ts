import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type TestApp, testApp, unique } from '../../../test/harness/app.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { freeSubnets, newServer, vpnCalls } from '../../../test/harness/vpn.ts'
import { one, sql } from '../../storage/query.ts'
import { subnetsOverlap } from '../wireguard/address.rules.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>

before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
})

const create = (body: unknown, headers = {}) =>
  app.call({ method: 'POST', url: '/admin/vpn/servers', headers: { ...app.admin, ...headers }, body })
const get = (id: string) => app.call({ url: `/admin/vpn/servers/${id}`, headers: app.admin })
const remove = (id: string) => app.call({ method: 'DELETE', url: `/admin/vpn/servers/${id}`, headers: app.admin })

describe('adding a server', () => {
  test('what is not said has a sensible value, and subnets get their one spelling', async () => {
    const { subnet4, subnet6 } = freeSubnets()
    const expanded = subnet6.replace('::/64', ':0000:0:0:0/64').toUpperCase()
    const body = await newServer({ subnet4, subnet6: expanded, publicKey: null })
    const { status, body: answer, headers } = await create(body)
    assert.equal(status, 201)
    const { id, ...rest } = answer.server
    assert.equal(headers.location, `/admin/vpn/servers/${id}`)
    assert.deepEqual(rest, {
      name: body.name,
      region: body.region,
      publicIp: '203.0.113.20',
      endpointHost: '203.0.113.20',
      endpointPort: 51_820,
      publicKey: null,
      subnet4,
      subnet6,
      dns: ['9.9.9.9', '149.112.112.112', '2620:fe::fe'],
      isDnsAutomatic: true,
      mtu: 1420,
      capacity: 200,
      activeCount: 0,
      status: 'ACTIVE',
      health: 'OFFLINE',
      lastSeenAt: null,
      agentVersion: null,
      revision: 1,
      appliedRevision: 0,
      rejectedPeers: [],
    })
    assert.deepEqual((await get(id)).body, answer)
  })

  test('subnets that are not named are free ones, however many servers are added at once', async () => {
    const named = await vpn.server()
    const bodies = await Promise.all(
      Array.from({ length: 12 }, () => newServer({ subnet4: undefined, subnet6: undefined })),
    )
    const servers = (await Promise.all(bodies.map(create))).map(({ body }) => body.server)
    const all = [named, ...servers]
    for (const field of ['subnet4', 'subnet6'] as const) {
      const subnets: string[] = all.map((server) => server[field])
      for (const [at, subnet] of subnets.entries())
        for (const other of subnets.slice(at + 1)) assert.ok(!subnetsOverlap(subnet, other), `${subnet} ${other}`)
    }
    for (const { subnet4, subnet6 } of servers) {
      assert.match(subnet4, /^10\.\d+\.0\.0\/16$/)
      assert.match(subnet6, /^fd[\da-f]{2}:[\da-f:]+::\/64$/)
    }
    const half = await create(await newServer({ subnet4: undefined, subnet6: freeSubnets().subnet6 }))
    assert.equal(half.status, 201)
    for (const server of [...servers, half.body.server]) await remove(server.id)
  })

  test('a capacity that no assigned range has room for is refused with the range to name', async () => {
    const { status, body } = await create(await newServer({ subnet4: undefined, capacity: 16_000_000 }))
    assert.deepEqual([status, body.errors[0].path, body.errors[0].code], [400, '/body/subnet4', 'required'])
  })

  test('what no server can be is refused, every fault by its place', async () => {
    const wrong: [string, unknown][] = [
      ['region', 'EU Central'],
      ['region', '-eu'],
      ['name', ' '],
      ['name', 'a\nb'],
      ['publicIp', '203.0.113.999'],
      ['publicIp', 'vpn.example.com'],
      ['endpointHost', 'vpn.example.com\nPostUp = rm'],
      ['endpointHost', 'a b'],
      ['endpointHost', `${'a'.repeat(64)}.com`],
      ['endpointPort', 0],
      ['endpointPort', 65_536],
      ['publicKey', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
      ['publicKey', 'hzRtB2rTbtWP0jYjJ3mX0hQ7F1f1uT3n9x2sV5bq5kN='],
      ['subnet4', '10.1.1.1/24'],
      ['subnet4', '10.1.1.0/31'],
      ['subnet4', 'fd00::/64'],
      ['subnet6', '10.1.1.0/24'],
      ['subnet6', 'fd00::1/64'],
      ['dns/0', ['resolver.example.com']],
      ['dns/1', ['1.1.1.1', '1.1.1.1, PostUp']],
      ['mtu', 1279],
      ['capacity', 254],
      ['capacity', -1],
    ]
    for (const [place, value] of wrong) {
      const field = place.split('/')[0] as string
      const { status, body } = await create(await newServer({ [field]: value }))
      assert.deepEqual(
        [status, body.code, body.errors?.[0]?.path],
        [400, 'VALIDATION_ERROR', `/body/${place}`],
        `${place} ${JSON.stringify(value)}`,
      )
    }
  })

  test('no two servers share an address or a name, however many are added at once', async () => {
    const { subnet4, subnet6 } = freeSubnets()
    const bodies = await Promise.all(Array.from({ length: 8 }, () => newServer({ subnet4 })))
    const replies = await Promise.all(bodies.map((body) => create(body)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400, 400, 400, 400, 400, 400, 400])
    const name = unique('same')
    const named = await Promise.all(Array.from({ length: 4 }, async () => create(await newServer({ name }))))
    assert.deepEqual(named.map(({ status }) => status).sort(), [201, 409, 409, 409])
    const inside = await create(await newServer({ subnet6: subnet6.replace('::/64', ':0:0:1:0/112') }))
    assert.deepEqual(codeOf(inside), [400, 'VALIDATION_ERROR'], 'a /112 is no subnet for a server')
    const wide = await create(await newServer({ subnet4: '10.0.0.0/8' }))
    assert.equal(wide.body.errors[0].path, '/body/subnet4')
  })

  test('is written down', async () => {
    const made = await vpn.server()
    const entry = await one(
      app.platform,
      sql<{ action: string; changes: unknown }>`select action, changes from audit_log where target_id = ${made.id}`,
    )
    assert.deepEqual(entry, { action: 'server.create', changes: { name: made.name, region: made.region } })
  })
})

describe('changing a server', () => {
  test('an empty change changes nothing; a good one keeps what it does not name', async () => {
    const server = await vpn.server()
    const before = (await get(server.id)).body
    assert.deepEqual((await vpn.changeServer(server.id, {})).body, before)
    const changed = await vpn.changeServer(server.id, {
      endpointHost: '2001:db8::1',
      dns: ['9.9.9.9'],
      status: 'DRAINING',
    })
    assert.deepEqual(changed.body.server, {
      ...before.server,
      endpointHost: '2001:db8::1',
      dns: ['9.9.9.9'],
      isDnsAutomatic: false,
      status: 'DRAINING',
    })
    assert.deepEqual((await vpn.changeServer(server.id, { dns: null })).body.server.dns, before.server.dns)
    assert.deepEqual(codeOf(await vpn.changeServer(server.id, { activeCount: 0 })), [400, 'VALIDATION_ERROR'])
  })

  test('subnets move until the first device, and never after it, even when that is revoked', async () => {
    const server = await vpn.server()
    const moved = freeSubnets()
    assert.equal((await vpn.changeServer(server.id, moved)).status, 200)
    const user = await vpn.someone()
    const device = await app.device(user, { region: server.region })
    assert.ok(device.assignedIp.startsWith(moved.subnet4.replace('0/24', '')))
    await vpn.revoke(user, device.id)
    assert.deepEqual(codeOf(await vpn.changeServer(server.id, freeSubnets())), [409, 'STATE_CONFLICT'])
    assert.equal((await vpn.changeServer(server.id, { ...moved, capacity: 100 })).status, 200)
  })

  test('what stands in the config files raises the version of every config, and a new name does not', async () => {
    const server = await vpn.server()
    const user = await vpn.someone()
    const device = await app.device(user, { region: server.region })
    const versionOf = async () => (await vpn.get(user, `/devices/${device.id}`)).body.device.configVersion
    await vpn.changeServer(server.id, { name: unique('renamed'), capacity: 50 })
    assert.equal(await versionOf(), 1)
    await vpn.changeServer(server.id, { mtu: 1380 })
    assert.equal(await versionOf(), 2)
    const config = await vpn.get(user, `/devices/${device.id}/config`)
    assert.match(config.body, /config v2[\s\S]*MTU = 1380/)
  })

  test('a draining server takes no new device and lets its own connect; a disabled one lets nobody in', async () => {
    const server = await vpn.server()
    const user = await vpn.someone()
    const { region } = server
    const device = await app.device(user, { region })
    await vpn.changeServer(server.id, { status: 'DRAINING' })
    assert.deepEqual(codeOf(await vpn.register(user, { region })), [409, 'CAPACITY_EXHAUSTED'])
    const { body } = await vpn.connect(user, device.id)
    await vpn.changeServer(server.id, { status: 'DISABLED' })
    const ended = await vpn.get(user, `/vpn/sessions/${body.session.id}`)
    assert.deepEqual([ended.body.session.status, ended.body.session.endReason], ['ENDED', 'SERVER_DISABLED'])
    assert.deepEqual(codeOf(await vpn.connect(user, device.id)), [409, 'STATE_CONFLICT'])
    await vpn.changeServer(server.id, { status: 'ACTIVE' })
    assert.equal((await vpn.connect(user, device.id)).status, 201)
  })

  test('no session outlives a server that is disabled while devices connect', async () => {
    const server = await vpn.server()
    const user = await vpn.someone()
    const tenant = { id: user.tenantId }
    await app.license(tenant)
    const devices = await Promise.all(Array.from({ length: 12 }, () => app.device(user, { region: server.region })))
    const connects = devices.map(({ id }) => vpn.connect(user, id))
    const [disabled, ...replies] = await Promise.all([vpn.changeServer(server.id, { status: 'DISABLED' }), ...connects])
    assert.equal(disabled.status, 200)
    for (const reply of replies) assert.ok([201, 409].includes(reply.status), JSON.stringify(reply.body))
    const open = await one(
      app.platform,
      sql<{ sessions: number; peers: number }>`select
        (select count(*)::int from vpn_sessions where server_id = ${server.id} and status <> 'ENDED') as sessions,
        (select count(*)::int from devices where server_id = ${server.id} and is_peer_wanted) as peers`,
    )
    assert.deepEqual(open, { sessions: 0, peers: 0 })
  })
})

describe('removing a server', () => {
  test('only one without devices goes, and its name and subnets are free again', async () => {
    const server = await vpn.server()
    const user = await vpn.someone()
    const device = await app.device(user, { region: server.region })
    assert.deepEqual(codeOf(await remove(server.id)), [409, 'STATE_CONFLICT'])
    await vpn.revoke(user, device.id)
    assert.equal((await remove(server.id)).status, 204)
    assert.deepEqual(codeOf(await remove(server.id)), [404, 'NOT_FOUND'])
    assert.deepEqual(codeOf(await get(server.id)), [404, 'NOT_FOUND'])
    const { name, region, subnet4, subnet6 } = server
    assert.equal((await create(await newServer({ name, region, subnet4, subnet6 }))).status, 201)
    assert.equal((await vpn.get(user, `/devices/${device.id}`)).body.device.status, 'REVOKED')
  })
})

describe('the enrollment token', () => {
  test('is shown once, kept as a hash, good for 15 minutes, and replaced by the next', async () => {
    const { id } = await vpn.server()
    const ask = () => app.call({ method: 'POST', url: `/admin/vpn/servers/${id}/enrollment-token`, headers: app.admin })
    const first = await ask()
    const second = await ask()
    assert.equal(second.status, 201)
    assert.equal(second.headers['cache-control'], 'no-store')
    assert.notEqual(second.body.enrollmentToken, first.body.enrollmentToken)
    assert.equal(Date.parse(second.body.expiresAt) - app.clock.now().getTime(), 15 * 60 * 1000)
    const kept = await one(
      app.platform,
      sql<{ hash: Buffer }>`select enrollment_token_hash as hash from vpn_servers where id = ${id}`,
    )
    assert.ok(createHash('sha256').update(second.body.enrollmentToken).digest().equals(kept.hash))
    assert.deepEqual(
      Object.keys((await get(id)).body.server).filter((name) => /token|hash/i.test(name)),
      [],
    )
    const nowhere = await app.call({
      method: 'POST',
      url: `/admin/vpn/servers/${unique('x')}/enrollment-token`,
      headers: app.admin,
    })
    assert.deepEqual(codeOf(nowhere), [404, 'NOT_FOUND'])
  })
})

describe('lists of servers', () => {
  test('an administrator filters by region and status', async () => {
    const server = await vpn.server()
    const list = (query: string) => app.call({ url: `/admin/vpn/servers?${query}`, headers: app.admin })
    assert.deepEqual(
      (await list(`region=${server.region}`)).body.servers.map(({ id }: { id: string }) => id),
      [server.id],
    )
    assert.equal((await list(`region=${server.region}&status=DISABLED`)).body.pagination.total, 0)
    assert.deepEqual(codeOf(await list('status=GONE')), [400, 'VALIDATION_ERROR'])
  })

  test('a user sees where a device could be placed, and nothing of how a server is built', async (t) => {
    t.after(() => vpn.silence())
    const user = await vpn.someone()
    const server = await vpn.server({ capacity: 1 })
    const keyless = await vpn.server({ publicKey: null })
    const choice = async (id: string) => {
      // Other tests have added servers, more than there are on one page.
      for (let page = 1; ; page++) {
        const { body } = await vpn.get(user, `/vpn/servers?limit=100&page=${page}`)
        const found = body.servers.find((candidate: { id: string }) => candidate.id === id)
        if (found !== undefined || page >= body.pagination.totalPages) return found
      }
    }
    const { id, name, region } = server
    assert.deepEqual(await choice(id), { id, name, region, status: 'ACTIVE', health: 'OFFLINE', hasRoom: true })
    await app.device(user, { region })
    assert.equal((await choice(id)).hasRoom, false)
    assert.equal((await choice(keyless.id)).hasRoom, false)
    await vpn.seenNow(id)
    assert.equal((await choice(id)).health, 'ONLINE')
  })
})
