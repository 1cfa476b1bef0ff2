-- Addresses that get no mail of a tenant.
create table email_suppressions (
  tenant_id uuid not null references tenants,
  id uuid not null,
  owner_id uuid not null, -- the organization whose mail was answered so, or the tenant itself
  org_id uuid,            -- null: the tenant's
  address text collate "C" not null,
  reason text not null check (reason in ('bounce', 'delivery_failures', 'complaint', 'unsubscribed', 'manual')),
  until timestamptz, -- null: for ever
  created_at timestamptz not null,
  primary key (tenant_id, id),
  check (owner_id = coalesce(org_id, tenant_id))
);
create unique index email_suppressions_address on email_suppressions (tenant_id, address, owner_id);
create index email_suppressions_owner on email_suppressions (tenant_id, owner_id, id desc);
create index email_suppressions_until on email_suppressions (until) where until is not null;

-- The last failed deliveries to an address that may work later.
create table email_delivery_failures (
  tenant_id uuid not null references tenants,
  address text collate "C" not null,
  failed_at timestamptz[] not null, -- oldest first
  last_failed_at timestamptz not null,
  primary key (tenant_id, address)
);
create index email_delivery_failures_age on email_delivery_failures (last_failed_at);
