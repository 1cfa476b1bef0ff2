-- Each tenant has one revision of its limits, from its beginning, and a change of a plan gives all tenants a new one. Before, the
-- plans had a revision of their own, which the statement that counts a use had to read as well.

insert into usage_limit_revisions (tenant_id, revision)
  select id, gen_random_uuid() from tenants where erased_at is null on conflict do nothing;

create function usage_limits_begin() returns trigger language plpgsql as $$
begin
  insert into usage_limit_revisions (tenant_id, revision) values (new.id, gen_random_uuid());
  return null;
end $$;
create trigger tenants_limits_begin after insert on tenants for each row execute function usage_limits_begin();

create or replace function usage_plans_changed() returns trigger language plpgsql as $$
begin
  -- Waits for tenants that are just being made: it would not see their rows.
  lock table usage_limit_revisions in share row exclusive mode;
  update usage_limit_revisions set revision = gen_random_uuid();
  return null;
end $$;

drop table usage_plan_revision;
