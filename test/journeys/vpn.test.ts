// The whole VPN: the service, the agent of a server, and two devices with the files they downloaded.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { unique } from '../harness/app.ts'
import { type Answer, ask } from '../harness/client.ts'
import { freePort } from '../harness/free-port.ts'
import { type Agent, startAgent, startPings, until } from '../harness/node-agent.ts'
import { type Service, startService, temporaryFolder } from '../harness/service.ts'
import { endpointHost, type Lab, missingForTunnels, type Place, startLab } from '../harness/tunnel-lab.ts'

const isOnce = process.env['ATRIUM_TEST_DATABASE'] !== 'postgres'
const lack = missingForTunnels()
const skip = !isOnce ? 'done once, with PGlite' : (lack ?? false)

const interfaceName = `vpn${process.pid}`
/** Of the ranges that were assigned. */
let server4 = ''
let server6 = ''
const adminKey = `atradmin_${randomBytes(24).toString('base64url')}`
const admin = { 'x-admin-key': adminKey }

type Person = { tenantId: string; licenseKey: string; headers: Record<string, string> }
type Device = { id: string; config: string; assignedIp: string }

describe('a VPN', { skip }, () => {
  let lab: Lab
  let service: Service
  let agent: Agent
  let enrollmentToken: string
  let start: () => Promise<Service>
  let ann: Person
  let ben: Person
  let anns: Device
  let bens: Device

  const call = async (method: string, path: string, more: { headers: Record<string, string>; body?: unknown }) => {
    const answer = await ask({ url: service.base + path, method, ...more })
    assert.ok(answer.status >= 200 && answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body as Answer['body']
  }
  /** Of a tenant of one's own, with a license. */
  const person = async (): Promise<Person> => {
    const slug = unique('v')
    const of = { name: slug, slug, contactEmail: `ops@${slug}.example.com` }
    const { tenant } = await call('POST', '/admin/tenants', { headers: admin, body: of })
    const body = { name: 'app', products: ['vault-vpn'] }
    const { apiKey } = await call('POST', `/admin/tenants/${tenant.id}/api-keys`, { headers: admin, body })
    const licensed = { tenantId: tenant.id, product: 'vault-vpn', plan: 'PRO' }
    const { license } = await call('POST', '/vault/v1/licenses', { headers: admin, body: licensed })
    const key = { 'x-api-key': apiKey.key }
    const account = { email: `${slug}@example.com`, password: 'plum-Kayak-73-otter' }
    const { accessToken } = await call('POST', '/vault/v1/auth/register', { headers: key, body: account })
    return {
      tenantId: tenant.id,
      licenseKey: license.key,
      headers: { ...key, authorization: `Bearer ${accessToken}` },
    }
  }
  const register = async ({ headers }: Person): Promise<Device> => {
    const body = { deviceName: 'laptop', deviceType: 'LINUX', region: 'lab' }
    const { device } = await call('POST', '/vault/v1/devices', { headers, body })
    const config = await call('GET', `/vault/v1/devices/${device.id}/config`, { headers })
    return { id: device.id, config, assignedIp: device.assignedIp }
  }
  const connect = ({ headers, licenseKey }: Person, { id }: Device) =>
    call('POST', '/vault/v1/vpn/connect', { headers, body: { deviceId: id, licenseKey } })
  const deviceOf = async ({ headers }: Person, { id }: Device) =>
    (await call('GET', `/vault/v1/devices/${id}`, { headers })).device
  const sessionOf = async ({ headers }: Person) =>
    (await call('GET', '/vault/v1/vpn/sessions', { headers })).sessions[0]
  const pings = async (place: Place, address: string) =>
    (await lab.run(place, 'ping', '-n', '-c1', '-W1', address)).code === 0
  const fileOf = (place: Place) => join(lab.folder, `${place}${process.pid}.conf`)
  const up = async (place: Place, { config }: Device) => {
    writeFileSync(fileOf(place), config, { mode: 0o600 })
    await lab.must(place, `wg-quick up ${fileOf(place)}`)
  }
  const applied = (who: Person, device: Device) =>
    until(async () => (await deviceOf(who, device)).peerState === 'APPLIED')

  before(async () => {
    const folder = await temporaryFolder()
    const port = String(await freePort())
    start = () => startService({ DATA_DIR: folder, ADMIN_KEY: adminKey, PORT: port })
    service = await start()
    lab = await startLab()
    const body = {
      name: 'lab-1',
      region: 'lab',
      publicIp: endpointHost,
      endpointHost,
      endpointPort: 51820,
      capacity: 100,
    }
    const { server } = await call('POST', '/admin/vpn/servers', { headers: admin, body })
    server4 = server.subnet4.replace('.0.0/16', '.0.1')
    server6 = server.subnet6.replace('::/64', '::1')
    const path = `/admin/vpn/servers/${server.id}/enrollment-token`
    enrollmentToken = (await call('POST', path, { headers: admin })).enrollmentToken
    agent = startAgent(lab, { base: service.base, enrollmentToken, interfaceName }, '--dns', 'local')
    await agent.says('The interface is up')
    const isReady = async () => {
      const { servers } = await call('GET', '/admin/vpn/servers', { headers: admin })
      const { health, dns } = servers.find(({ id }: { id: string }) => id === server.id)
      return health === 'ONLINE' && dns[0] === server4
    }
    await until(isReady)
    ;[ann, ben] = [await person(), await person()]
    ;[anns, bens] = [await register(ann), await register(ben)]
  })
  after(async () => {
    await agent?.end('SIGKILL')
    await lab?.close()
    await service?.stop('SIGTERM')
  })

  test('carries packets of a downloaded file once the device is connected, and not before', async () => {
    await up('one', anns)
    assert.equal(await pings('one', server4), false)
    const { session } = await connect(ann, anns)
    assert.equal(session.status, 'PENDING')
    await applied(ann, anns)
    await until(() => pings('one', server4))
    assert.ok(await pings('one', server6))
    assert.equal(lab.dnsOf('one').trim(), `nameserver ${server4}`)
    await until(async () => (await sessionOf(ann)).status === 'ACTIVE')
  })

  test('lets nobody reach the device of another tenant on the same server', async () => {
    await connect(ben, bens)
    await applied(ben, bens)
    await up('two', bens)
    assert.ok(await pings('two', server4))
    assert.equal(await pings('one', bens.assignedIp), false)
    assert.equal(await pings('two', anns.assignedIp), false)
  })

  test('counts what goes through it within 5 %, in the session and in the day of the tenant', async () => {
    const ofTenant = async () => {
      const { usage } = await call('GET', `/admin/tenants/${ann.tenantId}/usage`, { headers: admin })
      return usage.reduce((sum: number, { bytesUp = 0 }: { bytesUp?: number }) => sum + bytesUp, 0)
    }
    const before = await sessionOf(ann)
    const beforeOfTenant = await ofTenant()
    const [count, bodyBytes] = [750, 1372]
    const { text } = await lab.run('one', 'ping', '-n', '-q', '-f', `-c${count}`, `-s${bodyBytes}`, server4)
    assert.match(text, / 0% packet loss/)
    const wanted = count * (bodyBytes + 28)
    const seen = async () => (await sessionOf(ann)).rxBytes - before.rxBytes
    await until(async () => (await seen()) > wanted * 0.95)
    assert.ok((await seen()) < wanted * 1.05)
    await until(async () => (await ofTenant()) - beforeOfTenant > wanted * 0.95)
    assert.ok((await ofTenant()) - beforeOfTenant < wanted * 1.05)
  })

  test('outlives the service, which catches up when it is back', async () => {
    await service.stop('SIGTERM')
    assert.ok(await pings('one', server4))
    service = await start()
    assert.ok(await pings('one', server4))
    assert.equal((await sessionOf(ann)).status, 'ACTIVE')
  })

  /** Packets of a device stop within 2 s of the deed, and the service knows that they have. */
  const assertStops = async (place: Place, deed: () => Promise<unknown>) => {
    const stream = startPings(lab, place, server4)
    await delay(300)
    const doneAtMs = Date.now()
    const answer = await deed()
    await delay(2000)
    const { lastReplyAtMs, received } = await stream.end()
    assert.ok(received > 0)
    assert.ok(lastReplyAtMs - doneAtMs < 2000, `${lastReplyAtMs - doneAtMs} ms`)
    return answer
  }

  test('goes on with the newer of two agents; the older one ends, and no packet is lost', async () => {
    const stream = startPings(lab, 'one', server4)
    const older = agent
    agent = startAgent(lab, { base: service.base, enrollmentToken, interfaceName }, '--dns', 'local')
    assert.equal(await older.ended, 3, older.output())
    await agent.says('The interface is up')
    assert.equal((await stream.end()).lost, 0)
  })

  test('carries no packet 2 s after the license was revoked, and the session says why', async () => {
    await assertStops('two', async () => {
      await call('POST', `/vault/v1/licenses/${ben.licenseKey}/revoke`, { headers: admin })
      await until(async () => (await deviceOf(ben, bens)).peerState !== 'APPLIED')
    })
    const { status, endReason } = await sessionOf(ben)
    assert.deepEqual([status, endReason], ['ENDED', 'LICENSE_REVOKED'])
    assert.ok(await pings('one', server4), 'the others go on')
  })

  test('carries no packet 2 s after the tenant was suspended, and again when its device connects later', async () => {
    const standing = (status: string) =>
      call('PATCH', `/admin/tenants/${ann.tenantId}`, { headers: admin, body: { status } })
    await assertStops('one', () => standing('SUSPENDED'))
    await standing('ACTIVE')
    const { status, endReason } = await sessionOf(ann)
    assert.deepEqual([status, endReason], ['ENDED', 'ADMIN'])
    await connect(ann, anns)
    await applied(ann, anns)
    // Begun anew, or WireGuard waits 15 s for an answer in the session that ended.
    await lab.must('one', `wg-quick down ${fileOf('one')}`)
    await up('one', anns)
    await until(() => pings('one', server4))
  })

  test('carries no packet 2 s after the device was deleted, which the answer confirms', async () => {
    const answer = await assertStops('one', () =>
      call('DELETE', `/vault/v1/devices/${anns.id}`, { headers: ann.headers }),
    )
    const { device, confirmedAt } = answer as Answer['body']
    assert.equal(device.status, 'REVOKED')
    assert.ok(confirmedAt)
    assert.equal(await pings('one', server4), false)
  })
})
