-- The nodes of VPN servers: enrollment, peers, reports.

alter table vpn_servers
  add column node_epoch bigint not null default 0,    -- of the newest agent: an older one is told to stop
  add column report_epoch bigint not null default 0,  -- of the last report that counted
  add column report_seq bigint not null default -1,
  add column online_since timestamptz,                -- the first report after a silence: nothing is concluded from before
  add column rejected_peers jsonb not null default '{}'; -- reasons by public key

alter table devices
  add column counted_epoch bigint not null default 0, -- in which the counters below were reported
  add column counted_rx bigint not null default 0,    -- the node's counters as they were reported last
  add column counted_tx bigint not null default 0,
  add column removal_confirmed_at timestamptz;        -- a revoked device: its node has let go of it

alter table vpn_sessions add column moved_at timestamptz; -- with its device to another server: it is given time anew

-- Until now no node has held a peer.
update devices set removal_confirmed_at = revoked_at where status = 'REVOKED';
create index devices_unconfirmed on devices (server_id, peer_revision) where status = 'REVOKED' and removal_confirmed_at is null;

-- Keys that a server's node may still hold and that no device has any more: rotated, moved away, erased with their tenant.
-- Kept for a week; a node that has been away for longer is given all of its peers.
create table vpn_removed_peers (
  server_id uuid not null references vpn_servers,
  revision bigint not null,
  public_key text not null,
  removed_at timestamptz not null,
  primary key (server_id, revision, public_key)
);
create index vpn_removed_peers_oldest on vpn_removed_peers (removed_at);

-- An enrolled node has seen revision 1 at least, so that `since=0` says that it has seen none.
update vpn_servers set revision = 1 where revision = 0;
alter table vpn_servers alter column revision set default 1;
