-- What is read from providers beside calendars, and how they tell us that something has changed.

-- `MISSED`: the time of a calendar's event is over, and nobody held it.
alter table meetings add column cause text check (cause in ('MISSED'));

create index integration_events_missed on integration_events (ends_at) where not is_gone and meeting_id is not null;

-- When a feature of an integration was last read, and what went wrong.
create table integration_syncs (
  tenant_id uuid not null,
  integration_id uuid not null,
  feature text not null,
  synced_at timestamptz not null,
  cause text,                 -- null: all was read
  primary key (tenant_id, integration_id, feature),
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);

-- Transcripts that were taken over, by the provider's ids. They stay when the account is disconnected, so that none is taken twice.
create table integration_transcripts (
  tenant_id uuid not null,
  provider text not null,
  transcript_key text not null,
  integration_id uuid not null,
  meeting_id uuid,            -- null: it could not be read
  cause text,
  recorded_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, provider, transcript_key)
);
create index integration_transcripts_old on integration_transcripts (created_at);

-- Where a provider tells us of changes. Without a foreign key: it is withdrawn after its integration is gone.
create table integration_channels (
  tenant_id uuid not null,
  integration_id uuid not null,
  feature text not null,
  resource text not null,     -- of the provider: a calendar
  connection_id uuid not null, -- the inbound webhook that receives its messages
  external_id text not null,
  resource_id text,           -- Google's name of what is watched
  renew_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, integration_id, feature, resource)
);

-- Made for an integration, and removed with it.
alter table webhook_connections add column integration_id uuid;
create index webhook_connections_integration on webhook_connections (tenant_id, integration_id) where integration_id is not null;
