import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { vpnCalls } from '../../../test/harness/vpn.ts'
import { many, one, sql } from '../../storage/query.ts'
import { derivePublicKey, generateKeyPair } from '../wireguard/keys.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>
let user: TestUser

before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
  user = await vpn.someone()
})

const rename = (deviceId: string, body: unknown, as = user) =>
  app.call({ method: 'PATCH', url: `/vault/v1/devices/${deviceId}`, headers: as.headers, body })
const line = (config: string, name: string) => new RegExp(`^${name} = (.+)$`, 'm').exec(config)?.[1] ?? null
const nameOf = (reply: Reply) => reply.body.device.deviceName

describe('registering a device', () => {
  test('answers the device, its address and a config with the other half of its public key', async () => {
    const reply = await vpn.register(user, { deviceName: '  Ada’s laptop ', deviceType: 'linux' })
    assert.equal(reply.status, 201)
    assert.equal(reply.headers['cache-control'], 'no-store')
    const { device, config, assignedIp } = reply.body
    assert.equal(reply.headers.location, `/vault/v1/devices/${device.id}`)
    const { id, publicKey, assignedIpv6, server, createdAt, ...rest } = device
    assert.deepEqual(rest, {
      tenantId: user.tenantId,
      userId: user.id,
      deviceName: 'Ada’s laptop',
      deviceType: 'linux',
      assignedIp,
      status: 'ACTIVE',
      peerState: 'NONE',
      configVersion: 1,
      lastHandshakeAt: null,
      rxBytes: 0,
      txBytes: 0,
      revokedAt: null,
      confirmedAt: null,
    })
    assert.equal(derivePublicKey(line(config, 'PrivateKey') ?? ''), publicKey)
    assert.equal(line(config, 'Address'), `${assignedIp}/32, ${assignedIpv6}/128`)
    assert.deepEqual([server.region, server.endpoint], ['local', 'vpn.example.com:51820'])
    assert.equal(createdAt, app.clock.now().toISOString())
    assert.deepEqual((await vpn.get(user, `/devices/${id}`)).body, { device })
  })

  test('names are one line of text to be read as it stands, types any short label', async () => {
    const good = [
      'a',
      '👩‍💻 東京 laptop',
      'x'.repeat(64),
      "'; drop table devices; --",
      '../../etc/passwd',
      '<script>',
      '[Peer]',
      '=cmd|calc',
    ]
    for (const deviceName of good) assert.equal(nameOf(await vpn.register(user, { deviceName })), deviceName)
    const bad = [
      '',
      '   ',
      'a\nPostUp = id',
      'a\rb',
      'a\tb',
      'a\u2028b',
      'a\u0085b',
      '\u202egnp.exe',
      'x'.repeat(65),
      7,
      null,
      undefined,
    ]
    for (const deviceName of bad) {
      const { status, body } = await vpn.register(user, { deviceName })
      assert.deepEqual(
        [status, body.code, body.errors[0].path],
        [400, 'VALIDATION_ERROR', '/body/deviceName'],
        JSON.stringify(deviceName),
      )
    }
    for (const deviceType of ['', ' ', 'x'.repeat(33), 'A\nB', null]) {
      assert.equal((await vpn.register(user, { deviceType })).status, 400, JSON.stringify(deviceType))
    }
    for (const deviceType of ['IOS', 'Fridge 3.1', '冷蔵庫']) {
      assert.equal((await vpn.register(user, { deviceType })).body.device.deviceType, deviceType)
    }
  })

  test('server-owned fields are not taken from a body', async () => {
    for (const field of ['status', 'tenantId', 'assignedIp', 'userId', 'configVersion']) {
      assert.deepEqual(codeOf(await vpn.register(user, { [field]: 'x' })), [400, 'VALIDATION_ERROR'], field)
    }
  })

  test('the same request with one Idempotency-Key makes one device and answers the same config', async () => {
    const once = () =>
      app.call({
        method: 'POST',
        url: '/vault/v1/devices',
        headers: { ...user.headers, 'idempotency-key': 'device-1' },
        body: { deviceName: 'once', deviceType: 'IOS' },
      })
    const [first, again] = [await once(), await once()]
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })
})

