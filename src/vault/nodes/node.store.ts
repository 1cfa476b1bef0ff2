import type { NodeCaller } from '../../http/access/callers.ts'
import { many, maybeOne, one, readPipelined, run, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import type { DnsTerms } from '../wireguard/dns.rules.ts'

export function findNode(platform: PlatformScope, tokenHash: Buffer): Promise<Omit<NodeCaller, 'tokenHash'> | null> {
  return readPipelined(
    platform,
    sql<{ serverId: string; serverName: string }>`select id as "serverId", name as "serverName" from vpn_servers
      where node_token_hash = ${tokenHash} and deleted_at is null`,
  )
}

export function findEnrollment(
  platform: PlatformScope,
  tokenHash: Buffer,
  now: Date,
): Promise<Omit<NodeCaller, 'tokenHash'> | null> {
  return readPipelined(
    platform,
    sql<{ serverId: string; serverName: string }>`select id as "serverId", name as "serverName" from vpn_servers
      where enrollment_token_hash = ${tokenHash} and enrollment_expires_at > ${now} and deleted_at is null`,
  )
}

export type EnrolledServer = {
  id: string
  name: string
  region: string
  endpointPort: number
  mtu: number
} & DnsTerms

export type EnrollmentRow = {
  publicKey: string
  agentVersion: string
  endpointHost: string | null
  endpointPort: number | null
  nodeTokenHash: Buffer
  now: Date
}

const enrolledColumns = sql`id, name, region, subnet4, subnet6, endpoint_port as "endpointPort", mtu, dns, serves_dns as "servesDns"`

/** The server that an enrollment token is for. Refuses with NOT_FOUND where it was just removed. */
export function getEnrollingServer(platform: PlatformScope, { serverId }: NodeCaller): Promise<EnrolledServer> {
  return one(
    platform,
    sql<EnrolledServer>`select ${enrolledColumns} from vpn_servers where id = ${serverId} and deleted_at is null`,
  )
}

/**
 * Uses the one-time token up and starts a node that has applied and reported nothing yet. One statement: of many callers with
 * one token one wins. Null where the token is used, replaced or expired.
 */
export function enrollNode(
  tx: PlatformScope,
  { serverId, tokenHash }: NodeCaller,
  to: EnrollmentRow,
): Promise<EnrolledServer | null> {
  // The endpoint of the built-in server comes from the environment: the next start would set it back.
  const host = sql`case when is_built_in then endpoint_host else coalesce(${to.endpointHost}, endpoint_host) end`
  const port = sql`case when is_built_in then endpoint_port else coalesce(${to.endpointPort}::integer, endpoint_port) end`
  return maybeOne(
    tx,
    sql<EnrolledServer>`update vpn_servers set node_token_hash = ${to.nodeTokenHash}, enrollment_token_hash = null, enrollment_expires_at = null,
        config_version = config_version +
          case when (public_key, endpoint_host, endpoint_port) is distinct from (${to.publicKey}, ${host}, ${port}) then 1 else 0 end,
        public_key = ${to.publicKey}, endpoint_host = ${host}, endpoint_port = ${port}, agent_version = ${to.agentVersion},
        applied_revision = 0, node_epoch = 0, report_epoch = 0, report_seq = -1, last_seen_at = null, online_since = null,
        rejected_peers = '{}', updated_at = ${to.now}
      where id = ${serverId} and enrollment_token_hash = ${tokenHash} and enrollment_expires_at > ${to.now} and deleted_at is null
      returning ${enrolledColumns}`,
  )
}

export type NodeState = { revision: number; completeFromRevision: number; nodeEpoch: number }

/** Null where the token is no longer valid. Read at every poll. */
export function findNodeState(platform: PlatformScope, { serverId, tokenHash }: NodeCaller): Promise<NodeState | null> {
  return readPipelined(
    platform,
    sql<NodeState>`select revision::float8 as revision, complete_from_revision::float8 as "completeFromRevision", node_epoch::float8 as "nodeEpoch"
      from vpn_servers where id = ${serverId} and node_token_hash = ${tokenHash} and deleted_at is null`,
  )
}

/** Records that a new agent started, and what it has applied. False where a newer agent has started or the token is no longer valid. */
export async function beginEpoch(
  platform: PlatformScope,
  { serverId, tokenHash }: NodeCaller,
  { epoch, since }: { epoch: number; since: number },
): Promise<boolean> {
  const changed = await run(
    platform,
    sql`update vpn_servers set node_epoch = ${epoch}, applied_revision = least(revision, ${since}::bigint)
      where id = ${serverId} and node_token_hash = ${tokenHash} and node_epoch < ${epoch}`,
  )
  return changed === 1
}

/** A peer as it is stored; for a peer to remove only the public key is set. */
export type StoredPeer = {
  publicKey: string
  isWanted: boolean
  tenantId: string
  deviceId: string
  presharedKeySealed: Buffer
  assignedIp: string
  assignedIpv6: string
  endsAt: Date | null
}

const peerColumns = sql`d.public_key as "publicKey", d.is_peer_wanted as "isWanted", d.tenant_id as "tenantId", d.id as "deviceId",
  d.preshared_key_sealed as "presharedKeySealed", d.assigned_ip as "assignedIp", d.assigned_ipv6 as "assignedIpv6", l.expires_at as "endsAt"`

/** With the end of the license that carries the open session. */
const peers = sql`devices d
  left join vpn_sessions s on s.tenant_id = d.tenant_id and s.device_id = d.id and s.status <> 'ENDED'
  left join licenses l on l.tenant_id = s.tenant_id and l.id = s.license_id`

/** All peers that the server must accept. */
export function listPeers(platform: PlatformScope, serverId: string): Promise<StoredPeer[]> {
  return many(
    platform,
    sql<StoredPeer>`select ${peerColumns} from ${peers} where d.server_id = ${serverId} and d.is_peer_wanted`,
  )
}

/** What changed after a revision, each key once: keys of devices, and keys that no device has now. */
export function listChanges(platform: PlatformScope, serverId: string, since: number): Promise<StoredPeer[]> {
  return many(
    platform,
    sql<StoredPeer>`select ${peerColumns} from ${peers} where d.server_id = ${serverId} and d.peer_revision > ${since}
      union all
      select distinct r.public_key, false, null::uuid, null::uuid, null::bytea, null, null, null::timestamptz from vpn_removed_peers r
      where r.server_id = ${serverId} and r.revision > ${since} and not exists (
        select from devices d where d.public_key = r.public_key and d.server_id = r.server_id and (d.is_peer_wanted or d.peer_revision > ${since})
      )`,
  )
}

export type Acknowledgement = {
  epoch: number
  appliedRevision: number
  rejected: Record<string, string>
  servesDns: boolean
  now: Date
}

/**
 * Records what a node has applied, and confirms the revocations that this includes. Locks devices before the server, as
 * everywhere. Null where the call does not count: see `findNodeState`.
 */
export function recordAcknowledgement(
  tx: PlatformScope,
  { serverId, tokenHash }: NodeCaller,
  { epoch, appliedRevision, rejected, servesDns, now }: Acknowledgement,
): Promise<{ confirmed: number } | null> {
  return maybeOne(
    tx,
    sql<{ confirmed: number }>`with gone as materialized (
        select tenant_id, id from devices
        where server_id = ${serverId} and status = 'REVOKED' and removal_confirmed_at is null and peer_revision <= ${appliedRevision}
        order by tenant_id, id for update
      ), heard as (
        update vpn_servers set node_epoch = ${epoch}, rejected_peers = ${JSON.stringify(rejected)}::jsonb,
          serves_dns = ${servesDns}, config_version = config_version + case when dns is null and serves_dns <> ${servesDns} then 1 else 0 end,
          applied_revision = case when node_epoch < ${epoch} then ${appliedRevision} else greatest(applied_revision, ${appliedRevision}) end
        where id = ${serverId} and node_token_hash = ${tokenHash} and node_epoch <= ${epoch} and revision >= ${appliedRevision}
          and (select count(*) from gone) >= 0
        returning id
      ), confirmed as (
        update devices d set removal_confirmed_at = ${now} from gone, heard where d.tenant_id = gone.tenant_id and d.id = gone.id
        returning d.id
      )
      select (select count(*)::int from confirmed) as confirmed from heard`,
  )
}
