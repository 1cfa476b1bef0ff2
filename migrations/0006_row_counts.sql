-- How many rows the long lists have, without counting them at each page. A statement that adds or removes rows writes
-- one change beside them, in its transaction: nobody waits for anybody's counter. Housekeeping folds the changes into
-- the counts; the sum of both is exact at any moment.

create table row_counts (
  noun text not null, -- the table
  tenant_id uuid not null, -- ffffffff-... for all tenants, 00000000-... for rows of none
  rows bigint not null,
  primary key (noun, tenant_id)
);

create table row_count_changes (
  id bigint generated always as identity primary key,
  noun text not null,
  tenant_id uuid not null,
  change bigint not null
);

create function count_added_rows() returns trigger language plpgsql as $$
begin
  insert into row_count_changes (noun, tenant_id, change)
    select tg_table_name, coalesce(tenant_id, '00000000-0000-0000-0000-000000000000'), count(*) from changed group by tenant_id;
  return null;
end $$;

create function count_removed_rows() returns trigger language plpgsql as $$
begin
  insert into row_count_changes (noun, tenant_id, change)
    select tg_table_name, coalesce(tenant_id, '00000000-0000-0000-0000-000000000000'), -count(*) from changed group by tenant_id;
  return null;
end $$;

create trigger licenses_added after insert on licenses referencing new table as changed
  for each statement execute function count_added_rows();
create trigger licenses_removed after delete on licenses referencing old table as changed
  for each statement execute function count_removed_rows();
create trigger users_added after insert on users referencing new table as changed
  for each statement execute function count_added_rows();
create trigger users_removed after delete on users referencing old table as changed
  for each statement execute function count_removed_rows();
create trigger audit_log_added after insert on audit_log referencing new table as changed
  for each statement execute function count_added_rows();
create trigger audit_log_removed after delete on audit_log referencing old table as changed
  for each statement execute function count_removed_rows();

insert into row_count_changes (noun, tenant_id, change)
  select 'licenses', tenant_id, count(*) from licenses group by tenant_id
  union all select 'users', tenant_id, count(*) from users group by tenant_id
  union all select 'audit_log', coalesce(tenant_id, '00000000-0000-0000-0000-000000000000'), count(*) from audit_log group by tenant_id;

-- A page is found in an index alone and only its own rows are read from the table, however many stand before it.
drop index licenses_newest;
create index licenses_newest on licenses (created_at desc, id desc) include (tenant_id);
create index licenses_tenant_newest on licenses (tenant_id, created_at desc, id desc);
drop index users_newest;
create index users_newest on users (created_at desc, id desc) include (tenant_id);
create index users_tenant_newest on users (tenant_id, created_at desc, id desc);
drop index audit_log_tenant;
create index audit_log_tenant on audit_log (tenant_id, at desc, id desc);

-- Uses given back stay in the list of a license: with these it need not be counted.
alter table licenses add column refunds_count integer not null default 0;
update licenses l set refunds_count = (
  select count(*) from license_uses u where u.tenant_id = l.tenant_id and u.license_id = l.id and u.refunded_at is not null);
create index tenants_removed on tenants (id) where deleted_at is not null;
