-- Mails about tasks that are due, and calendars that show them.

alter table organization_members add column if not exists notify_tasks_due boolean not null default true;

-- The day, in the organization's time zone, of the last reminders: whoever writes it sends them.
alter table organizations add column reminded_on date;
create index organizations_reminders on organizations (time_zone, reminded_on);

create table task_reminders (
  tenant_id uuid not null,
  org_id uuid not null,
  user_id uuid not null,
  day date not null,         -- in the organization's time zone
  token_hash bytea not null unique, -- SHA-256 of a 256-bit random token, which ends the reminders
  primary key (tenant_id, org_id, user_id, day),
  foreign key (tenant_id, org_id, user_id) references organization_members on delete cascade
);
create index task_reminders_age on task_reminders (day);

create table task_calendars (
  tenant_id uuid not null,
  org_id uuid not null,
  user_id uuid not null,
  token_hash bytea not null unique, -- SHA-256 of a 256-bit random token
  created_at timestamptz not null,
  primary key (tenant_id, org_id, user_id),
  -- The address ends with the membership.
  foreign key (tenant_id, org_id, user_id) references organization_members on delete cascade
);

alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('VERIFY_EMAIL', 'RESET_PASSWORD', 'INVITATION', 'TASKS_DUE'));
