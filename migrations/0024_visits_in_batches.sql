-- Visits of one minute, type and product that were written together are one row: a row of its own for each, with its
-- place in two indexes, costs the database ten times as much. The view `analytics_events` has a line for each visit.
alter table analytics_events rename to analytics_events_before;

create table analytics_batches (
  day date not null,
  -- Who writes visits of a day holds its lock until the commit: in the order of these numbers its rows become visible.
  seq bigint generated always as identity,
  type text not null,
  product_id uuid,
  -- The lowest and the highest of `ids`, which are not in order.
  first_id uuid not null,
  last_id uuid not null,
  lines integer not null,
  -- What visits have in common, each kind once: an object with the names that `analytics_events` reads below.
  kinds jsonb not null,
  -- Of each line. An id is a UUIDv7 of the moment: a stretch of time is a stretch of ids.
  ids uuid[] not null,
  visitors uuid[] not null, -- the visitor's hash of the day
  kinds_of smallint[] not null, -- its place in `kinds`, from 0
  primary key (day, seq)
);
-- Nothing in them can be compressed.
alter table analytics_batches alter column ids set storage external;
alter table analytics_batches alter column visitors set storage external;
create index analytics_batches_newest on analytics_batches (first_id desc);
create index analytics_batches_product on analytics_batches (product_id, first_id desc);

insert into analytics_batches (day, type, product_id, first_id, last_id, lines, kinds, ids, visitors, kinds_of)
select minute::date, type, product_id, (array_agg(id order by id))[1], (array_agg(id order by id))[count(*)], count(*),
  jsonb_agg(distinct kind order by kind), array_agg(id order by id), array_agg(visitor order by id), array_agg(kind_of order by id)
from (
  select *, (dense_rank() over (partition by minute, type, product_id order by kind) - 1)::smallint as kind_of
  from (
    select id, type, product_id, encode(visitor_hash, 'hex')::uuid as visitor,
      date_trunc('minute', at at time zone 'UTC') as minute,
      jsonb_strip_nulls(jsonb_build_object('visits', visits, 'product_slug', product_slug, 'page_slug', page_slug,
        'doc_slug', doc_slug, 'download_id', download_id, 'version_id', version_id, 'is_bot', is_bot,
        'is_repeat', is_repeat, 'referrer_host', referrer_host, 'utm', utm, 'device', device,
        'agent_family', agent_family)) as kind
    from analytics_events_before
  ) lines
) numbered
group by minute, type, product_id;
drop table analytics_events_before;

create view analytics_events as
select b.day, b.seq, l.id,
  b.type, to_timestamp(('x' || translate(left(l.id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) as at,
  k.visits, b.product_id, k.product_slug, k.page_slug, k.doc_slug, k.download_id, k.version_id, l.visitor,
  k.is_bot, k.is_repeat, k.referrer_host, k.utm, k.device, k.agent_family
from analytics_batches b
cross join lateral unnest(b.ids, b.visitors, b.kinds_of) as l (id, visitor, kind)
cross join lateral jsonb_to_record(b.kinds -> l.kind::integer) as k (visits integer, product_slug text, page_slug text,
  doc_slug text, download_id uuid, version_id uuid, is_bot boolean, is_repeat boolean, referrer_host text, utm jsonb,
  device text, agent_family text);

-- Who has seen what on a day stands in its visits; each process remembers it while the day lasts.
drop table analytics_visitors;
