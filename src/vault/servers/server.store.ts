import type { Page, PageRequest } from '../../kernel/paging.ts'
import { listPage, many, maybeOne, one, run, sql } from '../../storage/query.ts'
import type { PlatformScope, Scope } from '../../storage/scope.ts'
import type { OtherServer } from './server.checks.ts'
import type { Server, ServerSettings, ServerStatus } from './server.rules.ts'

const serverColumns = sql`id, name, region, public_ip as "publicIp", endpoint_host as "endpointHost", endpoint_port as "endpointPort",
  public_key as "publicKey", subnet4, subnet6, dns, mtu, capacity, active_count as "activeCount", status, is_built_in as "isBuiltIn",
  has_agent as "hasAgent", serves_dns as "servesDns", last_seen_at as "lastSeenAt", agent_version as "agentVersion",
  revision::float8 as revision, applied_revision::float8 as "appliedRevision", rejected_peers as "rejectedPeers"`

/** One writer of server records at a time, on all nodes: names and subnets are compared with all the others. */
export async function lockServerRecords(tx: PlatformScope): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('vpn servers', 0))`)
}

/** Refuses with NOT_FOUND. */
export function getServer(platform: PlatformScope, id: string): Promise<Server> {
  return one(platform, sql<Server>`select ${serverColumns} from vpn_servers where id = ${id} and deleted_at is null`)
}

/** The built-in record, also one that an administrator has deleted. */
export function findBuiltInServer(platform: PlatformScope): Promise<(Server & { isDeleted: boolean }) | null> {
  return maybeOne(
    platform,
    sql<
      Server & { isDeleted: boolean }
    >`select ${serverColumns}, deleted_at is not null as "isDeleted" from vpn_servers where is_built_in`,
  )
}

export function listOtherServers(platform: PlatformScope, id: string | null): Promise<OtherServer[]> {
  return many(
    platform,
    sql<OtherServer>`select name, subnet4, subnet6 from vpn_servers
      where deleted_at is null and (${id}::uuid is null or id <> ${id})`,
  )
}

export type ServerFilter = { region?: string | undefined; status?: ServerStatus | undefined }

/** Servers are the platform's: every tenant's users may ask for them, and see of them what `OpenServer` shows. */
export async function listServers(scope: Scope, filter: ServerFilter, page: PageRequest): Promise<Page<Server>> {
  const { region = null, status = null } = filter
  const found = sql`from vpn_servers where deleted_at is null
    and (${region}::text is null or region = ${region}) and (${status}::text is null or status = ${status})`
  return listPage<Server>(scope, page, { columns: serverColumns, from: found, orderBy: sql`created_at desc, id desc` })
}

export type NewServerRow = ServerSettings & { id: string; isBuiltIn: boolean; createdAt: Date }

export async function insertServer(tx: PlatformScope, row: NewServerRow): Promise<void> {
  await run(
    tx,
    sql`insert into vpn_servers (id, name, region, public_ip, endpoint_host, endpoint_port, public_key, subnet4, subnet6, dns, mtu,
        capacity, status, is_built_in, created_at, updated_at)
      values (${row.id}, ${row.name}, ${row.region}, ${row.publicIp}, ${row.endpointHost}, ${row.endpointPort}, ${row.publicKey},
        ${row.subnet4}, ${row.subnet6}, ${row.dns}::text[], ${row.mtu}, ${row.capacity}, 'ACTIVE', ${row.isBuiltIn},
        ${row.createdAt}, ${row.createdAt})`,
  )
}

export type ServerUpdate = ServerSettings & { status: ServerStatus; isConfigChanged: boolean; now: Date }

/** False, and nothing written, where the subnets would change under a server that has had a device, or the server is gone. */
export async function updateServer(tx: PlatformScope, id: string, to: ServerUpdate): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update vpn_servers set name = ${to.name}, region = ${to.region}, public_ip = ${to.publicIp}, endpoint_host = ${to.endpointHost},
        endpoint_port = ${to.endpointPort}, public_key = ${to.publicKey}, subnet4 = ${to.subnet4}, subnet6 = ${to.subnet6},
        dns = ${to.dns}::text[], mtu = ${to.mtu}, capacity = ${to.capacity}, status = ${to.status}, updated_at = ${to.now},
        config_version = config_version + ${to.isConfigChanged ? 1 : 0}::integer
      where id = ${id} and deleted_at is null
        and (next_offset = 2 or (subnet4 = ${to.subnet4} and subnet6 = ${to.subnet6}))`,
  )
  return changed === 1
}

/** False where the server has devices or is gone. One statement, so no device can slip in between. */
export async function removeServer(tx: PlatformScope, id: string, now: Date): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update vpn_servers set deleted_at = ${now}, updated_at = ${now}, node_token_hash = null, enrollment_token_hash = null
      where id = ${id} and deleted_at is null and active_count = 0`,
  )
  return changed === 1
}

export async function setEnrollmentToken(
  tx: PlatformScope,
  id: string,
  { hash, expiresAt }: { hash: Buffer; expiresAt: Date },
): Promise<void> {
  await run(
    tx,
    sql`update vpn_servers set enrollment_token_hash = ${hash}, enrollment_expires_at = ${expiresAt} where id = ${id} and deleted_at is null`,
  )
}

/** Ends the node's token and an enrollment token that is not used yet. False where there is neither. */
export async function clearNodeTokens(tx: PlatformScope, serverId: string): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update vpn_servers set node_token_hash = null, enrollment_token_hash = null, enrollment_expires_at = null
      where id = ${serverId} and deleted_at is null and (node_token_hash is not null or enrollment_token_hash is not null)`,
  )
  return changed === 1
}
