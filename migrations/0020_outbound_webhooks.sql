-- Events that tenants are told of: where to, what, and how each try went.

create table webhook_endpoints (
  tenant_id uuid not null references tenants,
  id uuid not null,
  url text not null,
  description text,
  event_types text[] not null,     -- whole types, or their beginnings such as license.*; empty: all
  rate_per_minute integer check (rate_per_minute between 1 and 6000),
  rate_minute timestamptz,         -- the minute that rate_count is of
  rate_count integer not null default 0,
  status text not null check (status in ('ACTIVE', 'DISABLED')),
  disabled_reason text check (disabled_reason in ('GONE', 'FAILING')),
  disabled_at timestamptz,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,    -- signs beside the other until previous_until
  previous_until timestamptz,
  failing_since timestamptz,       -- the first of the failures after the last success; null: the last try succeeded
  paused_until timestamptz,        -- it asked for a pause
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  check ((status = 'DISABLED') = (disabled_at is not null))
);

-- What happened, once, however many endpoints are told. The body is kept as bytes are signed: alike in every try.
create table webhook_messages (
  tenant_id uuid not null references tenants,
  id uuid not null,
  type text not null,
  body text not null,
  coalesced_by text,               -- of many alike in a stretch of time one is told
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, coalesced_by)
);
create index webhook_messages_age on webhook_messages (created_at);

create table webhook_sends (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,  -- in all; the number of a try that is due is one more
  failures integer not null default 0,  -- since it was last asked for
  next_attempt_at timestamptz,          -- null exactly when it is not pending
  claimed_until timestamptz,            -- a try runs
  created_at timestamptz not null,
  primary key (tenant_id, endpoint_id, message_id),
  foreign key (tenant_id, endpoint_id) references webhook_endpoints on delete cascade,
  foreign key (tenant_id, message_id) references webhook_messages on delete cascade,
  check ((status = 'PENDING') = (next_attempt_at is not null))
);
create index webhook_sends_message on webhook_sends (tenant_id, message_id);
create index webhook_sends_waiting on webhook_sends (next_attempt_at) where status = 'PENDING';

create table webhook_attempts (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  message_id uuid not null,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  result text not null,
  status_code integer,             -- null: no answer
  answer text,                     -- how its body begins
  primary key (tenant_id, endpoint_id, message_id, number),
  foreign key (tenant_id, endpoint_id, message_id) references webhook_sends on delete cascade
);

-- Licenses whose last use was taken and who has not been told yet. Written by the statement that takes uses.
create table license_exhaustions (
  tenant_id uuid not null,
  license_id uuid not null,
  id uuid not null default gen_random_uuid(),
  at timestamptz not null,
  primary key (tenant_id, license_id, id),
  foreign key (tenant_id, license_id) references licenses on delete cascade
);
