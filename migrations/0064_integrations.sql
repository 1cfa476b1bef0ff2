-- Connections to other services by OAuth, on behalf of users and organizations.

-- A tenant's own OAuth apps, and those of the platform that administrators set.
create table integration_apps (
  tenant_id uuid not null references tenants,
  provider text not null,
  client_id text not null,
  client_secret_sealed bytea not null,
  settings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, provider)
);
create table platform_integration_apps (
  provider text primary key,
  client_id text not null,
  client_secret_sealed bytea not null,
  settings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Origins that a browser may be sent back to after a user has allowed the access.
create table integration_returns (
  tenant_id uuid not null references tenants,
  origin text not null,
  primary key (tenant_id, origin)
);

create table integrations (
  tenant_id uuid not null references tenants,
  id uuid not null,
  provider text not null,
  user_id uuid,       -- whose it is; null: the organization's
  org_id uuid,        -- whose it is; null: the user's
  connected_by uuid,  -- null once the user was removed
  status text not null check (status in ('pending', 'choosing', 'active', 'reauth_required')),
  cause text,
  account_id text,    -- null until it is known
  account_name text,
  choices jsonb,      -- while choosing: the sites of the account
  features jsonb not null,
  scopes jsonb not null, -- granted
  app text not null check (app in ('own', 'platform')),
  client_id text not null,
  is_broker boolean not null,
  access_sealed bytea,
  refresh_sealed bytea,
  token_version integer not null default 0,
  issued_at timestamptz,
  expires_at timestamptz, -- of the access token; null: unknown, it is used until it is refused
  leased_until timestamptz, -- somebody refreshes it
  last_used_at timestamptz,
  last_success_at timestamptz,
  failures integer not null default 0,
  next_try_at timestamptz, -- the provider asked to wait until then
  reauth_mailed_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  check ((user_id is null) <> (org_id is null)),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, org_id) references organizations on delete cascade
);
create index integrations_of_users on integrations (tenant_id, user_id, created_at desc, id desc) where user_id is not null;
create index integrations_of_orgs on integrations (tenant_id, org_id, created_at desc, id desc) where org_id is not null;
create index integrations_connected_by on integrations (tenant_id, connected_by);
-- One account of an owner is one integration.
create unique index integrations_account_of_user on integrations (tenant_id, user_id, provider, account_id) where org_id is null;
create unique index integrations_account_of_org on integrations (tenant_id, org_id, provider, account_id) where user_id is null;
-- Whether others share the grant; tokens that nobody used for a week; mails about dead grants; unconfirmed ones.
create index integrations_grants on integrations (provider, client_id, account_id);
create index integrations_idle on integrations (issued_at) where status = 'active' and refresh_sealed is not null;
create index integrations_dead on integrations (reauth_mailed_at) where status = 'reauth_required';
create index integrations_pending on integrations (created_at) where status = 'pending';

-- A user on the way to the provider and back. Nothing is exchanged before that user confirms.
create table integration_authorizations (
  tenant_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  provider text not null,
  user_id uuid not null,   -- who began, and alone can confirm
  status text not null check (status in ('created', 'started', 'returned', 'refused', 'used')),
  ticket_hash bytea not null unique,
  state_hash bytea unique, -- null before the start and once it was used
  cookie_hash bytea,
  verifier_sealed bytea,
  code_sealed bytea,
  confirmation_hash bytea,
  tries integer not null default 0,
  return_to text,
  features jsonb not null,
  scopes jsonb not null,
  app text not null,
  client_id text not null,
  is_broker boolean not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);
create index integration_authorizations_newest on integration_authorizations (tenant_id, integration_id, created_at desc, id desc);
create index integration_authorizations_over on integration_authorizations (expires_at);

-- Grants that are given back to their providers. Of no tenant: it outlives the integration, and the tenant for a day.
create table integration_revocations (
  id uuid primary key,
  provider text not null,
  client_id text not null,
  account_id text,
  grant_sealed bytea not null, -- the OAuth app and the tokens
  audited_tenant_id uuid,      -- null once the tenant was erased
  integration_id uuid,
  created_at timestamptz not null
);
create index integration_revocations_tenant on integration_revocations (audited_tenant_id);

alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('VERIFY_EMAIL', 'RESET_PASSWORD', 'INVITATION', 'TASKS_DUE', 'USAGE_THRESHOLD', 'DIGEST',
    'INTEGRATION_REAUTH'));