describe('a key of the device’s own', () => {
  test('is kept as it is, its private half is never asked for, and the config says what is missing', async () => {
    const { publicKey } = generateKeyPair()
    const { status, body } = await vpn.register(user, { publicKey })
    assert.deepEqual([status, body.device.publicKey], [201, publicKey])
    assert.equal(line(body.config, 'PrivateKey'), '<REPLACE_WITH_YOUR_PRIVATE_KEY>')
    const path = `/devices/${body.device.id}/config`
    const file = await vpn.get(user, path)
    assert.deepEqual([file.status, file.body, file.headers['x-config-complete']], [200, body.config, 'false'])
    for (const format of ['qr', 'svg', 'png']) {
      assert.deepEqual(codeOf(await vpn.get(user, `${path}?format=${format}`)), [409, 'STATE_CONFLICT'])
    }
    const row = await one(
      app.platform,
      sql<{ sealed: Buffer | null }>`select private_key_sealed as sealed from devices where id = ${body.device.id}`,
    )
    assert.equal(row.sealed, null)
  })

  test('belongs to one device anywhere: of many tenants that register it at once one gets it, for ever', async () => {
    const { publicKey } = generateKeyPair()
    const others = await Promise.all(Array.from({ length: 6 }, () => vpn.someone()))
    const replies = await Promise.all(others.map((other) => vpn.register(other, { publicKey })))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
    for (const reply of replies.filter(({ status }) => status === 409)) assert.equal(reply.body.code, 'STATE_CONFLICT')
    const winner = replies.findIndex(({ status }) => status === 201)
    await vpn.revoke(others[winner] as TestUser, replies[winner]?.body.device.id)
    assert.deepEqual(codeOf(await vpn.register(user, { publicKey })), [409, 'STATE_CONFLICT'])
    const own = await app.device(user)
    assert.deepEqual(codeOf(await vpn.rotate(user, own.id, { publicKey })), [409, 'STATE_CONFLICT'])
  })

  test('that WireGuard would refuse is refused before it can poison a server', async () => {
    const canonical = 'hzRtB2rTbtWP0jYjJ3mX0hQ7F1f1uT3n9x2sV5bq5kM='
    for (const publicKey of [
      '',
      'x',
      canonical.replace('kM=', 'kN='),
      `${canonical}\n`,
      'A'.repeat(43),
      `${'A'.repeat(43)}=`,
    ]) {
      const { status, body } = await vpn.register(user, { publicKey })
      assert.deepEqual([status, body.errors[0].path], [400, '/body/publicKey'], publicKey)
    }
  })
})

describe('a device of one’s own', () => {
  test('is listed newest first, by status, and by itself', async () => {
    const owner = await vpn.someone()
    const ids: string[] = []
    for (const deviceName of ['a', 'b', 'c']) {
      ids.push((await app.device(owner, { deviceName })).id)
      app.clock.advance({ seconds: 1 })
    }
    const [a, b, c] = ids as [string, string, string]
    await vpn.revoke(owner, b)
    const list = async (query: string) => (await vpn.get(owner, `/devices?${query}`)).body
    const idsOf = (body: { devices: { id: string }[] }) => body.devices.map(({ id }) => id)
    assert.deepEqual(idsOf(await list('')), [c, a])
    assert.deepEqual(idsOf(await list('status=REVOKED')), [b])
    assert.deepEqual(idsOf(await list('status=SUSPENDED')), [])
    assert.deepEqual(await list('page=2&limit=1').then((body) => [idsOf(body), body.pagination]), [
      [a],
      { page: 2, limit: 1, total: 2, totalPages: 2 },
    ])
    assert.deepEqual(codeOf(await vpn.get(owner, '/devices?status=GONE')), [400, 'VALIDATION_ERROR'])
    assert.deepEqual(codeOf(await vpn.get(owner, '/devices?limit=0')), [400, 'INVALID_PAGINATION'])
  })

  test('is renamed, and an empty change is none', async () => {
    const { id } = await app.device(user)
    assert.equal(nameOf(await rename(id, { deviceName: ' phone ' })), 'phone')
    assert.equal(nameOf(await rename(id, {})), 'phone')
    for (const body of [{ deviceName: null }, { deviceName: ' ' }, { deviceType: 'IOS' }, { status: 'ACTIVE' }]) {
      assert.deepEqual(codeOf(await rename(id, body)), [400, 'VALIDATION_ERROR'])
    }
  })

  test('is unknown to everybody else, in the same tenant and in another', async () => {
    const key = await app.apiKey(await app.tenant())
    const owner = await app.user(key)
    const neighbour = await app.user(key)
    const { id } = await app.device(owner)
    const unknown = '0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'
    for (const other of [neighbour, user]) {
      const asks = (deviceId: string) => [
        () => vpn.get(other, `/devices/${deviceId}`),
        () => vpn.get(other, `/devices/${deviceId}/config`),
        () => rename(deviceId, { deviceName: 'mine' }, other),
        () => vpn.rotate(other, deviceId),
        () => vpn.revoke(other, deviceId),
        () => vpn.connect(other, deviceId),
        () => vpn.disconnect(other, { deviceId }),
      ]
      for (const ask of [...asks(id), ...asks(unknown), ...asks('no-id')])
        assert.deepEqual(codeOf(await ask()), [404, 'NOT_FOUND'])
      assert.equal(
        (await vpn.get(other, '/devices?limit=100')).body.devices.some((device: { id: string }) => device.id === id),
        false,
      )
    }
    assert.equal((await vpn.get(owner, `/devices/${id}`)).body.device.status, 'ACTIVE')
  })
})

