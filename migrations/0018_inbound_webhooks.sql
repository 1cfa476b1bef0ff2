-- Inbound webhooks: who may deliver to a tenant and how it proves that, and what was delivered.

create table webhook_connections (
  tenant_id uuid not null references tenants,
  id uuid not null, -- stands in the address that the provider calls
  channel text not null check (channel in ('issue-tracker', 'chat', 'collab', 'email')),
  scheme text not null,
  name text not null,
  account text, -- as the provider calls it in what it sends
  settings jsonb not null default '{}',
  secret_sealed bytea,          -- null: the scheme needs none
  previous_secret_sealed bytea, -- holds beside it until previous_until
  previous_until timestamptz,
  status text not null check (status in ('active', 'paused')),
  last_seen_at timestamptz,     -- of a verified delivery, to the minute
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,       -- kept a while without its secrets, so that the log can say what still arrives
  primary key (tenant_id, id),
  check ((previous_secret_sealed is null) = (previous_until is null))
);
-- A provider names a connection alone, never a tenant.
create unique index webhook_connections_id on webhook_connections (id);
create index webhook_connections_account on webhook_connections (channel, account, created_at)
  where account is not null and deleted_at is null;

create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  -- refusal: nothing was taken; one row a cause and minute, counted in duplicates
  kind text not null check (kind in ('event', 'confirmation', 'refusal')),
  delivery_key text not null, -- the same for every repeat
  event_type text,
  entity_key text,            -- in the order of arrival within it
  occurred_at timestamptz,
  received_at timestamptz not null,
  status text not null check (status in ('received', 'processed', 'ignored', 'retrying', 'dead', 'rejected')),
  run integer not null default 1,      -- counts replays: a job of an earlier one does nothing
  attempts integer not null default 0, -- of this run
  cause text,
  detail text,
  headers jsonb not null default '{}', -- listed ones alone
  content_type text not null,
  body bytea,                          -- null after a week, and of a refusal
  body_bytes integer not null,
  body_sha256 bytea not null,
  duplicates integer not null default 0,
  outcome jsonb,
  timeline jsonb not null default '[]',
  primary key (tenant_id, id),
  unique (tenant_id, connection_id, kind, delivery_key),
  foreign key (tenant_id, connection_id) references webhook_connections on delete cascade
);
create index webhook_deliveries_newest on webhook_deliveries (tenant_id, received_at desc, id desc);
create index webhook_deliveries_age on webhook_deliveries (received_at);
create index webhook_deliveries_bodies on webhook_deliveries (received_at) where body is not null;
