-- What tenants, organizations and users use, counted by window, and the limits of it.

-- A meter without a row has no limit in the plan. The limit of `modelTokensPerDay` is a tenth of that of `modelTokens`.
create table usage_plan_limits (
  plan text not null check (plan in ('TRIAL', 'STARTER', 'PRO', 'ENTERPRISE')),
  meter text not null,
  max_amount bigint not null check (max_amount >= 0), -- in a month; of stored things at any time
  primary key (plan, meter)
);
insert into usage_plan_limits (plan, meter, max_amount) values
  ('TRIAL', 'meetings', 20), ('STARTER', 'meetings', 200),
  ('TRIAL', 'transcriptWords', 200000), ('STARTER', 'transcriptWords', 2000000), ('PRO', 'transcriptWords', 50000000),
  ('TRIAL', 'modelTokens', 200000), ('STARTER', 'modelTokens', 2000000), ('PRO', 'modelTokens', 50000000),
  ('TRIAL', 'asks', 100), ('STARTER', 'asks', 2000), ('PRO', 'asks', 50000),
  ('TRIAL', 'documentPages', 500), ('STARTER', 'documentPages', 5000), ('PRO', 'documentPages', 100000),
  ('TRIAL', 'botMinutes', 300), ('STARTER', 'botMinutes', 3000), ('PRO', 'botMinutes', 60000),
  ('TRIAL', 'storageBytes', 1073741824), ('STARTER', 'storageBytes', 10737418240), ('PRO', 'storageBytes', 107374182400),
  ('TRIAL', 'documents', 100), ('STARTER', 'documents', 1000);

-- What an administrator of the platform has set for a tenant, instead of its plan.
create table usage_overrides (
  tenant_id uuid not null references tenants,
  meter text not null,
  soft bigint check (soft >= 0),
  has_hard boolean not null default true, -- false: the plan's limit holds
  hard bigint check (hard >= 0), -- null: no limit
  at_limit text check (at_limit in ('REFUSE', 'FALL_BACK', 'TELL')), -- null: as the meter says
  until timestamptz, -- null: until it is deleted
  reason text not null,
  updated_at timestamptz not null,
  primary key (tenant_id, meter)
);

-- Additions to the limit of one window.
create table usage_grants (
  tenant_id uuid not null references tenants,
  meter text not null,
  window_start date not null,
  id uuid not null,
  amount bigint not null check (amount > 0),
  reason text not null,
  created_at timestamptz not null,
  primary key (tenant_id, meter, window_start, id)
);

-- Lower limits that administrators of a tenant have set.
create table usage_own_limits (
  tenant_id uuid not null references tenants,
  scope text not null check (scope in ('org', 'user', 'eachUser')),
  subject_id uuid not null, -- of `eachUser`: 00000000-...
  meter text not null,
  max_amount bigint not null check (max_amount >= 0),
  updated_at timestamptz not null,
  primary key (tenant_id, scope, subject_id, meter)
);

-- At which percentages of a limit a tenant is told. Without a row: 80 and 100.
create table usage_thresholds (
  tenant_id uuid not null references tenants,
  meter text not null, -- empty: all that have no row of their own
  percents smallint[] not null,
  primary key (tenant_id, meter)
);

create table usage_counters (
  tenant_id uuid not null references tenants,
  meter text not null,
  span text not null check (span in ('month', 'day')),
  window_start date not null,
  scope text not null check (scope in ('tenant', 'org', 'user')),
  subject_id uuid not null, -- of `tenant`: the tenant's id
  amount bigint not null,
  reserved bigint not null default 0, -- for requests to a model that have not been answered
  primary key (tenant_id, meter, span, window_start, scope, subject_id)
-- With room in each page for the next version of a row: then no index has to be written with a use.
) with (fillfactor = 70);
-- For the administrators' list of who uses most.
-- Without the amount: an index that holds it would have to be written with each use.
create index usage_counters_tenants on usage_counters (meter, span, window_start) where scope = 'tenant';

-- The same uses, by day, organization, user and engine.
create table usage_by_day (
  tenant_id uuid not null references tenants,
  day date not null,
  meter text not null,
  org_id uuid,
  user_id uuid, -- null also once the user was removed
  engine text check (engine in ('local', 'llm')),
  amount bigint not null
) with (fillfactor = 70);
create unique index usage_by_day_key on usage_by_day (tenant_id, day, meter, org_id, user_id, engine) nulls not distinct;
create index usage_by_day_user on usage_by_day (tenant_id, user_id, day) where user_id is not null;
create index usage_by_day_org on usage_by_day (tenant_id, org_id, day) where org_id is not null;

