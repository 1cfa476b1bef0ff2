import assert from 'node:assert/strict'
import { maybeOne, run, sql } from '../../src/storage/query.ts'
import { generateKeyPair } from '../../src/vault/wireguard/keys.ts'
import { type Reply, type TestApp, type TestUser, unique } from './app.ts'

export type TestServer = {
  id: string
  name: string
  region: string
  capacity: number
  subnet4: string
  subnet6: string
}

let serversMade = 0

/** Subnets that no other test's server has. */
export function freeSubnets(): { subnet4: string; subnet6: string } {
  serversMade += 1
  const subnet4 = `10.${128 + Math.floor(serversMade / 256)}.${serversMade % 256}.0/24`
  return { subnet4, subnet6: `fd00:7e57:0:${serversMade.toString(16)}::/64` }
}

/** The body of a good server of its own region. */
export async function newServer(overrides: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const name = unique('s')
  const { publicKey } = generateKeyPair()
  return {
    name,
    region: unique('r'),
    publicIp: '203.0.113.20',
    publicKey,
    capacity: 200,
    ...freeSubnets(),
    ...overrides,
  }
}

/** The requests of the VPN, in short. */
export function vpnCalls(app: TestApp) {
  const post = (user: TestUser, url: string, body: unknown, headers = {}): Promise<Reply> =>
    app.call({ method: 'POST', url: `/vault/v1${url}`, headers: { ...user.headers, ...headers }, body })
  return {
    /** A server that an administrator added: no node has enrolled for it, and none reports. */
    server: async (overrides: Record<string, unknown> = {}): Promise<TestServer> => {
      const reply = await app.call({
        method: 'POST',
        url: '/admin/vpn/servers',
        headers: app.admin,
        body: await newServer(overrides),
      })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return reply.body.server
    },
    changeServer: (id: string, body: unknown) =>
      app.call({ method: 'PATCH', url: `/admin/vpn/servers/${id}`, headers: app.admin, body }),
    someone: async (limits: Record<string, number> = {}): Promise<TestUser> =>
      app.user(await app.apiKey(await app.tenant({ limits }))),
    /** The same user with a new access token: the clock may have passed the end of the old one. */
    again: async (user: TestUser): Promise<TestUser> => {
      const { email, password, headers } = user
      const reply = await app.call({ method: 'POST', url: '/vault/v1/auth/login', headers, body: { email, password } })
      assert.equal(reply.status, 200, JSON.stringify(reply.body))
      return { ...user, headers: { ...headers, authorization: `Bearer ${reply.body.accessToken}` } }
    },
    register: (user: TestUser, body: Record<string, unknown> = {}) =>
      post(user, '/devices', { deviceName: 'laptop', deviceType: 'LINUX', ...body }),
    rotate: (user: TestUser, id: string, body: unknown = {}) => post(user, `/devices/${id}/rotate`, body),
    move: (user: TestUser, id: string, body: unknown = {}) => post(user, `/devices/${id}/move`, body),
    revoke: (user: TestUser, id: string) =>
      app.call({ method: 'DELETE', url: `/vault/v1/devices/${id}`, headers: user.headers }),
    connect: (user: TestUser, deviceId: string, extra: Record<string, unknown> = {}, headers = {}) =>
      post(user, '/vpn/connect', { deviceId, ...extra }, headers),
    disconnect: (user: TestUser, body: unknown) => post(user, '/vpn/disconnect', body),
    get: (user: TestUser, path: string, headers = {}) =>
      app.call({ url: `/vault/v1${path}`, headers: { ...user.headers, ...headers } }),
    /** What a node's report would leave behind. */
    seenNow: (serverId: string) =>
      run(app.platform, sql`update vpn_servers set last_seen_at = ${app.clock.now()} where id = ${serverId}`),
    /** All nodes, those of other applications too: devices of the tests that follow are not to be placed with them. */
    silence: () => run(app.platform, sql`update vpn_servers set last_seen_at = null where has_agent`),
    shookHands: (sessionId: string) =>
      run(
        app.platform,
        sql`update vpn_sessions set status = 'ACTIVE', last_handshake_at = ${app.clock.now()}
          where id = ${sessionId} and status <> 'ENDED'`,
      ),
    acknowledged: (serverId: string) =>
      run(app.platform, sql`update vpn_servers set applied_revision = revision where id = ${serverId}`),
    countsOf: (serverId: string) =>
      maybeOne(
        app.platform,
        sql<{
          active: number
          revision: number
          freed: number
        }>`select active_count as active, revision::float8 as revision,
          (select count(*)::int from vpn_freed_offsets where server_id = ${serverId}) as freed from vpn_servers where id = ${serverId}`,
      ),
    usesOf: async (key: string): Promise<number> => {
      const reply = await app.call({ url: `/vault/v1/licenses/${key}`, headers: app.admin })
      return reply.body.license.usesCount
    },
  }
}
