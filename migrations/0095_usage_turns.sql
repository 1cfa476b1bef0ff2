-- A use that is counted in its transaction waits for the others of its tenant and meter in the order in which they came: each locks
-- this first. A row that is locked goes to any of those who wait for it. With 32 callers of one tenant, two uses in a thousand waited
-- for longer than the five seconds of a statement.
create function usage_turn(the_tenant uuid, the_meter text) returns bigint language sql immutable as $$
  select hashtextextended(the_meter, uuid_hash_extended(the_tenant, 0))
$$;

-- As before, but for the turn.
create or replace function count_usage(
  the_tenant uuid, the_plan text, at timestamptz, the_day date, the_org uuid, the_user uuid, the_engine text,
  meters text[], amounts bigint[], reservations bigint[], effects text[], is_refusable boolean
) returns table (
  meter text, span text, scope text, subject_id uuid, limited_name text, used bigint, max_amount bigint, source text,
  effect text, reached smallint[], is_refused boolean
) language plpgsql as $$
#variable_conflict use_column
declare
  -- The largest number that JSON keeps exactly. What is reported from outside may add up to more.
  amount_max constant bigint := 9007199254740991;
  month_start constant date := date_trunc('month', the_day)::date;
  the_window date;
  the_amount bigint;
  percents smallint[];
  has_own_limits boolean;
begin
  for i in 1..cardinality(meters) loop
    meter := meters[i];
    perform pg_advisory_xact_lock(usage_turn(the_tenant, meters[i]));
    for scope, subject_id, span, the_window, the_amount, used in
      insert into usage_counters as c (tenant_id, meter, span, window_start, scope, subject_id, amount, reserved)
        select the_tenant, meters[i], v.span, case v.span when 'month' then month_start else the_day end, v.scope, v.subject_id,
          greatest(0, amounts[i]), greatest(0, reservations[i])
        -- In the order in which they are locked.
        from (values ('tenant', the_tenant, 'month'), ('tenant', the_tenant, 'day'), ('org', the_org, 'month'),
          ('org', the_org, 'day'), ('user', the_user, 'month'), ('user', the_user, 'day')) v (scope, subject_id, span)
        -- Days of users are in `usage_by_day`. That is enough where no limit holds for a day.
        where v.subject_id is not null and (v.scope <> 'user' or v.span = 'month' or meters[i] = 'modelTokens')
        on conflict (tenant_id, meter, span, window_start, scope, subject_id) do update set
          amount = greatest(0, least(c.amount + amounts[i], amount_max)),
          reserved = greatest(0, c.reserved + reservations[i])
        returning c.scope, c.subject_id, c.span, c.window_start, c.amount, c.amount + c.reserved
    loop
      continue when scope <> 'tenant' and not has_own_limits or span = 'day' and meters[i] <> 'modelTokens';
      limited_name := case span when 'month' then meters[i] else 'modelTokensPerDay' end;
      if scope = 'tenant' then
        -- The first counter is one of the tenant. Most tenants have no limits of their own.
        select l.max_amount, l.effect, l.source, l.percents, exists (select from usage_own_limits o
              where o.tenant_id = the_tenant and o.meter in (meters[i], 'modelTokensPerDay') and (o.scope, o.subject_id) in
                (('org', the_org), ('user', the_user), ('eachUser', '00000000-0000-0000-0000-000000000000')))
          into max_amount, effect, source, percents, has_own_limits
          from usage_tenant_limit(the_tenant, the_plan, limited_name, the_window, at) l;
      else
        select l.max_amount, l.effect, l.source, l.percents into max_amount, effect, source, percents
          from usage_limit(the_tenant, the_plan, limited_name, scope, subject_id, the_window, at) l;
      end if;
      continue when max_amount is null;
      effect := coalesce(effect, effects[i]);
      reached := '{}';
      is_refused := is_refusable and effect <> 'TELL' and used > max_amount;
      if is_refused then
        used := greatest(0, used - amounts[i] - reservations[i]);
        return next;
        return;
      end if;
      -- What is only reserved has not been used. Most uses are below the lowest threshold.
      if the_amount >= ceil(max_amount * percents[1] / 100.0) then
        reached := usage_reached(the_tenant, meters[i], span, the_window, scope, subject_id, the_amount, max_amount, percents);
      end if;
      return next;
    end loop;
    if amounts[i] <> 0 then
      insert into usage_by_day as d (tenant_id, day, meter, org_id, user_id, engine, amount)
        values (the_tenant, the_day, meters[i], the_org, the_user, the_engine, greatest(0, amounts[i]))
        on conflict (tenant_id, day, meter, org_id, user_id, engine) do update set
          amount = greatest(0, least(d.amount + amounts[i], amount_max));
    end if;
  end loop;
end $$;
