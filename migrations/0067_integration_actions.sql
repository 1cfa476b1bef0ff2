-- What is written to other services through integrations. One row a (integration, action, subject, target): it is done once.
create table integration_actions (
  tenant_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  action text not null check (action in ('post_summary', 'create_issue', 'export_meeting', 'update_export', 'log_meeting')),
  subject_id uuid not null, -- the meeting or the task
  target jsonb not null,
  target_key text not null, -- the same text for the same target
  user_id uuid,             -- as whom the subject is read; null once the user was removed
  status text not null check (status in ('queued', 'sending', 'uncertain', 'done', 'failed', 'cancelled')),
  attempts integer not null default 0,
  sent_at timestamptz,      -- when a request may have reached the provider for the first time; null: none did
  leased_until timestamptz, -- a worker sends it
  next_try_at timestamptz,
  external_id text,
  external_url text,
  cause text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, integration_id, action, subject_id, target_key),
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);
create index integration_actions_newest on integration_actions (tenant_id, integration_id, created_at desc, id desc);
create index integration_actions_subject on integration_actions (tenant_id, subject_id);
create index integration_actions_old on integration_actions (updated_at);
