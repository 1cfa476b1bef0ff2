-- What search and ask look through: documents of collections, and transcripts of meetings of an organization. No text is stored
-- here. All of it can be made again from the texts.

-- What is indexed, or is being indexed, of one document or meeting.
create table indexed_items (
  tenant_id uuid not null,
  id uuid not null,
  org_id uuid not null,
  source_id uuid not null, -- the collection or the meeting: who may read it finds the item
  item_id uuid not null,   -- the document or the meeting
  kind text not null check (kind in ('document', 'meeting')),
  version integer not null, -- of the document; of a meeting the revision of its transcript
  language text not null,
  chunk_count integer not null,
  word_count bigint not null,
  terms text not null,     -- each term with the number of chunks that have it: what the counts below must lose with the item
  is_live boolean not null, -- false: not found yet
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index indexed_items_live on indexed_items (tenant_id, item_id) where is_live;
create index indexed_items_source on indexed_items (tenant_id, org_id, source_id) where is_live;
create index indexed_items_staged on indexed_items (created_at) where not is_live;

create table indexed_chunks (
  tenant_id uuid not null,
  indexed_id uuid not null,
  ordinal integer not null,
  org_id uuid not null,
  terms tsvector not null, -- each term begins with three letters of its organization, so that others' words cost nothing
  word_count integer not null,
  entry_seqs bigint[],     -- of a transcript: the entries, and from where to where each belongs to the chunk
  entry_starts integer[],
  entry_ends integer[],
  primary key (tenant_id, indexed_id, ordinal),
  foreign key (tenant_id, indexed_id) references indexed_items on delete cascade
);
-- Without the list of pending entries, which each search would have to read.
create index indexed_chunks_terms on indexed_chunks using gin (terms) with (fastupdate = off);

-- How many chunks and words each collection and meeting has, by language.
create table indexed_sources (
  tenant_id uuid not null,
  org_id uuid not null,
  source_id uuid not null,
  language text not null,
  kind text not null check (kind in ('document', 'meeting')),
  chunk_count integer not null,
  word_count bigint not null,
  primary key (tenant_id, org_id, source_id, language)
);

-- How many chunks of each collection and meeting have a term.
create table indexed_terms (
  tenant_id uuid not null,
  org_id uuid not null,
  term text not null,
  source_id uuid not null,
  chunk_count integer not null,
  primary key (tenant_id, org_id, term, source_id)
);
-- For meetings: all terms of one are deleted at once.
create index indexed_terms_source on indexed_terms (tenant_id, org_id, source_id);

-- Whoever looks for meetings that are missing above reads them in this order.
create index meetings_of_organizations on meetings (tenant_id, id) where org_id is not null;

-- Answered questions, kept for 30 days. Quotes are not stored: they are read again from what they cite.
create table asks (
  tenant_id uuid not null,
  id uuid not null,
  org_id uuid not null,
  user_id uuid not null,
  question text not null,
  found boolean not null,
  engine text not null check (engine in ('local', 'llm')),
  model text,
  fallback_reason text,
  searched jsonb not null,
  helpful boolean,
  comment text,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, org_id) references organizations on delete cascade,
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index asks_user on asks (tenant_id, org_id, user_id, id desc);
create index asks_retention on asks (created_at);

create table ask_parts (
  tenant_id uuid not null,
  ask_id uuid not null,
  place integer not null,
  text text,                   -- as a model wrote it; null: the quote itself
  citations integer[] not null, -- numbers of ask_citations
  primary key (tenant_id, ask_id, place),
  foreign key (tenant_id, ask_id) references asks on delete cascade
);

create table ask_citations (
  tenant_id uuid not null,
  ask_id uuid not null,
  number integer not null,
  kind text not null check (kind in ('document', 'meeting')),
  item_id uuid not null,
  version bigint not null,  -- of the document; of a meeting the number of the entry's last change
  place bigint not null,    -- the chunk of the document, or the entry of the meeting
  start_at integer not null, -- in code points, as in the answer
  end_at integer not null,
  is_closest boolean not null, -- shown because nothing was found
  primary key (tenant_id, ask_id, number),
  foreign key (tenant_id, ask_id) references asks on delete cascade
);
create index ask_citations_item on ask_citations (tenant_id, item_id);
