import { many, run, sql } from '../../storage/query.ts'
import type { Scope, TenantScope } from '../../storage/scope.ts'

// What a server's node must apply. Each change of a peer raises the server's revision once, as the last lock that a
// transaction takes (tenant, user, device, license, server); only a node's report counts its bytes after it. The row lock
// makes revisions commit in order, so a node that asks for everything after a revision misses nothing.

/** Makes the node accept the device, also after a change of its keys. False, with nothing changed, where the server is disabled. */
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

/** Sends peers to their node again, because something about them changed, such as their license's end. The devices are locked already. */
export async function refreshPeers(tx: Scope, { serverId, peers }: PeersOfServer): Promise<void> {
  await run(
    tx,
    sql`with raised as (update vpn_servers set revision = revision + 1 where id = ${serverId} returning revision)
      update devices set peer_revision = raised.revision from raised, ${peerRows(peers)} as told (tenant_id, id)
      where devices.tenant_id = told.tenant_id and devices.id = told.id and devices.is_peer_wanted`,
  )
}

/** Removes peers from their node; the devices keep their addresses. The devices are locked already. */
export async function withdrawPeers(tx: Scope, { serverId, peers }: PeersOfServer): Promise<void> {
  await run(
    tx,
    sql`with raised as (update vpn_servers set revision = revision + 1 where id = ${serverId} returning revision)
      update devices set is_peer_wanted = false, peer_revision = raised.revision from raised, ${peerRows(peers)} as gone (tenant_id, id)
      where devices.tenant_id = gone.tenant_id and devices.id = gone.id`,
  )
}

/**
 * Revokes devices: peer, capacity, address and keys go at once. The devices are locked already. Where no node ever knew
 * a device, its removal needs no confirmation.
 */
export async function revokePeers(tx: Scope, { serverId, peers, now }: PeersOfServer & { now: Date }): Promise<void> {
  await run(
    tx,
    sql`with raised as (
        update vpn_servers set revision = revision + 1, active_count = active_count - ${peers.length}::integer
        where id = ${serverId} returning revision, has_agent
      ), gone as (
        select devices.tenant_id, devices.id, devices.host_offset from devices
        join ${peerRows(peers)} as wanted (tenant_id, id) on devices.tenant_id = wanted.tenant_id and devices.id = wanted.id
      ), freed as (
        insert into vpn_freed_offsets (server_id, host_offset, freed_at) select ${serverId}, host_offset, ${now} from gone
      )
      update devices set status = 'REVOKED', revoked_at = ${now}, host_offset = null, is_peer_wanted = false,
        peer_revision = raised.revision, private_key_sealed = null, preshared_key_sealed = null,
        removal_confirmed_at = case when raised.has_agent and devices.peer_revision > 0 then null else ${now}::timestamptz end
      from raised, gone where devices.tenant_id = gone.tenant_id and devices.id = gone.id`,
  )
}

/**
 * Call it before a device gets another key: the node removes the old key, and takes the new one if the device is
 * accepted. The device is locked already. False, with nothing changed, where no node knows the key.
 */
export async function retireKey(
  tx: TenantScope,
  { deviceId, serverId, now }: { deviceId: string; serverId: string; now: Date },
): Promise<boolean> {
  const changed = await run(
    tx,
    sql`with known as (
        select id, public_key from devices where tenant_id = ${tx.tenantId} and id = ${deviceId} and peer_revision > 0
      ), raised as (
        update vpn_servers set revision = revision + 1 where id = ${serverId} and exists (select from known) returning revision
      ), told as (
        update devices set peer_revision = raised.revision from raised
        where tenant_id = ${tx.tenantId} and id = ${deviceId} and is_peer_wanted
      )
      insert into vpn_removed_peers (server_id, revision, public_key, removed_at)
      select ${serverId}, raised.revision, known.public_key, ${now} from raised, known`,
  )
  return changed === 1
}

/** Call it before a tenant's devices are deleted: their nodes remove the keys. Returns the servers' ids. */
export async function dropTenantPeers(tx: TenantScope, now: Date): Promise<string[]> {
  const raised = await many(
    tx,
    sql<{ id: string }>`with held as materialized (
        select id from vpn_servers
        where id in (select server_id from devices where tenant_id = ${tx.tenantId} and peer_revision > 0)
        order by id for update
      ), raised as (
        update vpn_servers v set revision = revision + 1 from held where v.id = held.id returning v.id, v.revision
      ), removed as (
        insert into vpn_removed_peers (server_id, revision, public_key, removed_at)
        select raised.id, raised.revision, d.public_key, ${now} from raised
        join devices d on d.server_id = raised.id and d.tenant_id = ${tx.tenantId} and d.peer_revision > 0
      )
      select id from raised`,
  )
  return raised.map(({ id }) => id)
}

/** Drops removed keys older than `until`. A node that has not applied the newest of them gets a full snapshot. */
export async function dropRemovedKeys(platform: Scope, until: Date): Promise<void> {
  await run(
    platform,
    sql`with old as (
        delete from vpn_removed_peers where removed_at < ${until} returning server_id, revision
      ), newest as (
        select server_id, max(revision) as revision from old group by server_id
      )
      update vpn_servers v set complete_from_revision = greatest(v.complete_from_revision, newest.revision)
      from newest where v.id = newest.server_id`,
  )
}

/**
 * For a restored database: nodes may have applied later revisions and would miss what now differs under the same numbers.
 * Moving past all of them makes every node fetch a full snapshot.
 */
export const invalidateNodeRevisions =
  'update vpn_servers set revision = revision + 4294967296, complete_from_revision = revision + 4294967296'

type PeersOfServer = { serverId: string; peers: Peer[] }

function peerRows(peers: Peer[]) {
  return sql`unnest(${peers.map(({ tenantId }) => tenantId)}::uuid[], ${peers.map(({ deviceId }) => deviceId)}::uuid[])`
}
