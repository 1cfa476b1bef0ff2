import { randomBytes } from 'node:crypto'
import { systemCaller } from '../../src/kernel/caller.ts'
import { newId } from '../../src/kernel/ids.ts'
import { mintPlatformScope } from '../../src/storage/mint.ts'
import { run, sql } from '../../src/storage/query.ts'
import { deviceKeys } from '../../src/vault/devices/device-keys.ts'
import { generateKeyPair } from '../../src/vault/wireguard/keys.ts'
import { ask, fetchText } from '../ground/ask.ts'
import type { Ground } from '../ground/service.ts'
import { adminKey, openGround, secrets, startService } from '../ground/service.ts'
import type { Figure } from '../outcome.ts'
import { grounds, type Scenario } from '../plan.ts'
import type { Program } from '../program.ts'
import { median } from '../statistics.ts'

const sizes = [1_000, 10_000]
const reported = 1_000
const repeats = 10
const epoch = 1

type Headers = Record<string, string>
type Site = { serverId: string; tenantId: string; userId: string; deviceId: string; node: Headers; user: Headers }
type Peers = { revision: number; peers: { publicKey: string }[] }
type Round = {
  snapshotMs: number
  deltaMs: number
  reportMs: number
  connectMs: number
  deltaBytes: number
  snapshotMb: number
}

export const nodes: Scenario = {
  name: 'nodes',
  about: `A VPN server of ${sizes.join(' and ')} peers: its snapshot, a connect and the delta of it, a report of ${reported} peers. Medians of ${repeats}.`,
  run: async (plan) => {
    const figures: Figure[] = []
    for (const { kind, title } of grounds) {
      for (const size of sizes) {
        const ground = await plan.empty(kind)
        const first = await startService(ground)
        const site = await build(first).finally(() => first.stop())
        await fill(ground, site, size)
        const program = await startService(ground)
        try {
          const rounds: Round[] = []
          for (let round = 0; round < plan.rounds; round++) rounds.push(await measure(program, site, round))
          figures.push(...toFigures(`${title}, ${size} peers`, rounds))
        } finally {
          await program.stop()
        }
      }
    }
    return { rows: [], figures }
  },
}

/** A server whose node has enrolled, and a person with a device there. */
async function build(program: Program): Promise<Site> {
  const admin = { 'x-admin-key': adminKey }
  const make = async <T>(path: string, headers: Headers, body: unknown) =>
    (await ask(program, { path, headers, body })) as T
  const place = { region: 'bench', publicIp: '203.0.113.30', subnet4: '10.200.0.0/16', subnet6: 'fd00:b:1::/64' }
  const { server } = await make<{ server: { id: string } }>('/admin/vpn/servers', admin, {
    ...place,
    name: 'bench',
    capacity: 60_000,
  })
  const { enrollmentToken } = await make<{ enrollmentToken: string }>(
    `/admin/vpn/servers/${server.id}/enrollment-token`,
    admin,
    {},
  )
  const { nodeToken } = await make<{ nodeToken: string }>(
    '/vault/v1/node/enroll',
    { authorization: `Bearer ${enrollmentToken}` },
    { publicKey: generateKeyPair().publicKey, agentVersion: 'bench' },
  )
  const { tenant } = await make<{ tenant: { id: string } }>('/admin/tenants', admin, {
    name: 'Bench',
    slug: 'bench-nodes',
    contactEmail: 'ops@bench.example.com',
  })
  const { apiKey } = await make<{ apiKey: { key: string } }>(`/admin/tenants/${tenant.id}/api-keys`, admin, {
    name: 'app',
    products: ['vault-vpn'],
  })
  await make('/vault/v1/licenses', admin, { tenantId: tenant.id, product: 'vault-vpn', plan: 'ENTERPRISE' })
  const key = { 'x-api-key': apiKey.key }
  const account = { email: 'ada@bench.example.com', password: randomBytes(18).toString('base64url') }
  const person = await make<{ user: { id: string }; accessToken: string }>('/vault/v1/auth/register', key, account)
  const user = { ...key, authorization: `Bearer ${person.accessToken}` }
  const { device } = await make<{ device: { id: string } }>('/vault/v1/devices', user, {
    deviceName: 'laptop',
    deviceType: 'LINUX',
    region: 'bench',
  })
  return {
    serverId: server.id,
    tenantId: tenant.id,
    userId: person.user.id,
    deviceId: device.id,
    user,
    node: { authorization: `Bearer ${nodeToken}` },
  }
}

