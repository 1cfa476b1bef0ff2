-- Long lists of tasks: by label in every order, and totals that read an index alone.

-- Whether every member of the organization may see the task: somebody has accepted it, or its meeting is open to all members.
-- Of all others each list asks for the meeting.
alter table tasks add column visible_to_members boolean not null default false;
update tasks t set visible_to_members = true
  where accepted_revision is not null or exists (select from meetings m
    where m.tenant_id = t.tenant_id and m.id = t.meeting_id and m.org_id = t.org_id and m.visibility = 'org');

create function set_task_visibility() returns trigger language plpgsql as $$
begin
  new.visible_to_members := new.accepted_revision is not null;
  if not new.visible_to_members then
    -- The lock lets whoever closes the meeting wait, and see this row then.
    perform from meetings m
      where m.tenant_id = new.tenant_id and m.id = new.meeting_id and m.org_id = new.org_id and m.visibility = 'org' for share;
    new.visible_to_members := found;
  end if;
  return new;
end $$;
create trigger tasks_inserted before insert on tasks for each row execute function set_task_visibility();
create trigger tasks_accepted before update of accepted_revision, meeting_id, org_id on tasks for each row
  when ((old.accepted_revision, old.meeting_id, old.org_id) is distinct from (new.accepted_revision, new.meeting_id, new.org_id))
  execute function set_task_visibility();

create function set_visibility_of_proposals() returns trigger language plpgsql as $$
begin
  update tasks set visible_to_members = (new.visibility = 'org' and org_id is not distinct from new.org_id)
    where tenant_id = new.tenant_id and meeting_id = new.id and accepted_revision is null;
  return null;
end $$;
create trigger meetings_shared after update of visibility, org_id on meetings for each row
  when ((old.visibility, old.org_id) is distinct from (new.visibility, new.org_id))
  execute function set_visibility_of_proposals();

-- A row for each label of a task of an organization, with what lists are ordered by.
create table labelled_tasks (
  tenant_id uuid not null,
  org_id uuid not null,
  label text not null,
  task_id uuid not null,
  number integer not null,
  status text collate "C" not null,
  position text collate "C" not null,
  due date,
  updated_at timestamptz not null,
  visible_to_members boolean not null,
  primary key (tenant_id, task_id, label),
  foreign key (tenant_id, task_id) references tasks on delete cascade
);
insert into labelled_tasks (tenant_id, org_id, label, task_id, number, status, position, due, updated_at, visible_to_members)
  select distinct tenant_id, org_id, label, id, number, status, position, due, updated_at, visible_to_members
  from tasks, unnest(labels) as label where org_id is not null;
create index labelled_tasks_board on labelled_tasks (tenant_id, org_id, label, status desc, position, task_id)
  include (visible_to_members);
create index labelled_tasks_due on labelled_tasks (tenant_id, org_id, label, due, task_id);
create index labelled_tasks_updated on labelled_tasks (tenant_id, org_id, label, updated_at desc, task_id desc);
create index labelled_tasks_number on labelled_tasks (tenant_id, org_id, label, number);

create function write_labelled_tasks() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from labelled_tasks where tenant_id = new.tenant_id and task_id = new.id;
  end if;
  insert into labelled_tasks (tenant_id, org_id, label, task_id, number, status, position, due, updated_at, visible_to_members)
    select distinct new.tenant_id, new.org_id, label, new.id, new.number, new.status, new.position, new.due, new.updated_at,
      new.visible_to_members
    from unnest(new.labels) as label where new.org_id is not null;
  return null;
end $$;
create trigger tasks_labelled after insert on tasks for each row
  when (new.labels <> '{}') execute function write_labelled_tasks();
-- Of all columns: another trigger may have changed whether the task is visible.
create trigger tasks_changed after update on tasks for each row
  when ((old.labels <> '{}' or new.labels <> '{}')
    and (old.org_id, old.labels, old.number, old.status, old.position, old.due, old.updated_at, old.visible_to_members)
      is distinct from (new.org_id, new.labels, new.number, new.status, new.position, new.due, new.updated_at, new.visible_to_members))
  execute function write_labelled_tasks();

-- With what decides who sees a task, so that totals read no row of the table.
drop index tasks_board;
create index tasks_board on tasks (tenant_id, org_id, status desc, position, id) include (visible_to_members, meeting_id);
drop index tasks_due;
create index tasks_due on tasks (tenant_id, org_id, due, id) include (visible_to_members, meeting_id);
drop index tasks_due_unfinished;
create index tasks_due_unfinished on tasks (tenant_id, org_id, due, id) include (visible_to_members, meeting_id)
  where status not in ('done', 'dismissed');
drop index tasks_source;
create index tasks_source on tasks (tenant_id, org_id, source, status desc, position, id) include (visible_to_members, meeting_id);
-- Of a rare status the latest changes: the list of proposals.
create index tasks_status_updated on tasks (tenant_id, org_id, status, updated_at desc, id desc);
