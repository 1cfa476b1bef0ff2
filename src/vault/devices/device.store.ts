import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { listPage, many, one, run, sql } from '../../storage/query.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { violates } from '../../storage/sql-error.ts'
import { conflict } from '../faults.ts'
import type { Peer } from '../peers/peer.store.ts'
import type { Placement } from '../servers/placement.service.ts'
import type { DnsTerms } from '../wireguard/dns.rules.ts'
import type { Device, DeviceStatus, SuspendedBy } from './device.rules.ts'

// Bytes as float8: exact up to 2^53, nine petabytes, and a number in JavaScript.
const deviceColumns = sql`d.id, d.tenant_id as "tenantId", d.user_id as "userId", d.device_name as "deviceName", d.device_type as "deviceType",
  d.public_key as "publicKey", d.assigned_ip as "assignedIp", d.assigned_ipv6 as "assignedIpv6", d.status, d.is_peer_wanted as "isPeerWanted",
  d.peer_revision <= v.applied_revision and not jsonb_exists(v.rejected_peers, d.public_key) as "isPeerAcknowledged", d.server_id as "serverId", v.region, v.endpoint_host as "endpointHost",
  v.endpoint_port as "endpointPort", v.has_agent as "hasAgent", v.last_seen_at as "lastSeenAt", d.config_version + v.config_version as "configVersion",
  d.last_handshake_at as "lastHandshakeAt", d.rx_bytes::float8 as "rxBytes", d.tx_bytes::float8 as "txBytes",
  d.created_at as "createdAt", d.revoked_at as "revokedAt", d.removal_confirmed_at as "removalConfirmedAt"`

const devicesAndServers = sql`devices d join vpn_servers v on v.id = d.server_id`

/** Null: an administrator names the device of any user. */
export type Owner = string | null

const isOf = (userId: Owner) => (userId === null ? sql`true` : sql`d.user_id = ${userId}`)

/** A device of the user, revoked or not. Refuses with NOT_FOUND. */
export function getDevice(scope: TenantScope, userId: Owner, id: string): Promise<Device> {
  return one(
    scope,
    sql<Device>`select ${deviceColumns} from ${devicesAndServers} where d.tenant_id = ${scope.tenantId} and d.id = ${id} and ${isOf(userId)}`,
  )
}

/** A device of the user, locked until the transaction ends. Refuses with NOT_FOUND, also where it is revoked. */
export function lockDevice(tx: TenantScope, userId: Owner, id: string): Promise<Device> {
  return one(
    tx,
    sql<Device>`select ${deviceColumns} from ${devicesAndServers}
      where d.tenant_id = ${tx.tenantId} and d.id = ${id} and ${isOf(userId)} and d.status <> 'REVOKED' for update of d`,
  )
}

export async function listDevices(
  scope: TenantScope,
  { userId, status }: { userId: Owner; status: DeviceStatus | null },
  page: PageRequest,
): Promise<Page<Device>> {
  const matching = sql`d.tenant_id = ${scope.tenantId} and ${isOf(userId)}
    and ${status === null ? sql`d.status <> 'REVOKED'` : sql`d.status = ${status}`}`
  return listPage<Device>(scope, page, {
    columns: deviceColumns,
    from: sql`from ${devicesAndServers} where ${matching}`,
    countFrom: sql`from devices d where ${matching}`,
    orderBy: sql`d.created_at desc, d.id desc`,
  })
}

/** Devices of the tenant that are not revoked. */
export async function countDevices(tx: TenantScope): Promise<number> {
  const { total } = await one(
    tx,
    sql<{ total: number }>`select count(*)::int as total from devices
      where tenant_id = ${tx.tenantId} and status <> 'REVOKED'`,
  )
  return total
}

export type DeviceCounts = {
  userId: string
  ofUser: number
  /** Of all tenants together, which the servers know without counting. Never less than the tenant has. */
  ofAll: number
}

/**
 * Devices that are not revoked, for each of these users. With `unnest` of the parameter itself, the database would plan the
 * statement again for each number of users, which takes as long as counting.
 */
export function countDevicesOfUsers(tx: TenantScope, userIds: string[]): Promise<DeviceCounts[]> {
  return many(
    tx,
    sql<DeviceCounts>`select u.id as "userId", (select coalesce(sum(active_count), 0) from vpn_servers)::int as "ofAll",
        (select count(*) from devices d
          where d.tenant_id = ${tx.tenantId} and d.user_id = u.id and d.status <> 'REVOKED')::int as "ofUser"
      from unnest(array(select unnest(${userIds}::uuid[]))) u (id)`,
  )
}

/** Sealed, as they are stored. The private key is null where the service never had it. */
export type SealedKeys = { publicKey: string; privateKeySealed: Buffer | null; presharedKeySealed: Buffer }

export type NewDeviceRow = SealedKeys & {
  id: string
  userId: string
  deviceName: string
  deviceType: string
  place: Placement
  createdAt: Date
}

