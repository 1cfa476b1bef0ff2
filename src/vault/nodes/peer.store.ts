import { run, sql } from '../../storage/query.ts'
import type { Scope, TenantScope } from '../../storage/scope.ts'

// What a server's node has to be told. Each change of a peer raises the server's revision once, as the last lock a
// transaction takes (tenant, user, device, license, server): the row lock makes commit order revision order, so a node
// that asks for all after a revision misses nothing.

/** Also after a change of its keys. False, and nothing changed, where the server is disabled. */
export async function wantPeer(
  tx: TenantScope,
  { deviceId, serverId }: { deviceId: string; serverId: string },
): Promise<boolean> {
  const changed = await run(
    tx,
    sql`with raised as (
        update vpn_servers set revision = revision + 1 where id = ${serverId} and status <> 'DISABLED' returning revision
      )
      update devices set is_peer_wanted = true, peer_revision = raised.revision from raised
      where tenant_id = ${tx.tenantId} and id = ${deviceId}`,
  )
  return changed === 1
}

export type Peer = { tenantId: string; deviceId: string; serverId: string }

/** The peers are to go; their addresses stay the devices'. The devices are locked already. */
export async function withdrawPeers(tx: Scope, peers: Peer[]): Promise<void> {
  for (const [serverId, group] of byServer(peers)) {
    await run(
      tx,
      sql`with raised as (update vpn_servers set revision = revision + 1 where id = ${serverId} returning revision)
        update devices set is_peer_wanted = false, peer_revision = raised.revision from raised, ${rowsOf(group)} as gone (tenant_id, id)
        where devices.tenant_id = gone.tenant_id and devices.id = gone.id`,
    )
  }
}

/** The devices are no more: peer, place, address and keys go at once. The devices are locked already. */
export async function revokePeers(tx: Scope, peers: Peer[], now: Date): Promise<void> {
  for (const [serverId, group] of byServer(peers)) {
    await run(
      tx,
      sql`with raised as (
          update vpn_servers set revision = revision + 1, active_count = active_count - ${group.length}::integer
          where id = ${serverId} returning revision
        ), gone as (
          select devices.tenant_id, devices.id, devices.host_offset from devices
          join ${rowsOf(group)} as wanted (tenant_id, id) on devices.tenant_id = wanted.tenant_id and devices.id = wanted.id
        ), freed as (
          insert into vpn_freed_offsets (server_id, host_offset, freed_at) select ${serverId}, host_offset, ${now} from gone
        )
        update devices set status = 'REVOKED', revoked_at = ${now}, host_offset = null, is_peer_wanted = false,
          peer_revision = raised.revision, private_key_sealed = null, preshared_key_sealed = null
        from raised, gone where devices.tenant_id = gone.tenant_id and devices.id = gone.id`,
    )
  }
}

/** Before the devices of a tenant are deleted: their servers' nodes are to be told all peers, for nothing tells which are gone. */
export async function forgetPeers(tx: TenantScope): Promise<void> {
  await run(
    tx,
    sql`with held as materialized (
        select id from vpn_servers where id in (select server_id from devices where tenant_id = ${tx.tenantId})
        order by id for update
      )
      update vpn_servers set revision = revision + 1, complete_from_revision = revision + 1 from held where vpn_servers.id = held.id`,
  )
}

/** In the order of ids, so that two transactions never wait for each other's server. */
function byServer(peers: Peer[]): [string, Peer[]][] {
  return [...Map.groupBy(peers, ({ serverId }) => serverId)].sort(([a], [b]) => (a < b ? -1 : 1))
}

function rowsOf(peers: Peer[]) {
  return sql`unnest(${peers.map(({ tenantId }) => tenantId)}::uuid[], ${peers.map(({ deviceId }) => deviceId)}::uuid[])`
}
