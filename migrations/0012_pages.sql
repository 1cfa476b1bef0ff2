-- Content pages: what is public, what will be (the draft), and every state that was saved. They belong to the platform.
create table content_pages (
  id uuid primary key,
  slug text not null constraint content_pages_slug unique,
  status text not null check (status in ('DRAFT', 'PUBLISHED', 'ARCHIVED')),
  title text not null,
  sections jsonb not null,
  meta jsonb not null,
  template text,
  locale text not null,
  draft jsonb, -- a whole copy: title, sections, meta, template, locale
  publish_at timestamptz,
  unpublish_at timestamptz,
  published_at timestamptz,
  revision integer not null,
  -- What the public is told: a draft that is saved moves neither.
  public_revision integer not null,
  public_updated_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index content_pages_newest on content_pages (created_at desc, id desc);
create index content_pages_public on content_pages (created_at desc, id desc) where status = 'PUBLISHED';

create table page_revisions (
  page_id uuid not null references content_pages (id) on delete cascade,
  number integer not null,
  action text not null,
  is_draft boolean not null, -- whether the snapshot is of the draft
  slug text not null,
  status text not null,
  note text,
  actor_type text not null,
  actor_id uuid,
  actor_label text not null,
  snapshot jsonb not null,
  created_at timestamptz not null,
  primary key (page_id, number)
);

-- Addresses under which a page was public before.
create table page_redirects (
  slug text primary key,
  page_id uuid not null references content_pages (id) on delete cascade,
  created_at timestamptz not null
);
create index page_redirects_page on page_redirects (page_id);
