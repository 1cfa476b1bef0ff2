-- As before, but for the tokens of a day: without an override of its own their limit is a tenth of the month's limit in force, also
-- where that is an override; then what happens at it is the same, too. Before, it stayed at a tenth of the plan's.
create or replace function usage_tenant_limit(the_tenant uuid, the_plan text, the_name text, the_window date, at timestamptz)
returns table (max_amount bigint, soft bigint, effect text, source text, percents smallint[]) language sql stable as $$
  select
    -- At most what an integer in a header may be (RFC 9651).
    case when l.max_amount is not null then least(999999999999999, l.max_amount + coalesce((select sum(g.amount)
      from usage_grants g where g.tenant_id = the_tenant and g.meter = the_name and g.window_start = the_window), 0)) end,
    l.soft, l.at_limit, l.source,
    case when l.max_amount is not null then coalesce((select t.percents from usage_thresholds t
      where t.tenant_id = the_tenant and t.meter in (the_name, '') order by t.meter desc limit 1), '{80,100}') end
  from (
    select o.soft,
      case when o.has_hard or o.at_limit is not null then o.at_limit else m.at_limit end as at_limit,
      case when o.has_hard or m.has_hard or the_plan is null and o.meter is not null then 'OVERRIDE' else p.plan end as source,
      case when o.has_hard then o.hard
        when the_name = 'modelTokensPerDay' then case when m.has_hard then m.hard else p.max_amount end / 10
        else p.max_amount end as max_amount
    from (select) one
      left join usage_overrides o on o.tenant_id = the_tenant and o.meter = the_name and (o.until is null or o.until > at)
      left join usage_overrides m on the_name = 'modelTokensPerDay' and m.tenant_id = the_tenant and m.meter = 'modelTokens'
        and (m.until is null or m.until > at)
      left join usage_plan_limits p on p.plan = the_plan
        and p.meter = case the_name when 'modelTokensPerDay' then 'modelTokens' else the_name end
  ) l
$$;