create table usage_reservations (
  tenant_id uuid not null references tenants,
  id uuid not null,
  meter text not null,
  amount bigint not null,
  day date not null,
  org_id uuid,
  user_id uuid,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index usage_reservations_oldest on usage_reservations (created_at);

-- What was reported from outside or by a job, so that a report that is repeated counts once. Kept 35 days.
create table usage_reports (
  tenant_id uuid not null references tenants,
  meter text not null,
  key text not null,
  reported_at timestamptz not null,
  primary key (tenant_id, meter, key)
);
create index usage_reports_oldest on usage_reports (reported_at);

-- The last batch of counts that a process has added, so that one whose answer was lost is not added twice.
create table usage_batches (
  writer uuid primary key,
  number bigint not null,
  added_at timestamptz not null
);

-- Thresholds that were told, so that each is told once for a limit.
create table usage_told (
  tenant_id uuid not null references tenants,
  meter text not null,
  span text not null,
  window_start date not null,
  scope text not null,
  subject_id uuid not null,
  percent smallint not null,
  max_amount bigint not null,
  told_at timestamptz not null,
  mailed_at timestamptz, -- null: the administrators' mails are not in the outbox yet, or there are none
  primary key (tenant_id, meter, span, window_start, scope, subject_id, percent, max_amount)
);

-- The limit of a tenant: decided here and nowhere else. An override of the platform wins over the plan, and grants add to
-- either. `max_amount` and `percents`, the thresholds in ascending order, are null without a limit. In SQL, so that it becomes
-- part of the query that asks: as a function of its own it took twice as long.
create function usage_tenant_limit(the_tenant uuid, the_plan text, the_name text, the_window date, at timestamptz)
returns table (max_amount bigint, soft bigint, effect text, source text, percents smallint[]) language sql stable as $$
  select
    -- At most what an integer in a header may be (RFC 9651).
    case when l.max_amount is not null then least(999999999999999, l.max_amount + coalesce((select sum(g.amount)
      from usage_grants g where g.tenant_id = the_tenant and g.meter = the_name and g.window_start = the_window), 0)) end,
    l.soft, l.at_limit, l.source,
    case when l.max_amount is not null then coalesce((select t.percents from usage_thresholds t
      where t.tenant_id = the_tenant and t.meter in (the_name, '') order by t.meter desc limit 1), '{80,100}') end
  from (
    select o.soft, o.at_limit,
      case when o.has_hard or the_plan is null and o.meter is not null then 'OVERRIDE' else p.plan end as source,
      case when o.has_hard then o.hard when the_name = 'modelTokensPerDay' then p.max_amount / 10 else p.max_amount end as max_amount
    from (select) one
      left join usage_overrides o on o.tenant_id = the_tenant and o.meter = the_name and (o.until is null or o.until > at)
      left join usage_plan_limits p on p.plan = the_plan
        and p.meter = case the_name when 'modelTokensPerDay' then 'modelTokens' else the_name end
  ) l
$$;

-- The same for any counter. Organizations and users have the limits that the tenant's administrators set.
create function usage_limit(
  the_tenant uuid, the_plan text, the_name text, the_scope text, the_subject uuid, the_window date, at timestamptz,
  out max_amount bigint, out soft bigint, out effect text, out source text, out percents smallint[]
) language plpgsql stable as $$
begin
  if the_scope = 'tenant' then
    select l.* into max_amount, soft, effect, source, percents
      from usage_tenant_limit(the_tenant, the_plan, the_name, the_window, at) l;
    return;
  end if;
  select l.max_amount, 'OWN' into max_amount, source from usage_own_limits l
    where l.tenant_id = the_tenant and l.scope = the_scope and l.subject_id = the_subject and l.meter = the_name;
  if not found and the_scope = 'user' then
    select l.max_amount, 'OWN' into max_amount, source from usage_own_limits l
      where l.tenant_id = the_tenant and l.scope = 'eachUser' and l.meter = the_name
        and l.subject_id = '00000000-0000-0000-0000-000000000000';
  end if;
  if max_amount is not null then
    percents := coalesce((select t.percents from usage_thresholds t
      where t.tenant_id = the_tenant and t.meter in (the_name, '') order by t.meter desc limit 1), '{80,100}');
  end if;
end $$;

-- The thresholds of a counter, in percent, that are reached and were not told for this limit.
create function usage_reached(
  the_tenant uuid, the_meter text, the_span text, the_window date, the_scope text, the_subject uuid,
  used bigint, the_max bigint, percents smallint[]
) returns smallint[] language plpgsql stable as $$
begin
  return array(select p from unnest(percents) p
    where used >= ceil(the_max * p / 100.0) and not exists (select from usage_told s
      where s.tenant_id = the_tenant and s.meter = the_meter and s.span = the_span and s.window_start = the_window
        and s.scope = the_scope and s.subject_id = the_subject and s.percent = p and s.max_amount = the_max)
    order by p);
end $$;

-- Adds a use to its counters: of each meter, in the order given, those of the tenant, the organization and the user. Returns
-- the counters that have a limit. If a limit refuses, `is_refused` of the last row is true, its `used` is what was used
-- before, and the transaction must be rolled back, because the use has been added. Whoever adds holds the lock of the
-- counter until then, so nobody else takes what is left meanwhile. A function, because its statements are planned once for
-- each connection: as one statement, planning took several times as long as running it. Few statements, because each costs
-- more than what it does.
create function count_usage(
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

-- Adds uses of a day that were counted in memory, and returns the counters that have reached thresholds. Locks the counters in
-- the order of `count_usage`. What is counted like this has limits of months only, and they refuse nothing here.
create function count_usage_of_day(
  the_tenant uuid, the_plan text, at timestamptz, the_day date,
  meters text[], orgs uuid[], users uuid[], amounts bigint[]
) returns table (
  meter text, span text, scope text, subject_id uuid, limited_name text, used bigint, max_amount bigint, source text,
  effect text, reached smallint[], is_refused boolean
) language plpgsql as $$
#variable_conflict use_column
declare
  amount_max constant bigint := 9007199254740991;
begin
  insert into usage_by_day as d (tenant_id, day, meter, org_id, user_id, engine, amount)
    select the_tenant, the_day, u.meter, u.org_id, u.user_id, null, least(sum(u.amount), amount_max)::bigint
    from unnest(meters, orgs, users, amounts) as u (meter, org_id, user_id, amount)
    group by u.meter, u.org_id, u.user_id order by u.meter, u.org_id, u.user_id
    on conflict (tenant_id, day, meter, org_id, user_id, engine) do update set
      amount = least(d.amount + excluded.amount, amount_max);
  return query
    with given as (
      select * from unnest(meters, orgs, users, amounts) as u (meter, org_id, user_id, amount)
    ), subjects as (
      select meter, 0 as rank, 'tenant' as scope, the_tenant as subject_id, amount from given
      union all select meter, 1, 'org', org_id, amount from given where org_id is not null
      union all select meter, 2, 'user', user_id, amount from given where user_id is not null
    ), added as (
      insert into usage_counters as c (tenant_id, meter, span, window_start, scope, subject_id, amount)
      select the_tenant, s.meter, t.span, case t.span when 'day' then the_day else date_trunc('month', the_day)::date end,
        s.scope, s.subject_id, least(sum(s.amount), amount_max)::bigint
      from subjects s cross join (values ('month'), ('day')) as t (span)
      where t.span = 'month' or s.scope <> 'user'
      group by s.meter, s.rank, s.scope, s.subject_id, t.span
      order by s.meter, s.rank, s.subject_id, t.span desc
      on conflict (tenant_id, meter, span, window_start, scope, subject_id) do update set
        amount = least(c.amount + excluded.amount, amount_max)
      returning c.meter, c.span, c.window_start, c.scope, c.subject_id, c.amount
    )
    select a.meter, a.span, a.scope, a.subject_id, a.meter, a.amount, l.max_amount, l.source, coalesce(l.effect, 'TELL'), r.reached, false
    from added a
      cross join lateral usage_limit(the_tenant, the_plan, a.meter, a.scope, a.subject_id, a.window_start, at) l
      cross join lateral (select case when l.max_amount is null then '{}' else usage_reached(the_tenant, a.meter, a.span,
        a.window_start, a.scope, a.subject_id, a.amount, l.max_amount, l.percents) end as reached) r
    where a.span = 'month' and cardinality(r.reached) > 0;
end $$;

-- Mails to the administrators of a tenant about thresholds that were reached.
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('VERIFY_EMAIL', 'RESET_PASSWORD', 'INVITATION', 'TASKS_DUE', 'USAGE_THRESHOLD'));
create index users_admins on users (tenant_id) where role = 'ADMIN';

-- The begun minutes of a transcript, so that an append knows by how many it became longer.
alter table meetings add column minute_count integer not null default 0;
update meetings m set minute_count = e.minutes
  from (select tenant_id, meeting_id, floor(max(offset_seconds) / 60)::int + 1 as minutes from transcript_entries group by 1, 2) e
  where m.tenant_id = e.tenant_id and m.id = e.meeting_id;

-- The uses of one subject by day, for charts and forecasts; and its counters, once a user is removed.
create index usage_counters_subject on usage_counters (tenant_id, scope, subject_id, span, window_start);

-- Days are deleted when they are old.
create index usage_by_day_oldest on usage_by_day using brin (day);

-- Counters compared with the uses behind them, because an administrator has asked for it. Kept 35 days.
create table usage_recounts (
  tenant_id uuid not null references tenants,
  id uuid not null,
  created_at timestamptz not null,
  finished_at timestamptz, -- null: its job has not run yet
  differences jsonb,
  primary key (tenant_id, id)
);

-- Reservations that nobody settled, and that count as used. Kept 35 days.
create table usage_unsettled (
  tenant_id uuid not null references tenants,
  id uuid not null,
  amount bigint not null,
  org_id uuid,
  user_id uuid,
  reserved_at timestamptz not null,
  counted_at timestamptz not null,
  primary key (tenant_id, id)
);
create index usage_unsettled_newest on usage_unsettled (counted_at desc);
