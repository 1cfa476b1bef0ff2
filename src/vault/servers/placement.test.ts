import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Reply, type TestApp, testApp } from '../../../test/harness/app.ts'
import { codeOf } from '../../../test/harness/key-calls.ts'
import { freeSubnets, vpnCalls } from '../../../test/harness/vpn.ts'

let app: TestApp
let vpn: ReturnType<typeof vpnCalls>

before(async () => {
  app = await testApp()
  vpn = vpnCalls(app)
})

const day = 24 * 3600
const times = <T>(count: number, work: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => work(index))
const addressOf = ({ body }: Reply): string => body.assignedIp
const lastByte = (reply: Reply): number => Number(addressOf(reply).split('.')[3])

describe('addresses', () => {
  test('300 devices registered at once get 300 addresses, one number for IPv4 and IPv6 each', async () => {
    const { region } = await vpn.server({ subnet4: '10.127.0.0/16', capacity: 300 })
    const users = await Promise.all(times(3, () => vpn.someone()))
    // On a busy machine some are told to come again: nothing was made for them.
    const register = async (user: (typeof users)[0]): Promise<Awaited<ReturnType<typeof vpn.register>>> => {
      const reply = await vpn.register(user, { region })
      return reply.status === 503 ? register(user) : reply
    }
    const replies = await Promise.all(times(300, (index) => register(users[index % 3] as (typeof users)[0])))
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201])
    assert.equal(new Set(replies.map(addressOf)).size, 300)
    assert.equal(new Set(replies.map(({ body }) => body.device.assignedIpv6)).size, 300)
    for (const { body } of replies) {
      const [, , high, low] = body.assignedIp.split('.').map(Number)
      assert.equal(Number.parseInt(body.device.assignedIpv6.split('::')[1], 16), high * 256 + low)
    }
  })

  test('of 30 registrations a server for 10 takes exactly 10', async () => {
    const server = await vpn.server({ capacity: 10 })
    const user = await vpn.someone()
    const replies = await Promise.all(times(30, () => vpn.register(user, { region: server.region })))
    assert.equal(replies.filter(({ status }) => status === 201).length, 10)
    const refused = replies.filter(({ status }) => status !== 201)
    for (const reply of refused) assert.deepEqual(codeOf(reply), [409, 'CAPACITY_EXHAUSTED'])
    assert.equal((await vpn.countsOf(server.id))?.active, 10)
  })

  test('an address given back rests a day, and the one that rested longest is given out first', async () => {
    const { region } = await vpn.server()
    let user = await vpn.someone()
    const [first, second, third] = [
      await vpn.register(user, { region }),
      await vpn.register(user, { region }),
      await vpn.register(user, { region }),
    ]
    for (const reply of [second, first]) {
      await vpn.revoke(user, reply.body.device.id)
      app.clock.advance({ seconds: 60 })
    }
    assert.equal(lastByte(await vpn.register(user, { region })), lastByte(third) + 1)
    app.clock.advance({ seconds: day - 61 })
    user = await vpn.again(user)
    assert.equal(addressOf(await vpn.register(user, { region })), addressOf(second), 'a day after it was given back')
    assert.equal(lastByte(await vpn.register(user, { region })), lastByte(third) + 2, 'the other still rests')
    app.clock.advance({ seconds: 61 })
    assert.equal(addressOf(await vpn.register(user, { region })), addressOf(first))
  })

  test('many who take rested addresses at once get each of them once', async () => {
    const server = await vpn.server({ capacity: 40 })
    const { region } = server
    const user = await vpn.someone()
    const old = await Promise.all(times(20, () => vpn.register(user, { region })))
    await Promise.all(old.map(({ body }) => vpn.revoke(user, body.device.id)))
    assert.deepEqual(await vpn.countsOf(server.id).then((counts) => [counts?.active, counts?.freed]), [0, 20])
    app.clock.advance({ seconds: day })
    const tomorrow = await vpn.again(user)
    const replies = await Promise.all(times(40, () => vpn.register(tomorrow, { region })))
    assert.equal(new Set(replies.map(addressOf)).size, 40)
    for (const reply of old) assert.ok(replies.map(addressOf).includes(addressOf(reply)))
    assert.deepEqual(await vpn.countsOf(server.id).then((counts) => [counts?.active, counts?.freed]), [40, 0])
  })

  test('a server whose free addresses all rest has no room, and counts nobody it refused', async () => {
    const subnet4 = freeSubnets().subnet4.replace('/24', '/30')
    const server = await vpn.server({ subnet4, capacity: 1 })
    const user = await vpn.someone()
    const only = await vpn.register(user, { region: server.region })
    await vpn.revoke(user, only.body.device.id)
    assert.deepEqual(codeOf(await vpn.register(user, { region: server.region })), [409, 'CAPACITY_EXHAUSTED'])
    assert.equal((await vpn.countsOf(server.id))?.active, 0)
    app.clock.advance({ seconds: day })
    assert.equal(addressOf(await vpn.register(await vpn.again(user), { region: server.region })), addressOf(only))
  })
})

