-- The documentation, the versions and the downloads of products. Each row counts its own revision, for If-Match.

create table doc_sections (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  parent_id uuid references doc_sections on delete set null,
  slug text not null,
  title text not null,
  position integer not null,
  revision integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint doc_sections_slug unique (product_id, slug)
);
create index doc_sections_parent on doc_sections (parent_id) where parent_id is not null;

create table product_docs (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  section_id uuid references doc_sections on delete set null,
  slug text not null,
  title text not null,
  summary text,
  markdown text not null,
  html text not null,      -- rendered and cleaned when the Markdown was written
  toc jsonb not null,
  passages jsonb not null, -- the plain text below each heading: what a search shows a piece of
  word_count integer not null,
  position integer not null,
  status text not null check (status in ('DRAFT', 'PUBLISHED')),
  seo jsonb not null,
  published_at timestamptz,
  edited_by text not null,
  search tsvector not null default ''::tsvector, -- written with the text: title A, headings B, the rest D
  revision integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint product_docs_slug unique (product_id, slug)
);
create index product_docs_search on product_docs using gin (search);
create index product_docs_section on product_docs (section_id) where section_id is not null;

create table product_versions (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  version text not null,
  precedence text collate "C" not null, -- sorts as semver does
  channel text not null check (channel in ('stable', 'beta', 'nightly')),
  released_at timestamptz not null,
  notes text,
  notes_html text,
  breaking boolean not null,
  min_requirements jsonb not null,
  yanked_at timestamptz,
  yank_reason text,
  revision integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint product_versions_version unique (product_id, version)
);
create index product_versions_newest on product_versions (product_id, precedence desc, released_at desc, id desc);

create table product_downloads (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  version_id uuid references product_versions on delete cascade,
  kind text not null check (kind in ('SDK', 'DESKTOP', 'MOBILE', 'CLI', 'DOC', 'OTHER')),
  platform text not null,
  arch text not null,
  file_name text,
  size_bytes bigint,
  sha256 text,
  signature text,
  media_id uuid,
  external_url text,
  package_manager text,
  install_command text,
  requires_license boolean not null,
  is_active boolean not null,
  position integer not null,
  revision integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (media_id is null or external_url is null)
);
create index product_downloads_product on product_downloads (product_id, position, id);
create index product_downloads_version on product_downloads (version_id) where version_id is not null;
