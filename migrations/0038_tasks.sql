-- Tasks of an organization: board, comments and history. Until now `tasks` held only the issues of trackers.

alter table tasks drop constraint tasks_tenant_id_meeting_id_fkey; -- the handler of `meetings.deleted` erases by it
alter table tasks rename column assignee to assignee_name;
alter table tasks
  alter column status type text collate "C", -- the board's order is the reverse of the alphabet
  add column number integer, -- in the organization; the order of creation
  add column description text not null default '',
  add column priority text not null default 'none' check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  add column assignee_id uuid,
  add column due_text text, -- as it was spoken
  add column labels text[] not null default '{}',
  add column position text collate "C", -- in its column: a fractional index
  add column search tsvector not null default '', -- words and labels, each led by the organization's id
  add column accepted_revision integer, -- null: a proposal, which only readers of its meeting see
  add column evidence_speaker text,
  add column evidence_timestamp text, -- HH:MM:SS into the meeting
  add column evidence_quote text,
  add column evidence_seqs bigint[], -- the entries of the transcript
  add column link_sync text check (link_sync in ('READ_ONLY', 'SYNCED', 'PENDING', 'FAILED')),
  add column created_by uuid, -- null: the system, or a user who was removed
  add column started_at timestamptz,
  add column completed_at timestamptz,
  add column change_sent_at timestamptz, -- the last event `org.task.changed`
  add column revision integer not null default 1;
update tasks set title = left(title, 500), accepted_revision = 1, link_sync = 'READ_ONLY';
alter table tasks
  add foreign key (tenant_id, org_id) references organizations,
  add foreign key (tenant_id, assignee_id) references users on delete set null (assignee_id),
  add foreign key (tenant_id, created_by) references users on delete set null (created_by),
  add check ((org_id is null) = (number is null) and (org_id is null) = (position is null)),
  add check (accepted_revision is not null or (source = 'meeting' and meeting_id is not null));

create unique index tasks_number on tasks (tenant_id, org_id, number);
create index tasks_board on tasks (tenant_id, org_id, status desc, position, id);
create index tasks_due on tasks (tenant_id, org_id, due, id);
create index tasks_updated on tasks (tenant_id, org_id, updated_at desc, id desc);
create index tasks_assignee on tasks (tenant_id, assignee_id, org_id) where assignee_id is not null;
create index tasks_creator on tasks (tenant_id, created_by) where created_by is not null;
-- Without the list of pending entries, which every search would read.
create index tasks_search on tasks using gin (search) with (fastupdate = off);

-- What was proposed once: it is not proposed again, even if its task was deleted.
create table task_proposals (
  tenant_id uuid not null,
  meeting_id uuid not null,
  seq bigint not null,     -- the last entry of the transcript that was cited
  place integer not null,  -- among the proposals from that entry
  primary key (tenant_id, meeting_id, seq, place),
  foreign key (tenant_id, meeting_id) references meetings on delete cascade
);

-- Changed in the statements that take a number, or add and delete tasks.
create table task_counters (
  tenant_id uuid not null,
  org_id uuid not null,
  last_number integer not null,
  task_count integer not null check (task_count >= 0),
  primary key (tenant_id, org_id),
  foreign key (tenant_id, org_id) references organizations on delete cascade
);

create table task_labels (
  tenant_id uuid not null,
  org_id uuid not null,
  label text not null,
  task_count integer not null,
  primary key (tenant_id, org_id, label),
  foreign key (tenant_id, org_id) references organizations on delete cascade
);

create table task_comments (
  tenant_id uuid not null,
  id uuid not null,
  task_id uuid not null,
  text text not null,
  author_id uuid, -- null: the user was removed
  created_at timestamptz not null,
  edited_at timestamptz,
  revision integer not null default 1,
  primary key (tenant_id, id),
  foreign key (tenant_id, task_id) references tasks on delete cascade,
  foreign key (tenant_id, author_id) references users on delete set null (author_id)
);
create index task_comments_task on task_comments (tenant_id, task_id, created_at, id);
create index task_comments_author on task_comments (tenant_id, author_id) where author_id is not null;

-- What people read as history, and what an integration reads to write changes to its tracker.
create table task_changes (
  tenant_id uuid not null,
  task_id uuid not null,
  revision integer not null, -- of the task after the change
  field text not null,
  from_value text, -- of a description neither value
  to_value text,
  origin text not null check (origin in ('user', 'meeting', 'tracker', 'system')),
  actor_id uuid, -- null: no user, or one who was removed
  at timestamptz not null,
  primary key (tenant_id, task_id, revision, field),
  foreign key (tenant_id, task_id) references tasks on delete cascade,
  foreign key (tenant_id, actor_id) references users on delete set null (actor_id)
);
create index task_changes_actor on task_changes (tenant_id, actor_id) where actor_id is not null;
-- To forget a removed user.
create index task_changes_from_assignee on task_changes (tenant_id, from_value) where field = 'assigneeId';
create index task_changes_to_assignee on task_changes (tenant_id, to_value) where field = 'assigneeId';

-- Whose board shows the issues of a tracker.
alter table webhook_connections add column org_id uuid,
  add foreign key (tenant_id, org_id) references organizations on delete set null (org_id);
create index webhook_connections_org on webhook_connections (tenant_id, org_id) where org_id is not null;