describe('new keys', () => {
  test('replace all of the old, keep the address, and an open session stays open', async () => {
    const { id, assignedIp, config } = await app.device(user)
    const { body: connected } = await vpn.connect(user, id)
    const { status, headers, body } = await vpn.rotate(user, id)
    assert.deepEqual([status, headers['cache-control'], body.assignedIp], [200, 'no-store', assignedIp])
    assert.equal(body.device.configVersion, 2)
    for (const name of ['PrivateKey', 'PresharedKey']) assert.notEqual(line(body.config, name), line(config, name))
    assert.equal(derivePublicKey(line(body.config, 'PrivateKey') ?? ''), body.device.publicKey)
    assert.equal((await vpn.get(user, `/devices/${id}/config`)).body, body.config)
    assert.equal((await vpn.get(user, `/vpn/sessions/${connected.session.id}`)).body.session.status, 'ACTIVE')
  })

  test('of the device’s own take the private half away', async () => {
    const { id } = await app.device(user)
    const { publicKey } = generateKeyPair()
    assert.equal((await vpn.rotate(user, id, { publicKey })).body.device.publicKey, publicKey)
    assert.equal((await vpn.get(user, `/devices/${id}/config`)).headers['x-config-complete'], 'false')
    assert.equal((await vpn.rotate(user, id)).body.device.configVersion, 3)
    assert.equal((await vpn.get(user, `/devices/${id}/config`)).headers['x-config-complete'], 'true')
  })

  test('reach the node only while the peer is wanted', async () => {
    const server = await vpn.server()
    const { id } = await app.device(user, { region: server.region })
    const revision = async () => (await vpn.countsOf(server.id))?.revision ?? -1
    const before = await revision()
    await vpn.rotate(user, id)
    assert.equal(await revision(), before)
    await vpn.connect(user, id)
    await vpn.rotate(user, id)
    assert.equal(await revision(), before + 2)
  })
})

describe('a revoked device', () => {
  test('gives its private key to nobody who repeats the requests that made and rotated it', async () => {
    const headers = { ...user.headers, 'idempotency-key': 'revoked-1' }
    const ask = (url: string, body: object) => app.call({ method: 'POST', url, headers, body })
    const make = () => ask('/vault/v1/devices', { deviceName: 'short-lived', deviceType: 'IOS' })
    const { id } = (await make()).body.device
    const rotate = () => ask(`/vault/v1/devices/${id}/rotate`, {})
    assert.equal((await rotate()).status, 200)
    assert.equal((await vpn.revoke(user, id)).status, 200)
    for (const repeat of [make, rotate]) assert.deepEqual(codeOf(await repeat()), [404, 'NOT_FOUND'])
  })

  test('is final: session, config and keys are gone, and it stays readable', async () => {
    const { id, assignedIp } = await app.device(user)
    const { body } = await vpn.connect(user, id)
    assert.equal((await vpn.revoke(user, id)).status, 200)
    const { device } = (await vpn.get(user, `/devices/${id}`)).body
    assert.deepEqual(
      [device.status, device.peerState, device.assignedIp, device.revokedAt],
      ['REVOKED', 'NONE', assignedIp, app.clock.now().toISOString()],
    )
    const { session } = (await vpn.get(user, `/vpn/sessions/${body.session.id}`)).body
    assert.deepEqual([session.status, session.endReason], ['ENDED', 'DEVICE_REVOKED'])
    const asks = [
      vpn.revoke(user, id),
      vpn.rotate(user, id),
      vpn.connect(user, id),
      vpn.disconnect(user, { deviceId: id }),
      rename(id, {}),
    ]
    for (const reply of await Promise.all(asks)) assert.deepEqual(codeOf(reply), [404, 'NOT_FOUND'])
    assert.deepEqual(codeOf(await vpn.get(user, `/devices/${id}/config`)), [404, 'NOT_FOUND'])
    const kept = await many(
      app.platform,
      sql`select from devices where id = ${id} and (private_key_sealed is not null or preshared_key_sealed is not null)`,
    )
    assert.equal(kept.length, 0)
  })

  test('gives its address back once, however often and at once it is revoked', async () => {
    const server = await vpn.server()
    const { id } = await app.device(user, { region: server.region })
    const replies = await Promise.all(Array.from({ length: 6 }, () => vpn.revoke(user, id)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404])
    assert.deepEqual(await vpn.countsOf(server.id), { active: 0, revision: 2, freed: 1 })
  })

  test('is REMOVING until its node has acknowledged that', async () => {
    const server = await vpn.server()
    const { id } = await app.device(user, { region: server.region })
    const peerState = async () => (await vpn.get(user, `/devices/${id}`)).body.device.peerState
    assert.equal(await peerState(), 'NONE')
    await vpn.connect(user, id)
    assert.equal(await peerState(), 'PENDING')
    await vpn.acknowledged(server.id)
    assert.equal(await peerState(), 'APPLIED')
    await vpn.revoke(user, id)
    assert.equal(await peerState(), 'REMOVING')
    await vpn.acknowledged(server.id)
    assert.equal(await peerState(), 'NONE')
  })
})
