-- Services that send bots of their own, and the bots that they were asked for.

create table bot_vendors (
  tenant_id      uuid not null references tenants on delete cascade,
  vendor         text not null,
  region         text,
  base_url       text not null,
  api_key_sealed bytea not null,
  connection_id  uuid,          -- of its webhooks; null: it sends none
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  primary key (tenant_id, vendor)
);

-- An attempt of a bot at its vendor. It outlives the bot until the vendor has nothing of the meeting any more.
create table bot_vendor_runs (
  tenant_id      uuid not null references tenants on delete cascade,
  id             uuid not null,  -- names the order at the vendor
  bot_id         uuid not null,
  attempt        integer not null,
  room           text not null,
  platform       text not null,
  vendor         text not null,
  asked_at       timestamptz,    -- when the vendor was first asked for the bot: from then on there may be one
  external_id    text,           -- null: it is not known that there is one
  look_at        timestamptz,    -- when the vendor is asked next; null once it is over
  enqueued_at    timestamptz,    -- a job for it waits since then
  tries          integer not null default 0,
  heard_ms       bigint not null default -1,
  chat_seen      text[] not null default '{}',
  leave_asked_at timestamptz,
  reconciled_at  timestamptz,    -- when the whole transcript was taken over
  erased_at      timestamptz,    -- when the vendor said that it has nothing any more
  error          text,
  created_at     timestamptz not null,
  primary key (tenant_id, id)
);
create unique index bot_vendor_runs_external on bot_vendor_runs (tenant_id, vendor, external_id) where external_id is not null;
create index bot_vendor_runs_open on bot_vendor_runs (look_at) where look_at is not null;
create index bot_vendor_runs_by_bot on bot_vendor_runs (tenant_id, bot_id);

alter table webhook_connections drop constraint webhook_connections_channel_check;
alter table webhook_connections add constraint webhook_connections_channel_check
  check (channel in ('issue-tracker', 'chat', 'collab', 'email', 'bot'));
