import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, test } from 'node:test'
import { type TestApp, type TestUser, testApp } from '../../../test/harness/app.ts'
import { enrolledNode } from '../../../test/harness/node.ts'
import { type TestServer, vpnCalls } from '../../../test/harness/vpn.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>
let user: TestUser
let here: TestServer
let there: TestServer

before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
})
const prepare = async () => {
  user = await vpn.someone()
  await app.license({ id: user.tenantId })
  here = await vpn.server()
  there = await vpn.server()
}

describe('moving a device', () => {
  beforeEach(prepare)
  afterEach(() => vpn.silence())

  test('takes it to another server with its keys and its session, and its old server lets go of it', async () => {
    const [from, to] = [await enrolledNode(app, here), await enrolledNode(app, there)]
    const { device } = (await vpn.register(user, { region: here.region })).body
    const { session } = (await vpn.connect(user, device.id)).body
    await from.report([{ publicKey: device.publicKey, rxBytes: 100 }])
    const since = [(await from.peers(0)).body.revision, (await to.peers(0)).body.revision]
    const { status, body } = await vpn.move(user, device.id, { region: there.region })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.device.server.id, body.device.publicKey], [there.id, device.publicKey])
    assert.ok(body.device.configVersion > device.configVersion)
    assert.notEqual(body.assignedIp, device.assignedIp)
    assert.ok(body.config.includes(body.assignedIp))
    const left = (await from.peers(since[0])).body
    assert.deepEqual([left.upserts, left.removes], [[], [device.publicKey]])
    const taken = (await to.peers(since[1])).body
    assert.deepEqual([taken.upserts[0].publicKey, taken.removes], [device.publicKey, []])
    assert.equal((await vpn.countsOf(here.id))?.active, 0)
    assert.deepEqual([(await vpn.countsOf(here.id))?.freed, (await vpn.countsOf(there.id))?.active], [1, 1])
    assert.equal((await vpn.connect(user, device.id)).body.session.id, session.id)
    await from.report([{ publicKey: device.publicKey, rxBytes: 9000 }])
    await to.report([{ publicKey: device.publicKey, rxBytes: 150 }])
    assert.equal((await vpn.get(user, `/devices/${device.id}`)).body.device.rxBytes, 250)
  })

  test('gives its session time to shake hands anew', async () => {
    const own = await testApp()
    const calls = vpnCalls(own)
    const someone = await calls.someone()
    await own.license({ id: someone.tenantId })
    const servers = [await calls.server(), await calls.server()]
    const nodes = await Promise.all(servers.map((server) => enrolledNode(own, server)))
    const device = await own.device(someone, { region: servers[0]?.region })
    const { publicKey } = (await calls.get(someone, `/devices/${device.id}`)).body.device
    const { session } = (await calls.connect(someone, device.id)).body
    for (const node of nodes) await node.report([{ publicKey }])
    const passes = async (seconds: number) => {
      for (let left = seconds; left > 0; left -= 50) {
        own.clock.advance({ seconds: Math.min(left, 50) })
        for (const node of nodes) await node.report([])
      }
      await own.app.housekeep()
    }
    await passes(250)
    assert.equal((await calls.move(someone, device.id, { region: servers[1]?.region })).status, 200)
    await passes(299)
    const standing = async () => (await calls.get(someone, `/vpn/sessions/${session.id}`)).body.session
    assert.equal((await standing()).status, 'ACTIVE')
    await passes(1)
    assert.equal((await standing()).endReason, 'IDLE_TIMEOUT')
  })

  test('never goes to the server where it is, and finds none where there is none', async () => {
    const { device } = (await vpn.register(user, { region: here.region })).body
    const reply = await vpn.move(user, device.id, { region: here.region })
    assert.deepEqual([reply.status, reply.body.code], [409, 'CAPACITY_EXHAUSTED'])
    assert.equal((await vpn.get(user, `/devices/${device.id}`)).body.device.server.id, here.id)
    assert.equal((await vpn.move(user, device.id, { region: 'nowhere' })).body.code, 'VALIDATION_ERROR')
    const other = await vpn.someone()
    assert.equal((await vpn.move(other, device.id, { region: there.region })).status, 404)
    assert.equal((await vpn.countsOf(there.id))?.active, 0)
  })

  test('in both directions at once neither loses a place nor gives one out twice', async () => {
    const devices = await Promise.all(
      Array.from({ length: 8 }, (_, index) => app.device(user, { region: (index % 2 ? here : there).region })),
    )
    const replies = await Promise.all(
      devices.map(({ id }, index) => vpn.move(user, id, { region: (index % 2 ? there : here).region })),
    )
    assert.deepEqual(
      replies.map(({ status }) => status),
      devices.map(() => 200),
    )
    assert.deepEqual([(await vpn.countsOf(here.id))?.active, (await vpn.countsOf(there.id))?.active], [4, 4])
    assert.equal(new Set(replies.map(({ body }) => body.assignedIp)).size, 8)
  })
})
