-- The first house: tenancy, credentials, audit, licensing, VPN, a simple catalog.
-- tenant_id leads every tenant table's primary key, so that a wrong join cannot match and a database can shard by tenant.

create table installation (
  id smallint primary key default 1 check (id = 1),
  master_key_check text not null, -- proves that this process holds the key the sealed columns were written with
  created_at timestamptz not null
);

create table tenants (
  id uuid primary key,
  name text not null,
  slug text not null,
  contact_email text not null,
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  limits jsonb not null default '{}',
  whitelabel_config jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create unique index tenants_slug on tenants (slug) where deleted_at is null;
create index tenants_newest on tenants (created_at desc, id desc) where deleted_at is null;

create table api_keys (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  products text[] not null,
  key_hash bytea not null unique, -- SHA-256 of a 178-bit random key needs no salt and no slow hash
  key_prefix text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz,
  rotated_from_id uuid,
  primary key (tenant_id, id)
);
create index api_keys_newest on api_keys (tenant_id, created_at desc, id desc);

create table users (
  tenant_id uuid not null references tenants,
  id uuid not null,
  email text not null, -- normalised before it is stored: compared with = alone
  name text,
  role text not null check (role in ('USER', 'ADMIN')),
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  password_hash text,
  google_id text,
  email_verified boolean not null default false,
  last_login_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index users_email on users (tenant_id, email);
create unique index users_google on users (tenant_id, google_id) where google_id is not null;
create index users_email_anywhere on users (email text_pattern_ops);
create index users_id on users (id); -- administrators name a user by id alone
create index users_newest on users (created_at desc, id desc);

create table user_sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz not null,
  revoked_at timestamptz,
  revoked_reason text,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index user_sessions_user on user_sessions (tenant_id, user_id);

create table refresh_tokens (
  token_hash bytea primary key,
  tenant_id uuid not null,
  session_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (tenant_id, session_id) references user_sessions on delete cascade
);
create index refresh_tokens_session on refresh_tokens (tenant_id, session_id);

create table login_failures (
  tenant_id uuid not null references tenants,
  email_hash bytea not null,
  failures integer not null,
  blocked_until timestamptz not null,
  primary key (tenant_id, email_hash)
);

create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  tenant_id uuid,
  actor_type text not null,
  actor_id uuid,
  actor_label text not null,
  action text not null,
  target_type text not null,
  target_id text,
  outcome text not null check (outcome in ('ALLOWED', 'DENIED')),
  changes jsonb,
  ip text,
  request_id text
);
create index audit_log_newest on audit_log (at desc, id desc);
create index audit_log_tenant on audit_log (tenant_id, at desc);

create table idempotency_keys (
  id bytea primary key, -- SHA-256 of caller, method, path and key: the key itself is nowhere
  fingerprint bytea not null,
  status integer not null,
  answer_sealed bytea not null,
  expires_at timestamptz not null
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

create table licenses (
  tenant_id uuid not null references tenants,
  id uuid not null,
  key_hash bytea not null unique,
  key_sealed bytea not null,
  key_hint text not null,
  product text not null,
  plan text not null check (plan in ('TRIAL', 'STARTER', 'PRO', 'ENTERPRISE')),
  max_uses integer check (max_uses >= 0),
  uses_count integer not null default 0 check (uses_count >= 0),
  expires_at timestamptz,
  label text,
  is_automatic boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_validated_at timestamptz,
  primary key (tenant_id, id)
);
create index licenses_newest on licenses (created_at desc, id desc);
create index licenses_tenant_product on licenses (tenant_id, product);
create unique index licenses_one_automatic_trial on licenses (tenant_id, product) where is_automatic;

create table license_uses (
  tenant_id uuid not null,
  license_id uuid not null,
  operation_id text not null,
  source text not null check (source in ('SESSION', 'VALIDATE')),
  used_at timestamptz not null,
  refunded_at timestamptz,
  primary key (tenant_id, license_id, operation_id),
  foreign key (tenant_id, license_id) references licenses
);
create index license_uses_newest on license_uses (tenant_id, license_id, used_at desc);

create table vpn_servers (
  id uuid primary key,
  name text not null,
  region text not null,
  public_ip text not null,
  endpoint_host text not null,
  endpoint_port integer not null check (endpoint_port between 1 and 65535),
  public_key text, -- null until its node has made one; no device is placed before
  subnet4 text not null,
  subnet6 text not null,
  dns text[] not null,
  mtu integer not null,
  capacity integer not null check (capacity >= 0),
  active_count integer not null default 0,
  next_offset integer not null default 2, -- .0 is the network, .1 the server
  config_version integer not null default 0, -- raised when what stands in the devices' config files changes
  status text not null check (status in ('ACTIVE', 'DRAINING', 'DISABLED')),
  is_built_in boolean not null default false,
  revision bigint not null default 0, -- raised under the row lock: commit order is revision order
  applied_revision bigint not null default 0,
  last_seen_at timestamptz,
  agent_version text,
  node_token_hash bytea unique,
  -- A server that nobody reports for says nothing of its peers; the built-in one is such until a node enrolls for it.
  has_agent boolean not null generated always as (not is_built_in or node_token_hash is not null) stored,
  enrollment_token_hash bytea unique,
  enrollment_expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  check (active_count >= 0)
);
create unique index vpn_servers_name on vpn_servers (name) where deleted_at is null;
create unique index vpn_servers_built_in on vpn_servers (is_built_in) where is_built_in;

create table vpn_freed_offsets (
  server_id uuid not null references vpn_servers,
  host_offset integer not null,
  freed_at timestamptz not null,
  primary key (server_id, host_offset)
);
create index vpn_freed_offsets_oldest on vpn_freed_offsets (server_id, freed_at);

create table devices (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  device_name text not null,
  device_type text not null,
  public_key text not null,
  private_key_sealed bytea,
  preshared_key_sealed bytea, -- like the private half, thrown away when the device is revoked
  server_id uuid not null references vpn_servers,
  host_offset integer, -- null once revoked and given back
  assigned_ip text not null,
  assigned_ipv6 text not null,
  status text not null check (status in ('ACTIVE', 'SUSPENDED', 'REVOKED')),
  suspended_by text[] not null default '{}', -- TENANT, USER: all must come back for the device to come back
  is_peer_wanted boolean not null default false,
  peer_revision bigint not null default 0,
  config_version integer not null default 1,
  last_handshake_at timestamptz,
  rx_bytes bigint not null default 0,
  tx_bytes bigint not null default 0,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  unique (server_id, host_offset)
);
create unique index devices_public_key on devices (public_key); -- one key is one device anywhere: no tenant can take another's
create index devices_user on devices (tenant_id, user_id, created_at desc, id desc);
create index devices_peers on devices (server_id, peer_revision);

create table vpn_sessions (
  tenant_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  user_id uuid not null,
  server_id uuid not null references vpn_servers,
  license_id uuid not null,
  license_key_hint text not null,
  status text not null check (status in ('PENDING', 'ACTIVE', 'ENDED')),
  source text not null,
  connected_at timestamptz not null,
  disconnected_at timestamptz,
  end_reason text,
  is_use_owed boolean not null default false, -- ended unused: its use is still to be given back to the license
  last_handshake_at timestamptz,
  rx_bytes bigint not null default 0,
  tx_bytes bigint not null default 0,
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references devices
);
create unique index vpn_sessions_open on vpn_sessions (tenant_id, device_id) where status <> 'ENDED';
create index vpn_sessions_user on vpn_sessions (tenant_id, user_id, connected_at desc, id desc);
create index vpn_sessions_device on vpn_sessions (tenant_id, device_id, connected_at desc, id desc);
create index vpn_sessions_license on vpn_sessions (tenant_id, license_id) where status <> 'ENDED';
create index vpn_sessions_owed on vpn_sessions (tenant_id, id) where is_use_owed;
create index vpn_sessions_tenant_open on vpn_sessions (tenant_id) where status <> 'ENDED';

create table products (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  tagline text not null,
  description text not null,
  type text not null check (type in ('SDK', 'API', 'APP', 'SERVICE')),
  status text not null check (status in ('DRAFT', 'COMING_SOON', 'BETA', 'LIVE', 'DEPRECATED')),
  status_label text,
  is_featured boolean not null default false,
  features jsonb not null default '[]',
  plans jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
