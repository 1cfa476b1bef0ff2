-- What users get by mail of their meetings and tasks, each day or week.
create table email_digests (
  tenant_id uuid not null,
  user_id uuid not null,
  frequency text not null check (frequency in ('off', 'daily', 'weekly')),
  time_zone text not null,
  hour integer not null check (hour between 0 and 23),
  weekday integer not null check (weekday between 1 and 7), -- of a weekly one; 1 is Monday
  sent_for date,        -- the last day for which one was made, in the time zone
  covered_until timestamptz, -- what happened until then was in it
  updated_at timestamptz not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index email_digests_zone on email_digests (time_zone, tenant_id, user_id) where frequency <> 'off';

create table email_digest_mails (
  tenant_id uuid not null,
  user_id uuid not null,
  day date not null,         -- in the user's time zone
  token_hash bytea not null unique, -- SHA-256 of a 256-bit random token, which ends the digests
  primary key (tenant_id, user_id, day),
  foreign key (tenant_id, user_id) references email_digests on delete cascade
);
create index email_digest_mails_age on email_digest_mails (day);

alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('VERIFY_EMAIL', 'RESET_PASSWORD', 'INVITATION', 'TASKS_DUE', 'USAGE_THRESHOLD', 'DIGEST'));
