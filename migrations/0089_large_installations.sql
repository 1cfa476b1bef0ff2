-- What administrators list, filter and search answers in about the same time however many rows there are: a page is found
-- in an index, and what a filter matches is counted in one.

-- All trigrams of a text in lower case. It contains another text of three characters or more only if it has all its
-- trigrams; whether they stand in the right order is then seen in the row. (The extension pg_trgm is not everywhere.)
create function trigrams(whole text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct substr(lower(whole), place, 3)), '{}')
  from generate_series(1, length(lower(whole)) - 2) as place
$$;

create index licenses_label on licenses using gin (trigrams(label)) where label is not null;
create index licenses_key_hint on licenses (key_hint);
drop index licenses_newest;
create index licenses_newest on licenses (created_at desc, id desc) include (tenant_id, product, plan, expires_at, revoked_at);
drop index licenses_tenant_newest;
create index licenses_tenant_newest on licenses (tenant_id, created_at desc, id desc) include (product, plan, expires_at, revoked_at);
create index licenses_revoked on licenses (created_at desc, id desc) include (tenant_id) where revoked_at is not null;
create index licenses_ending on licenses (expires_at, id) include (tenant_id) where revoked_at is null and expires_at is not null;

create index audit_log_target on audit_log (target_id, at desc, id desc) where target_id is not null;
create index audit_log_actor on audit_log (actor_id, at desc, id desc) where actor_id is not null;
-- By an action, newest first, or by its first part.
create index audit_log_action on audit_log (split_part(action, '.', 1), action, at desc, id desc);
create index audit_log_denied on audit_log (at desc, id desc) where outcome = 'DENIED';

create index devices_tenant_newest on devices (tenant_id, created_at desc, id desc) include (status, user_id);
create index vpn_sessions_open_newest on vpn_sessions (connected_at desc, id desc) include (tenant_id) where status <> 'ENDED';
