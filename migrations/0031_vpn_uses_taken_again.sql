-- A session that ended before its first handshake gives its use back at once. When a report then shows that there was a
-- handshake after all, the use is taken again.
alter table vpn_sessions add column is_use_due boolean not null default false;
create index vpn_sessions_due on vpn_sessions (tenant_id, id) where is_use_due;
