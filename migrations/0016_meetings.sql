-- Meetings and what was said in them.

create table meetings (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  title text not null,
  status text not null check (status in ('scheduled', 'active', 'completed', 'cancelled', 'failed')),
  ttl_days integer check (ttl_days between 1 and 3650), -- null: kept
  personality text not null check (personality in ('supportive', 'challenger', 'neutral', 'analyst', 'coach')),
  summary_mode text not null check (summary_mode in ('short', 'detailed')),
  participants jsonb not null default '[]',
  org_id uuid, -- whose members may read it
  scheduled_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  last_activity_at timestamptz not null,
  expires_at timestamptz, -- null exactly when ttl_days is
  revision integer not null default 1,         -- of everything
  content_revision integer not null default 0, -- of the transcript alone
  last_seq bigint not null default 0,          -- the last number given to an entry or to a change of one
  entry_count integer not null default 0,
  char_count integer not null default 0,
  word_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade,
  check ((expires_at is null) = (ttl_days is null))
);
create index meetings_user on meetings (tenant_id, user_id, created_at desc, id desc);
create index meetings_expiry on meetings (expires_at) where expires_at is not null;

create table transcript_entries (
  tenant_id uuid not null,
  meeting_id uuid not null,
  seq bigint not null,         -- place in the transcript: the order of arrival
  segment_id text,             -- the sender's name for it: what comes again under it takes its place
  speaker text not null,
  text text not null,
  offset_seconds numeric(9, 3) not null, -- into the meeting
  words integer not null,
  changed_seq bigint not null, -- when it was written last, in the same numbers: whoever has read up to n asks for what is above n
  primary key (tenant_id, meeting_id, seq),
  foreign key (tenant_id, meeting_id) references meetings on delete cascade
);
create unique index transcript_entries_segment on transcript_entries (tenant_id, meeting_id, segment_id);
create index transcript_entries_changes on transcript_entries (tenant_id, meeting_id, changed_seq);

-- The answer that is kept for a repeat may tell of a thing whose words must be gone when it is erased: then it is null,
-- and a repeat is told that there is no such thing.
alter table idempotency_keys add column about_id uuid;
alter table idempotency_keys alter column answer_sealed drop not null;
create index idempotency_keys_about on idempotency_keys (about_id) where about_id is not null;
