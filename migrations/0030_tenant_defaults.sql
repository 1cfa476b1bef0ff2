-- A limit that nobody set follows the default of the installation from now on. Until now every tenant had all of them,
-- null where nothing was set; null now means that an administrator has removed the limit.
update tenants set limits = jsonb_strip_nulls(limits);

-- The products that the tenant's users may use. Unless an administrator chose them, each new key adds its own.
alter table tenants add column products text[] not null default '{}', add column are_products_chosen boolean not null default false;
update tenants t set products = k.products
  from (select tenant_id, array_agg(distinct product order by product) as products
    from api_keys, unnest(products) as product group by tenant_id) k
  where k.tenant_id = t.id;

-- Counted, because a limit on them is now the rule, and counting a million rows for each new one is not.
create trigger meetings_added after insert on meetings referencing new table as changed
  for each statement execute function count_added_rows();
create trigger meetings_removed after delete on meetings referencing old table as changed
  for each statement execute function count_removed_rows();
insert into row_count_changes (noun, tenant_id, change)
  select 'meetings', tenant_id, count(*) from meetings group by tenant_id;

-- Whose data a recorded answer holds, so that erasing the tenant forgets it.
alter table idempotency_keys add column tenant_id uuid;
create index idempotency_keys_tenant on idempotency_keys (tenant_id) where tenant_id is not null;
