-- What the public reads, counted by day, and what tenants use. No address of a visitor is stored anywhere.

-- One random value a UTC day, the same on every node: whoever visits on two days has two hashes. Dropped after 48 hours,
-- and with it goes what a hash could be guessed by.
create table analytics_salts (
  day date primary key,
  salt bytea not null,
  created_at timestamptz not null
);

create table analytics_events (
  -- UUIDv7 of the moment `at`: a stretch of time is a stretch of ids, so that time needs no index of its own.
  id uuid primary key,
  type text not null,
  at timestamptz not null,
  -- More than one where visits were put together because the database was away for long.
  visits integer not null,
  product_id uuid,
  product_slug text,
  page_slug text,
  doc_slug text,
  download_id uuid,
  version_id uuid,
  visitor_hash bytea,
  is_bot boolean not null,
  is_repeat boolean not null,
  referrer_host text,
  utm jsonb,
  device text not null,
  agent_family text not null
);
create index analytics_events_product on analytics_events (product_id, id desc);

-- Written in the transaction of the events they count.
create table analytics_summaries (
  day date not null,
  type text not null,
  product_id uuid not null, -- 00000000-... for what belongs to no product
  dimension text not null, -- all, page, download, version, referrer, device
  key text not null, -- empty for `all`, and for visits without a referrer
  product_slug text,
  views bigint not null, -- of people, repeats left out
  raw bigint not null, -- of people, repeats included
  bots bigint not null,
  uniques bigint not null, -- visitors of the day; of all, page and download alone
  primary key (day, type, product_id, dimension, key)
);
create index analytics_summaries_product on analytics_summaries (product_id, day);

-- Which visitor of a day has seen which thing, and when last. `seen` is a hash of both.
create table analytics_visitors (
  day date not null,
  seen uuid not null,
  viewed_at timestamptz not null,
  primary key (day, seen)
);

create table usage_metrics (
  tenant_id uuid not null references tenants,
  day date not null,
  product text not null, -- empty: of no single product
  api_calls bigint not null default 0,
  validations bigint not null default 0,
  connections bigint not null default 0,
  connection_seconds bigint not null default 0,
  bytes_up bigint not null default 0, -- zero until VPN nodes report
  bytes_down bigint not null default 0,
  active_devices bigint not null default 0,
  active_users bigint not null default 0,
  primary key (tenant_id, day, product)
);

-- Who was counted as active on a day.
create table usage_actives (
  tenant_id uuid not null references tenants,
  day date not null,
  product text not null,
  kind text not null check (kind in ('DEVICE', 'USER')),
  id uuid not null,
  primary key (tenant_id, day, product, kind, id)
);
create index usage_actives_day on usage_actives (day);
