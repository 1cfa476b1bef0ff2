// node bench/floors/devices.ts: bare node:http that makes the keys of a device, seals them and writes the rows that a
// registration writes, in one transaction of named statements over a pool of 8. It asks neither who calls nor for a
// limit, and an entry of the audit log has no digest.
import { createCipheriv, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { generateKeyPair } from '../../src/vault/wireguard/keys.ts'

const { DATABASE_URL: connectionString, TENANT: tenantId } = process.env
const pool = new pg.Pool({ connectionString, max: 8 })
const sealingKey = createSecretKey(randomBytes(32))
const serverId = randomUUID()
await pool.query(
  `insert into vpn_servers (id, name, region, public_ip, endpoint_host, endpoint_port, public_key, subnet4, subnet6, dns, mtu,
    capacity, status, created_at, updated_at)
  values ($1, 'floor', 'floor', '203.0.113.9', '203.0.113.9', 51820, 'floor', '10.0.0.0/8', 'fd00:f::/64', '{}', 1420, 16000000,
    'DISABLED', now(), now())`,
  [serverId],
)

const placing = `update vpn_servers set active_count = active_count + 1, next_offset = next_offset + 1
  where id = $1 and active_count < capacity returning next_offset - 1 as "hostOffset"`
const inserting = `insert into devices (tenant_id, id, user_id, device_name, device_type, public_key, private_key_sealed,
    preshared_key_sealed, server_id, host_offset, assigned_ip, assigned_ipv6, status, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'ACTIVE', $13)`
const auditing = `insert into audit_log (id, at, tenant_id, actor_type, actor_id, actor_label, action, target_type, target_id, outcome,
    changes, ip, request_id)
  values ($1, $2, $3, 'USER', $4, 'somebody', 'device.create', 'device', $5, 'ALLOWED', $6, '127.0.0.1', 'floor')`

async function register({ deviceName, deviceType }: { deviceName: string; deviceType: string }): Promise<string> {
  const { privateKey, publicKey } = generateKeyPair()
  const [id, userId, now] = [randomUUID(), randomUUID(), new Date()]
  const keys = { private: privateKey, preshared: randomBytes(32).toString('base64') }
  const client = await pool.connect()
  try {
    await client.query('begin')
    const placed = await client.query<{ hostOffset: number }>({ name: 'place', text: placing, values: [serverId] })
    const offset = placed.rows[0]?.hostOffset ?? 0
    const ip = `10.${offset >> 16}.${(offset >> 8) & 255}.${offset & 255}`
    const device = [tenantId, id, userId, deviceName, deviceType, publicKey, seal(keys.private), seal(keys.preshared)]
    const place = [serverId, offset, ip, `fd00:f::${offset.toString(16)}`, now]
    await client.query({ name: 'insert', text: inserting, values: [...device, ...place] })
    const entry = [randomUUID(), now, tenantId, userId, id, JSON.stringify({ deviceType, serverId, assignedIp: ip })]
    await client.query({ name: 'audit', text: auditing, values: entry })
    await client.query('commit')
    return JSON.stringify({ device: { id, deviceName, deviceType }, config: keys, assignedIp: ip })
  } finally {
    client.release()
  }
}

function seal(text: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', sealingKey, iv)
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const server = createServer(async (request, response) => {
  const text = await register(JSON.parse(await readBody(request)))
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
  response.writeHead(201, headers).end(text)
})
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))
