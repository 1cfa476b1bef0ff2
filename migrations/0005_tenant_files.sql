-- Erasing a tenant: what is left of it says that it was, and when it went.

alter table tenants add column if not exists erased_at timestamptz;
alter table audit_log add column if not exists redacted_at timestamptz; -- what named persons was taken out then

-- A node that has applied less than this is to be given all of its peers and no differences: the rows that would have
-- told it which peers are gone were erased with their tenant.
alter table vpn_servers add column complete_from_revision bigint not null default 0;
