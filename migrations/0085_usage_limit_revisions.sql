-- Tells a process whether limits of usage that it has read still hold: with each change of what decides about them the
-- revision is another one. The statement that counts a use reads it.

-- A tenant without a row: nothing was ever set for it.
create table usage_limit_revisions (
  tenant_id uuid primary key references tenants,
  revision uuid not null
);
insert into usage_limit_revisions (tenant_id, revision) select id, gen_random_uuid() from tenants;

-- Of the limits of plans, which hold for all tenants. Always one row.
create table usage_plan_revision (
  is_only boolean primary key default true check (is_only),
  revision uuid not null
);
insert into usage_plan_revision (revision) values (gen_random_uuid());

-- Changed once in a transaction: others see it only after the commit. A deletion makes no row, so an erased tenant keeps none.
create function usage_limits_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update usage_limit_revisions set revision = gen_random_uuid()
      where tenant_id = old.tenant_id and xmin <> pg_current_xact_id()::xid;
  else
    insert into usage_limit_revisions as r (tenant_id, revision) values (new.tenant_id, gen_random_uuid())
      on conflict (tenant_id) do update set revision = excluded.revision where r.xmin <> pg_current_xact_id()::xid;
  end if;
  return null;
end $$;

-- Deferred: the revision is locked last of all, so two changes of a tenant cannot wait for each other.
create constraint trigger usage_overrides_changed after insert or update or delete on usage_overrides
  deferrable initially deferred for each row execute function usage_limits_changed();
create constraint trigger usage_grants_changed after insert or update or delete on usage_grants
  deferrable initially deferred for each row execute function usage_limits_changed();
create constraint trigger usage_own_limits_changed after insert or update or delete on usage_own_limits
  deferrable initially deferred for each row execute function usage_limits_changed();
create constraint trigger usage_thresholds_changed after insert or update or delete on usage_thresholds
  deferrable initially deferred for each row execute function usage_limits_changed();
-- Licenses are deleted only with their tenant. Those of other products decide about no limit.
create constraint trigger licenses_limits_changed after insert or update of plan, expires_at, revoked_at on licenses
  deferrable initially deferred for each row when (new.product = 'assistant-ai') execute function usage_limits_changed();

create function usage_plans_changed() returns trigger language plpgsql as $$
begin
  update usage_plan_revision set revision = gen_random_uuid();
  return null;
end $$;
create trigger usage_plan_limits_changed after insert or update or delete or truncate on usage_plan_limits
  for each statement execute function usage_plans_changed();