describe('placement', () => {
  test('the emptiest server of the region takes the device, one whose node is silent only when no other can', async (t) => {
    t.after(() => vpn.silence())
    const silent = await vpn.server({ capacity: 100 })
    const { region } = silent
    const small = await vpn.server({ region, capacity: 4 })
    const large = await vpn.server({ region, capacity: 8 })
    await vpn.seenNow(small.id)
    await vpn.seenNow(large.id)
    const user = await vpn.someone()
    const placed: string[] = []
    for (const _ of times(13, String)) placed.push((await vpn.register(user, { region })).body.device.server.id)
    const count = (id: string) => placed.slice(0, 6).filter((serverId) => serverId === id).length
    assert.deepEqual([count(small.id), count(large.id), count(silent.id)], [2, 4, 0])
    assert.equal(placed[12], silent.id)
  })

  test('an unknown region is refused with the ones there are', async () => {
    const { region } = await vpn.server()
    const { status, body } = await vpn.register(await vpn.someone(), { region: 'atlantis' })
    assert.deepEqual([status, body.code, body.errors[0].path], [400, 'VALIDATION_ERROR', '/body/region'])
    assert.ok(body.errors[0].message.includes(region))
  })

  test('a server without a key takes nobody before it has one', async () => {
    const { id, region } = await vpn.server({ publicKey: null })
    const user = await vpn.someone()
    assert.deepEqual(codeOf(await vpn.register(user, { region })), [409, 'CAPACITY_EXHAUSTED'])
    const other = await vpn.server()
    const { publicKey } = (await app.call({ url: `/admin/vpn/servers/${other.id}`, headers: app.admin })).body.server
    await vpn.changeServer(id, { publicKey })
    assert.equal((await vpn.register(user, { region })).status, 201)
  })
})

describe('quotas of devices', () => {
  test('of 20 registrations a tenant for 5 devices gets exactly 5', async () => {
    const user = await vpn.someone({ maxDevices: 5 })
    const replies = await Promise.all(times(20, () => vpn.register(user)))
    assert.equal(replies.filter(({ status }) => status === 201).length, 5)
    for (const reply of replies.filter(({ status }) => status !== 201))
      assert.deepEqual(codeOf(reply), [403, 'QUOTA_EXCEEDED'])
  })

  test('of 12 registrations at once a user for 3 devices gets exactly 3, with no limit of the tenant', async () => {
    const user = await vpn.someone({ maxDevicesPerUser: 3 })
    const replies = await Promise.all(times(12, () => vpn.register(user)))
    assert.equal(replies.filter(({ status }) => status === 201).length, 3)
    for (const reply of replies.filter(({ status }) => status !== 201))
      assert.deepEqual(codeOf(reply), [403, 'QUOTA_EXCEEDED'])
  })

  test('the limit of a user leaves the others of the tenant alone, and a revoked device makes room', async () => {
    const tenant = await app.tenant({ limits: { maxDevicesPerUser: 2 } })
    const key = await app.apiKey(tenant)
    const [one, other] = [await app.user(key), await app.user(key)]
    const first = await vpn.register(one)
    await vpn.register(one)
    const refused = await vpn.register(one)
    assert.deepEqual(codeOf(refused), [403, 'QUOTA_EXCEEDED'])
    assert.match(refused.body.detail, /maxDevicesPerUser is 2/)
    assert.equal((await vpn.register(other)).status, 201)
    await vpn.revoke(one, first.body.device.id)
    assert.equal((await vpn.register(one)).status, 201)
  })
})
