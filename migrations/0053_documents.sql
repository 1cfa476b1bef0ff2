-- The knowledge base of organizations: collections and their documents.

create table collections (
  tenant_id uuid not null,
  id uuid not null,
  org_id uuid not null,
  name text not null,
  access text not null check (access in ('open', 'restricted')),
  is_default boolean not null, -- "General", which exists from the start
  document_count integer not null default 0 check (document_count >= 0),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, org_id) references organizations
);
create index collections_org on collections (tenant_id, org_id, id);
create unique index collections_default on collections (tenant_id, org_id) where is_default;

insert into collections (tenant_id, id, org_id, name, access, is_default, created_at, updated_at)
  -- An id of version 7 (RFC 9562): the time, then random digits.
  select tenant_id, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7'
    || substr(md5(random()::text || id), 1, 3) || '8' || substr(md5(id || random()::text), 1, 15))::uuid,
    id, 'General', 'open', true, date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
  from organizations;

-- Who reads and writes in a restricted collection.
create table collection_members (
  tenant_id uuid not null,
  collection_id uuid not null,
  org_id uuid not null,
  user_id uuid not null,
  access text not null check (access in ('read', 'write')),
  primary key (tenant_id, collection_id, user_id),
  foreign key (tenant_id, collection_id) references collections on delete cascade,
  foreign key (tenant_id, org_id, user_id) references organization_members on delete cascade
);
create index collection_members_user on collection_members (tenant_id, org_id, user_id);

create table collection_changes (
  tenant_id uuid not null,
  collection_id uuid not null,
  revision integer not null, -- of the collection after the change
  action text not null check (action in ('created', 'updated', 'memberSet', 'memberRemoved')),
  fields text[] not null default '{}', -- the names of changed fields
  actor_id uuid,  -- null: the service, or a user who was removed
  user_id uuid,   -- the member whose access has changed; null once the user was removed
  at timestamptz not null,
  primary key (tenant_id, collection_id, revision),
  foreign key (tenant_id, collection_id) references collections on delete cascade,
  foreign key (tenant_id, actor_id) references users on delete set null (actor_id),
  foreign key (tenant_id, user_id) references users on delete set null (user_id)
);
create index collection_changes_actor on collection_changes (tenant_id, actor_id) where actor_id is not null;
create index collection_changes_user on collection_changes (tenant_id, user_id) where user_id is not null;

create table documents (
  tenant_id uuid not null,
  id uuid not null,
  org_id uuid not null,
  collection_id uuid not null,
  title text not null,
  tags text[] not null default '{}',
  version integer not null, -- the current one, or the last one while none has been ready
  last_version integer not null,
  status text not null check (status in ('queued', 'extracting', 'ready', 'failed')), -- of that version
  reindex_id uuid, -- the job that puts a new title into the index
  created_by uuid, -- null: a user who was removed
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, collection_id) references collections,
  foreign key (tenant_id, created_by) references users on delete set null (created_by)
);
create unique index documents_reindex on documents (reindex_id) where reindex_id is not null;
create index documents_org on documents (tenant_id, org_id, created_at desc, id desc);
create index documents_collection on documents (tenant_id, collection_id, created_at desc, id desc);
create index documents_creator on documents (tenant_id, created_by) where created_by is not null;

create table document_versions (
  tenant_id uuid not null,
  document_id uuid not null,
  version integer not null,
  filename text not null,
  type text not null, -- what it is read as
  mime_type text not null,
  size integer not null,
  sha256 text collate "C" not null, -- names the original in the blob store, and claims it
  status text not null check (status in ('queued', 'extracting', 'ready', 'failed')),
  failure_code text,
  failure_detail text,
  language text,
  pages integer,
  pages_read integer, -- so far, while it is extracted
  page_total integer, -- where it is known before all are read
  characters integer, -- code points
  text_bytes integer not null default 0,
  restored_from integer, -- its pages were counted before
  extraction_id uuid not null, -- the job that reads it
  lost_jobs integer not null default 0, -- how often it was found under way without one
  created_by uuid,
  created_at timestamptz not null,
  indexed_at timestamptz,
  primary key (tenant_id, document_id, version),
  check ((failure_code is null) = (status <> 'failed')),
  foreign key (tenant_id, document_id) references documents on delete cascade,
  foreign key (tenant_id, created_by) references users on delete set null (created_by)
);
create unique index document_versions_extraction on document_versions (extraction_id);
create index document_versions_sha256 on document_versions (sha256);
create index document_versions_under_way on document_versions (created_at) where status in ('queued', 'extracting');
create index document_versions_creator on document_versions (tenant_id, created_by) where created_by is not null;

-- The text of each version that is ready, in pieces. Those of a version that is being extracted are not visible yet.
create table document_chunks (
  tenant_id uuid not null,
  document_id uuid not null,
  version integer not null,
  ordinal integer not null,
  start_at integer not null, -- code points before it in the text of the version
  page integer,
  headings text[] not null,
  text text not null,
  primary key (tenant_id, document_id, version, ordinal),
  foreign key (tenant_id, document_id, version) references document_versions on delete cascade
);

-- What was erased today: a nightly job looks for these ids in all tables.
create table erased_documents (
  tenant_id uuid not null references tenants,
  id uuid not null, -- of a document or a collection
  erased_at timestamptz not null,
  primary key (tenant_id, id)
);

-- Who claims a blob. One without a claim is removed.
create view blob_claims as
  select sha256 from media_files
  union all
  select sha256 from document_versions;

-- What mails and documents of a tenant take together: one row, so that both wait for each other at a limit.
alter table mail_storage rename to tenant_storage;
alter table tenant_storage rename column bytes to mail_bytes;
alter table tenant_storage
  alter column mail_bytes set default 0,
  add column document_bytes bigint not null default 0, -- originals and texts
  add column document_count integer not null default 0; -- without failed ones
