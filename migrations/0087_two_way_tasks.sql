-- Tasks that are kept equal with the issues that they became.

alter table tasks add column conflicts jsonb not null default '[]'; -- [{field, ours, theirs, at}], the latest of each field
create index tasks_conflicts on tasks (tenant_id) where conflicts <> '[]';

-- The issue of a task. One row an action `create_issue`, with its id, by which the tracker's marker names it.
create table integration_issues (
  tenant_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  task_id uuid not null,
  container text not null,  -- the repository, team or project
  target jsonb not null,
  external_id text,         -- the tracker's; null: nobody knows yet
  external_key text,        -- by which it is asked for; may change there
  common jsonb,             -- the last state in which both were equal; null: it is not written yet
  version integer not null default 0, -- grows with each lease
  leased_until timestamptz, -- somebody compares both sides
  is_hinted boolean not null default false, -- a job will read it
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, integration_id) references integrations on delete cascade,
  foreign key (tenant_id, task_id) references tasks on delete cascade
);
create index integration_issues_task on integration_issues (tenant_id, task_id);
create index integration_issues_integration on integration_issues (tenant_id, integration_id, container);
create index integration_issues_external on integration_issues (tenant_id, external_id);
create index integration_issues_key on integration_issues (tenant_id, external_key);

-- What we were told to follow at a tracker: its webhook, which is ours, and until when its changes were read. It outlives its
-- integration until the webhook is withdrawn, so it has no foreign key.
create table integration_containers (
  tenant_id uuid not null,
  integration_id uuid not null,
  container text not null,
  connection_id uuid,       -- of the inbound webhook
  hook_id text,             -- the tracker's; null: it refused one
  actor text,               -- who makes our changes, as deliveries name them
  renew_at timestamptz not null,
  read_at timestamptz not null, -- changes before that were read
  primary key (tenant_id, integration_id, container)
);
create index integration_containers_due on integration_containers (renew_at);

alter table integration_actions drop constraint integration_actions_action_check;
alter table integration_actions add constraint integration_actions_action_check
  check (action in ('post_summary', 'create_issue', 'update_issue', 'export_meeting', 'update_export', 'log_meeting'));
