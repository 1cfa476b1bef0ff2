-- Products with all that the catalog shows of them; features and plans, which stood in them as JSON, have ids and an order.
alter table products
  add column description_html text, -- made when the description is written; null only until the next start of the program
  add column type_label text,
  add column sort_order integer not null default 100,
  add column api_prefix text,
  add column icon_media_id uuid,
  add column cover_media_id uuid,
  add column tags text[] not null default '{}',
  add column links jsonb not null default '{"website": null, "repo": null, "support": null, "changelog": null}',
  add column seo jsonb not null default '{"title": null, "description": null, "imageId": null, "noindex": false}',
  add column announced_at timestamptz,
  add column beta_at timestamptz,
  add column launched_at timestamptz,
  add column deprecated_at timestamptz,
  add column sunset_at timestamptz,
  add column replaced_by_id uuid references products on delete set null,
  add column is_seed_due boolean not null default false;

create index products_shown on products (is_featured desc, sort_order, name, id);
create index products_replaced_by on products (replaced_by_id) where replaced_by_id is not null;

update products set
  announced_at = case status when 'COMING_SOON' then created_at end,
  beta_at = case status when 'BETA' then created_at end,
  launched_at = case status when 'LIVE' then created_at end,
  deprecated_at = case status when 'DEPRECATED' then created_at end;

-- The program's own three products where they stand letter for letter as the first version wrote them: they get the
-- texts of this version at the next start, once, so that an older installation shows what a new one does.
update products set is_seed_due = true
where md5(concat_ws('|', slug, name, tagline, description, type, status, coalesce(status_label, ''), is_featured, features, plans))
  in ('be0c98dba01b7dac534c9d49ed0d3bcb', 'c76ae8fc2a64a3768f39c74ad25cf4e3', '8e0354df38fd25e0df8b1d97349ae319');

create table product_features (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  position integer not null,
  slug text not null,
  title text not null,
  description text not null,
  icon text,
  group_name text,
  is_highlighted boolean not null,
  availability jsonb not null, -- by the code of a plan: true, false or a text such as "up to 5"
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint product_features_slug unique (product_id, slug)
);

create table product_plans (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  position integer not null,
  code text not null,
  name text not null,
  description text not null,
  price_cents integer check (price_cents >= 0),
  currency text,
  "interval" text check ("interval" in ('month', 'year', 'once')),
  max_uses integer check (max_uses >= 0),
  trial_days integer check (trial_days >= 0),
  features text[] not null,
  is_popular boolean not null,
  cta jsonb,
  is_active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint product_plans_code unique (product_id, code)
);

create table product_media (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  position integer not null,
  kind text not null check (kind in ('SCREENSHOT', 'VIDEO', 'LOGO', 'COVER', 'DIAGRAM')),
  media_id uuid,
  url text,
  alt text,
  caption text,
  poster_media_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((media_id is null) <> (url is null))
);
create index product_media_shown on product_media (product_id, position);

-- Slugs that a product had before.
create table product_redirects (
  slug text primary key,
  product_id uuid not null references products on delete cascade,
  created_at timestamptz not null
);
create index product_redirects_product on product_redirects (product_id);

-- A UUIDv7 of a moment, for the rows that are moved here: versions 4 and 7 differ in two bits beside the time.
create function pg_temp.id_at(moment timestamptz) returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send(floor(extract(epoch from moment) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

insert into product_features (id, product_id, position, slug, title, description, is_highlighted, availability, created_at, updated_at)
select pg_temp.id_at(p.created_at), p.id, (f.place - 1)::integer, 'feature-' || f.place,
  coalesce(f.entry ->> 'title', ''), coalesce(f.entry ->> 'description', ''), false, '{}', p.created_at, p.updated_at
from products p, jsonb_array_elements(p.features) with ordinality as f(entry, place);

insert into product_plans (id, product_id, position, code, name, description, max_uses, features, is_popular, is_active, created_at, updated_at)
select pg_temp.id_at(p.created_at), p.id, (e.place - 1)::integer,
  -- Two plans of one name keep apart by their place.
  case when row_number() over (partition by p.id, e.code order by e.place) = 1 then e.code else e.code || '_' || e.place end,
  coalesce(e.entry ->> 'name', ''), coalesce(e.entry ->> 'description', ''), (e.entry ->> 'maxUses')::integer,
  '{}', false, true, p.created_at, p.updated_at
from products p, lateral (
  select entry, place,
    coalesce(nullif(trim(both '_' from regexp_replace(upper(coalesce(entry ->> 'name', '')), '[^A-Z0-9]+', '_', 'g')), ''), 'PLAN') as code
  from jsonb_array_elements(p.plans) with ordinality as listed(entry, place)
) e;

drop function pg_temp.id_at;
alter table products drop column features, drop column plans;
