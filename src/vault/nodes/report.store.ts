import type { NodeCaller } from '../../http/access/callers.ts'
import { arrayText } from '../../storage/array-text.ts'
import { many, sql } from '../../storage/query.ts'
import type { PlatformScope } from '../../storage/scope.ts'

/** Sums stop here: JSON carries no greater number, and a sum must not overflow. */
const bytesMax = Number.MAX_SAFE_INTEGER

export type ReportedPeer = { publicKey: string; handshakeAgeSeconds: number | null; rxBytes: number; txBytes: number }

export type Report = {
  epoch: number
  seq: number
  peers: ReportedPeer[]
  now: Date
  /** A node that was last seen before this counts as silent. */
  onlineSince: Date
  /** A handshake at or after this means that the tunnel is up. */
  liveSince: Date
}

/** Bytes that a tenant's devices transferred since the last report; `tenantId` is null for a report without devices. */
export type Transferred = { tenantId: string | null; rxBytes: number; txBytes: number }

/**
 * Counts a report once. The answer is empty where the node has sent the same or a later report, where a newer agent has
 * taken over, or where the token is no longer valid. One statement for all peers. Counters restart with each epoch, and
 * where one is smaller than before. They go to the last session of the device, also if it has ended: the node learns of
 * that later than it counts. A handshake of a session that gave its use back makes the use due again. Locks devices before
 * the server, in the order of ids, as everywhere.
 */
export function countReport(
  tx: PlatformScope,
  { serverId, tokenHash }: NodeCaller,
  { epoch, seq, peers, now, onlineSince, liveSince }: Report,
): Promise<Transferred[]> {
  const isContinued = sql`d.counted_epoch = ${epoch}`
  // The node may still know a handshake from before the session.
  const isOwnHandshake = sql`(t.shook_at >= s.connected_at) is true`
  return many(
    tx,
    sql<Transferred>`with given as materialized (
        select public_key, ${now}::timestamptz - age * interval '1 second' as shook_at, rx, tx
        from unnest(${arrayText(peers.map(({ publicKey }) => publicKey))}::text[],
          ${arrayText(peers.map(({ handshakeAgeSeconds }) => handshakeAgeSeconds))}::float8[],
          ${arrayText(peers.map(({ rxBytes }) => rxBytes))}::bigint[],
          ${arrayText(peers.map(({ txBytes }) => txBytes))}::bigint[]) as g (public_key, age, rx, tx)
      ), locked as materialized (
        select d.tenant_id, d.id, g.shook_at, g.rx, g.tx,
          case when ${isContinued} and g.rx >= d.counted_rx then g.rx - d.counted_rx else g.rx end as more_rx,
          case when ${isContinued} and g.tx >= d.counted_tx then g.tx - d.counted_tx else g.tx end as more_tx
        from given g join devices d on d.public_key = g.public_key where d.server_id = ${serverId}
        order by d.tenant_id, d.id for update of d
      ), heard as (
        update vpn_servers set report_epoch = ${epoch}, report_seq = ${seq}, node_epoch = ${epoch}, last_seen_at = ${now},
          online_since = case when last_seen_at >= ${onlineSince} then online_since else ${now}::timestamptz end
        where id = ${serverId} and node_token_hash = ${tokenHash} and node_epoch <= ${epoch}
          and (report_epoch < ${epoch} or (report_epoch = ${epoch} and report_seq < ${seq}))
          and (select count(*) from locked) >= 0
        returning id
      ), counted as (
        update devices d set counted_epoch = ${epoch}, counted_rx = l.rx, counted_tx = l.tx, rx_bytes = least(d.rx_bytes + l.more_rx, ${bytesMax}), tx_bytes = least(d.tx_bytes + l.more_tx, ${bytesMax}),
          last_handshake_at = greatest(d.last_handshake_at, l.shook_at)
        from locked l, heard where d.tenant_id = l.tenant_id and d.id = l.id
      ), target as (
        select l.*, (select id from vpn_sessions where tenant_id = l.tenant_id and device_id = l.id
          order by connected_at desc, id desc limit 1) as session_id
        from locked l, heard
      ), carried as (
        update vpn_sessions s set rx_bytes = least(s.rx_bytes + t.more_rx, ${bytesMax}), tx_bytes = least(s.tx_bytes + t.more_tx, ${bytesMax}),
          last_handshake_at = case when ${isOwnHandshake} then greatest(s.last_handshake_at, least(t.shook_at, s.disconnected_at)) else s.last_handshake_at end,
          status = case when s.status = 'PENDING' and ${isOwnHandshake} and t.shook_at >= ${liveSince} then 'ACTIVE' else s.status end,
          is_use_owed = s.is_use_owed and not ${isOwnHandshake},
          is_use_due = s.is_use_due or (s.status = 'ENDED' and not s.is_use_owed and s.last_handshake_at is null and ${isOwnHandshake})
        from target t where s.tenant_id = t.tenant_id and s.id = t.session_id
      )
      select l.tenant_id as "tenantId", coalesce(sum(l.more_rx), 0)::float8 as "rxBytes", coalesce(sum(l.more_tx), 0)::float8 as "txBytes"
      from heard left join locked l on true group by l.tenant_id`,
  )
}
