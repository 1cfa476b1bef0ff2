-- Calendars whose events become meetings.

-- Until where a calendar was read.
create table integration_calendars (
  tenant_id uuid not null,
  integration_id uuid not null,
  calendar_id text not null,  -- the provider's
  sync_token text not null,   -- for what changes from then on
  read_whole_at timestamptz not null,
  synced_at timestamptz not null,
  primary key (tenant_id, integration_id, calendar_id),
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);

-- The meeting of each occurrence of an event. It stays where somebody deleted the meeting, so that it is not made again.
create table integration_events (
  tenant_id uuid not null,
  integration_id uuid not null,
  calendar_id text not null,
  event_key text not null,    -- the provider's id of the occurrence
  meeting_id uuid,            -- null for a moment: its meeting is being made
  fingerprint text,           -- of what the meeting follows
  is_gone boolean not null default false, -- cancelled, private or outside the time that is followed
  ends_at timestamptz,
  primary key (tenant_id, integration_id, calendar_id, event_key),
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);
create index integration_events_over on integration_events (ends_at);

create index integrations_calendars on integrations (tenant_id, id)
  where status = 'active' and features @> '[{"name": "calendar", "status": "on"}]';
