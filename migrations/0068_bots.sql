-- Bots that come to meetings, what happened to them, and the programs that run them.

create table bots (
  tenant_id           uuid not null references tenants on delete cascade,
  id                  uuid not null,
  meeting_id          uuid not null,
  org_id              uuid,
  owner_id            uuid not null,  -- the organization, or else the user: who has one live bot for an occurrence
  requested_by        uuid,           -- null once the user is removed
  requesters          uuid[] not null,
  platform            text not null,
  provider            text not null,
  room                text not null,  -- the room on its platform; without a link, the meeting
  start_key           text not null,  -- of the occurrence: its planned start, or empty for one that is going on
  link_sealed         bytea,          -- whole; null without a link, and once it is forgotten
  display_name        text not null,
  status              text not null,
  reason              text,
  detail              text,
  join_at             timestamptz,
  auto_leave          jsonb not null,
  consent             jsonb not null,
  chat_answers        text not null,
  speed               integer not null default 1,
  ingest_hash         bytea,          -- of the token with which anything may append entries
  attempt             integer not null default 1,
  status_at           timestamptz not null,
  due_at              timestamptz,    -- when the service looks at it next; null once it is over
  admitted_at         timestamptz,
  attempt_admitted_at timestamptz,
  left_at             timestamptz,
  seconds             integer not null default 0,
  gaps                jsonb not null default '[]',
  health              text,
  runner_id           uuid,
  lease               integer not null default 0,
  leased_at           timestamptz,    -- when the runner was last heard of
  entries_seq         bigint not null default -1,
  events_seq          bigint not null default -1,
  watch               jsonb not null default '{}', -- who is there, since when nobody speaks, what was reserved
  created_at          timestamptz not null,
  ended_at            timestamptz,
  revision            integer not null default 1,
  primary key (tenant_id, id),
  constraint bots_status_check check (status in ('scheduled', 'queued', 'joining', 'waiting_room', 'in_meeting', 'leaving', 'ended', 'failed'))
);
-- One live bot for an occurrence, and one in a room, whoever asks.
create unique index bots_one_live on bots (tenant_id, owner_id, room, start_key) where status not in ('ended', 'failed');
create unique index bots_one_in_room on bots (tenant_id, owner_id, room) where status not in ('scheduled', 'ended', 'failed');
create index bots_by_meeting on bots (tenant_id, meeting_id, created_at);
create index bots_due on bots (due_at) where due_at is not null;
create index bots_queued on bots (status_at) where status = 'queued';
create index bots_by_id on bots (id);  -- for runners, which work for several tenants
create index bots_by_runner on bots (runner_id) where due_at is not null;
create index bots_served on bots (tenant_id, leased_at);
create unique index bots_ingest on bots (ingest_hash) where ingest_hash is not null;

create table bot_events (
  tenant_id uuid not null,
  bot_id    uuid not null,
  number    bigint generated always as identity,
  at        timestamptz not null,
  type      text not null,
  from_state text,
  to_state   text,
  reason    text,
  detail    text,
  primary key (tenant_id, bot_id, number),
  foreign key (tenant_id, bot_id) references bots on delete cascade
);

create table bot_commands (
  tenant_id  uuid not null,
  bot_id     uuid not null,
  id         uuid not null,
  kind       text not null,
  reason     text,
  text       text,
  by_user    uuid,
  created_at timestamptz not null,
  done_at    timestamptz,
  outcome    text,
  primary key (tenant_id, bot_id, id),
  foreign key (tenant_id, bot_id) references bots on delete cascade
);
create index bot_commands_open on bot_commands (tenant_id, bot_id, created_at) where done_at is null;

create table bot_artifacts (
  tenant_id  uuid not null,
  bot_id     uuid not null,
  name       text not null,
  media_type text not null,
  bytes      bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, bot_id, name),
  foreign key (tenant_id, bot_id) references bots on delete cascade
);
create index bot_artifacts_age on bot_artifacts (created_at);

-- What a replay plays.
create table bot_scripts (
  tenant_id uuid not null,
  bot_id    uuid not null,
  lines     jsonb not null,  -- [{offsetMs, speaker, text, kind}]
  primary key (tenant_id, bot_id),
  foreign key (tenant_id, bot_id) references bots on delete cascade
);

create table bot_runners (
  tenant_id             uuid not null references tenants on delete cascade,
  id                    uuid not null,
  is_shared             boolean not null, -- of the platform: for the meetings of all tenants
  name                  text not null,
  token_hash            bytea unique,
  enrollment_token_hash bytea unique,
  enrollment_expires_at timestamptz,
  epoch                 bigint not null default 0,
  platforms             text[] not null default '{}',
  slots                 integer not null default 0,
  version               text,
  last_seen_at          timestamptz,
  created_at            timestamptz not null,
  primary key (tenant_id, id)
);

create table bot_settings (
  tenant_id    uuid primary key references tenants on delete cascade,
  paused_at    timestamptz,
  pause_reason text
);

create table bot_policies (
  tenant_id            uuid not null references tenants on delete cascade,
  owner_id             uuid not null,
  org_id               uuid,
  calendar             text not null,
  minimum_participants integer not null,
  exclude_words        text[] not null,
  provider             text,
  updated_at           timestamptz not null,
  primary key (tenant_id, owner_id)
);

-- When the nodes looked at live bots: a runner is not silent while nobody could hear it.
create table bot_looks (
  id      integer primary key check (id = 1),
  since   timestamptz not null,
  last_at timestamptz not null
);