/** Devices that are let in, as registration and connect would leave them. */
async function fill(ground: Ground, { serverId, tenantId, userId }: Site, count: number): Promise<void> {
  const database = await openGround(ground)
  try {
    const keys = deviceKeys(secrets)
    const rows = []
    for (let n = 0; n < count; n++) {
      const id = newId(new Date())
      const { sealed } = keys.create({ tenantId, id }, generateKeyPair().publicKey)
      rows.push({ id, ...sealed })
    }
    await run(
      mintPlatformScope(database.handle, systemCaller),
      sql`insert into devices (tenant_id, id, user_id, device_name, device_type, public_key, preshared_key_sealed, server_id, host_offset,
          assigned_ip, assigned_ipv6, status, is_peer_wanted, peer_revision, created_at)
        select ${tenantId}, d.id, ${userId}, 'laptop', 'LINUX', d.public_key, d.psk, ${serverId}, d.n + 1000,
          '10.201.' || d.n / 250 || '.' || d.n % 250, 'fd00:b:2::' || to_hex(d.n), 'ACTIVE', true, 1, ${new Date()}
        from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ publicKey }) => publicKey)}::text[],
          ${rows.map(({ presharedKeySealed }) => presharedKeySealed)}::bytea[]) with ordinality as d (id, public_key, psk, n)`,
    )
  } finally {
    await database.close()
  }
}

async function measure(program: Program, site: Site, round: number): Promise<Round> {
  const { node, user, deviceId } = site
  const peersSince = (since: number) =>
    fetchText(program, { path: `/vault/v1/node/peers?since=${since}&epoch=${epoch}`, headers: node })
  const seen: Record<'snapshotMs' | 'deltaMs' | 'reportMs' | 'connectMs', number[]> = {
    snapshotMs: [],
    deltaMs: [],
    reportMs: [],
    connectMs: [],
  }
  let [snapshotBytes, deltaBytes] = [0, 0]
  for (let turn = 0; turn < repeats; turn++) {
    const whole = await timed(seen.snapshotMs, () => peersSince(0))
    snapshotBytes = whole.length
    const { revision, peers } = JSON.parse(whole) as Peers
    const body = { deviceId }
    await timed(seen.connectMs, () => fetchText(program, { path: '/vault/v1/vpn/connect', headers: user, body }))
    deltaBytes = (await timed(seen.deltaMs, () => peersSince(revision))).length
    await fetchText(program, { path: '/vault/v1/vpn/disconnect', headers: user, body })
    const bytes = (round * repeats + turn + 1) * 1000
    const report = peers.slice(0, reported).map(({ publicKey }) => ({
      publicKey,
      handshakeAgeSeconds: 1,
      rxBytes: bytes,
      txBytes: bytes,
    }))
    const said = { epoch, seq: round * repeats + turn, peers: report }
    await timed(seen.reportMs, () => fetchText(program, { path: '/vault/v1/node/report', headers: node, body: said }))
  }
  return {
    snapshotMs: median(seen.snapshotMs),
    deltaMs: median(seen.deltaMs),
    reportMs: median(seen.reportMs),
    connectMs: median(seen.connectMs),
    deltaBytes,
    snapshotMb: snapshotBytes / 1e6,
  }
}

async function timed(into: number[], work: () => Promise<string>): Promise<string> {
  const startedMs = performance.now()
  const text = await work()
  into.push(performance.now() - startedMs)
  return text
}

function toFigures(title: string, rounds: Round[]): Figure[] {
  const figure = (what: string, name: keyof Round, unit: Figure['unit']): Figure => {
    const values = rounds.map((round) => round[name])
    return { what: `${title}: ${what}`, value: median(values), unit, rounds: values, limit: null }
  }
  return [
    figure('snapshot', 'snapshotMs', 'ms'),
    figure('snapshot', 'snapshotMb', 'MB'),
    figure('connect', 'connectMs', 'ms'),
    figure('delta of one change', 'deltaMs', 'ms'),
    figure('delta of one change, bytes', 'deltaBytes', ''),
    figure(`report of ${reported}`, 'reportMs', 'ms'),
  ]
}