/** Refuses with STATE_CONFLICT where any device anywhere has or had the public key. */
export async function insertDevice(tx: TenantScope, device: NewDeviceRow): Promise<Device & ServerParts> {
  const { id, userId, deviceName, deviceType, publicKey, privateKeySealed, presharedKeySealed, place, createdAt } =
    device
  try {
    return await one(
      tx,
      sql<Device & ServerParts>`with d as (
          insert into devices (tenant_id, id, user_id, device_name, device_type, public_key, private_key_sealed, preshared_key_sealed,
            server_id, host_offset, assigned_ip, assigned_ipv6, status, created_at)
          values (${tx.tenantId}, ${id}, ${userId}, ${deviceName}, ${deviceType}, ${publicKey}, ${privateKeySealed}, ${presharedKeySealed},
            ${place.serverId}, ${place.hostOffset}, ${place.address4}, ${place.address6}, 'ACTIVE', ${createdAt})
          returning *
        )
        select ${deviceColumns}, ${serverPartColumns} from d join vpn_servers v on v.id = d.server_id`,
    )
  } catch (error) {
    if (violates(error, 'devices_public_key')) throw publicKeyTaken()
    throw error
  }
}

function publicKeyTaken(): Refusal {
  return conflict('Another device has or had this public key. Each device needs its own key pair.')
}

export async function renameDevice(tx: TenantScope, id: string, deviceName: string): Promise<void> {
  await run(tx, sql`update devices set device_name = ${deviceName} where tenant_id = ${tx.tenantId} and id = ${id}`)
}

/** Refuses with STATE_CONFLICT where another device has or had the public key. */
export async function replaceKeys(
  tx: TenantScope,
  id: string,
  { publicKey, privateKeySealed, presharedKeySealed }: SealedKeys,
): Promise<void> {
  try {
    await run(
      tx,
      sql`update devices set public_key = ${publicKey}, private_key_sealed = ${privateKeySealed}, preshared_key_sealed = ${presharedKeySealed},
          config_version = config_version + 1, counted_rx = 0, counted_tx = 0
        where tenant_id = ${tx.tenantId} and id = ${id}`,
    )
  } catch (error) {
    if (violates(error, 'devices_public_key')) throw publicKeyTaken()
    throw error
  }
}

/** `configVersion` is the sum of the device's and the server's, as users see it. It never decreases. */
export async function moveToPlacement(
  tx: TenantScope,
  { id, place, configVersion }: { id: string; place: Placement; configVersion: number },
): Promise<void> {
  await run(
    tx,
    sql`update devices d set server_id = v.id, host_offset = ${place.hostOffset}, assigned_ip = ${place.address4}, assigned_ipv6 = ${place.address6},
        config_version = ${configVersion} - v.config_version, peer_revision = 0, counted_rx = 0, counted_tx = 0
      from vpn_servers v where d.tenant_id = ${tx.tenantId} and d.id = ${id} and v.id = ${place.serverId}`,
  )
}

/** What the configuration file needs of the server, which had a key before it took devices. */
export type ServerParts = DnsTerms & { serverPublicKey: string; mtu: number }

const serverPartColumns = sql`v.public_key as "serverPublicKey", v.dns, v.serves_dns as "servesDns", v.subnet4, v.subnet6, v.mtu`

/** With all that the configuration file needs. Refuses with NOT_FOUND, also a revoked device: it has no keys. */
export function getConfiguredDevice(
  scope: TenantScope,
  userId: string,
  id: string,
): Promise<Device & ServerParts & Omit<SealedKeys, 'publicKey'>> {
  return one(
    scope,
    sql<Device & ServerParts & SealedKeys>`select ${deviceColumns}, ${serverPartColumns},
        d.private_key_sealed as "privateKeySealed", d.preshared_key_sealed as "presharedKeySealed"
      from ${devicesAndServers}
      where d.tenant_id = ${scope.tenantId} and d.id = ${id} and d.user_id = ${userId} and d.status <> 'REVOKED'`,
  )
}

/** Locks the devices of a user, or of the whole tenant, that are not revoked, in the order of their ids. */
export function lockDevices(tx: TenantScope, userId: string | null): Promise<Peer[]> {
  return many(
    tx,
    sql<Peer>`select tenant_id as "tenantId", id as "deviceId", server_id as "serverId" from devices
      where tenant_id = ${tx.tenantId} and (${userId}::uuid is null or user_id = ${userId}) and status <> 'REVOKED'
      order by id for update`,
  )
}

/** How many devices changed. The caller has locked them. */
export function suspendDevices(tx: TenantScope, userId: string | null, by: SuspendedBy): Promise<number> {
  return run(
    tx,
    sql`update devices set status = 'SUSPENDED', suspended_by = array_append(suspended_by, ${by}::text)
      where tenant_id = ${tx.tenantId} and (${userId}::uuid is null or user_id = ${userId}) and status <> 'REVOKED'
        and ${by}::text <> all (suspended_by)`,
  )
}

/** How many devices changed: only those that `by` had suspended. The caller has locked them. */
export function resumeDevices(tx: TenantScope, userId: string | null, by: SuspendedBy): Promise<number> {
  return run(
    tx,
    sql`update devices set suspended_by = array_remove(suspended_by, ${by}::text),
        status = case when suspended_by = array[${by}::text] then 'ACTIVE' else status end
      where tenant_id = ${tx.tenantId} and (${userId}::uuid is null or user_id = ${userId}) and status = 'SUSPENDED'
        and ${by}::text = any (suspended_by)`,
  )
}
