-- What the homepage shows beside the products, and the single texts that pages of others take from here.
create table homepage_slots (
  id uuid primary key,
  slug text not null unique, -- names a slot across installations: bundles carry it in place of the id
  kind text not null check (kind in ('HERO_SLIDE', 'FEATURED_BANNER', 'LOGO_STRIP', 'PRODUCT_SPOTLIGHT', 'ANNOUNCEMENT_BAR',
    'TESTIMONIAL', 'STAT_STRIP', 'CTA_BLOCK', 'FOOTER_LINKS')),
  title text,
  subtitle text,
  body text,
  body_html text, -- made and cleaned when the body is written
  media_id uuid,
  href text,
  cta_label text,
  product_slug text,
  links jsonb not null default '[]',
  position integer not null,
  is_active boolean not null,
  starts_at timestamptz,
  ends_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (starts_at < ends_at)
);
create index homepage_slots_shown on homepage_slots (kind, position, id);

create table content_blocks (
  id uuid primary key,
  key text not null,
  locale text not null,
  type text not null check (type in ('text', 'markdown', 'json', 'url', 'boolean', 'number')),
  value jsonb not null,
  html text, -- of markdown alone
  description text,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- Compared byte by byte: keys are looked for by how they begin.
create unique index content_blocks_key on content_blocks (key text_pattern_ops, locale);
create index content_blocks_newest on content_blocks (created_at desc, id desc);

-- What the first start has put in. An administrator who removes a seeded thing does not get it back.
create table seeds (
  name text primary key,
  seeded_at timestamptz not null
);
