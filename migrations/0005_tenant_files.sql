-- Erasing a tenant.

-- A node that has applied less than this is to be given all of its peers and no differences: the rows that would have
-- told it which peers are gone were erased with their tenant.
alter table vpn_servers add column complete_from_revision bigint not null default 0;
