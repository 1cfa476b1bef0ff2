-- Addresses of tenants and organizations, and threads of the mails that come and go by them.

create table email_configs (
  tenant_id uuid not null references tenants,
  owner_id uuid not null, -- the organization, or the tenant itself
  org_id uuid,            -- null: the tenant's
  settings jsonb not null default '{}', -- what is set at this level, without passwords
  local_part text collate "C", -- of the address at the domain of the installation
  transport_password bytea, -- sealed
  inbound_password bytea,   -- sealed
  sending text not null default 'unverified' check (sending in ('unverified', 'verified', 'failing')),
  receiving text not null default 'unverified' check (receiving in ('unverified', 'verified', 'failing')),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, owner_id),
  check (owner_id = coalesce(org_id, tenant_id)),
  foreign key (tenant_id, org_id) references organizations on delete cascade
);
create unique index email_configs_local_part on email_configs (local_part) where local_part is not null;

-- Every organization has an address.
insert into email_configs (tenant_id, owner_id, org_id, local_part, created_at, updated_at)
  select tenant_id, id, id, 'org-' || substr(md5(id || random()::text), 1, 12),
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
  from organizations;

create table email_threads (
  tenant_id uuid not null references tenants,
  id uuid not null,
  owner_id uuid not null,
  org_id uuid,
  subject text not null,
  message_count integer not null default 0 check (message_count >= 0),
  last_message_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references email_configs on delete cascade
);
create index email_threads_newest on email_threads (tenant_id, owner_id, last_message_at desc, id desc);
create index email_threads_age on email_threads (last_message_at);

-- The people of a thread.
create table email_correspondents (
  tenant_id uuid not null,
  thread_id uuid not null,
  address text collate "C" not null,
  user_id uuid, -- whose address it is, proved by a mail of theirs or known from their account
  primary key (tenant_id, thread_id, address),
  foreign key (tenant_id, thread_id) references email_threads on delete cascade,
  foreign key (tenant_id, user_id) references users on delete set null (user_id)
);
create index email_correspondents_user on email_correspondents (tenant_id, user_id) where user_id is not null;

alter table mail_messages
  alter column connection_id drop not null, -- null: not by a webhook
  add column owner_id uuid, -- null: it reached no address of ours
  add column org_id uuid,
  add column thread_id uuid,
  add column direction text not null default 'in' check (direction in ('in', 'out')),
  add column cc_addresses text[] not null default '{}',
  add column reply_text text, -- without quotes and signature
  add column authenticity text check (authenticity in ('pass', 'none', 'fail')),
  add column is_stranger boolean not null default false, -- the sender is not of the thread
  add column sender_user_id uuid, -- the user who sent it, proved
  add column tag text, -- what follows the plus sign in our address, unless it is a token
  add column automatic text, -- why it is an automatic mail
  add column attachments jsonb not null default '[]',
  add column citations jsonb not null default '[]',
  add column outcome text,
  add column cause text,
  add column trace jsonb,
  add column token bytea, -- of a mail of ours
  add column attempts integer not null default 0,
  add column last_error text,
  add column claimed_until timestamptz,
  add column sent_at timestamptz,
  add column revision integer not null default 1,
  drop constraint mail_messages_status_check,
  add constraint mail_messages_status_check check (status in ('received', 'processed', 'ignored', 'quarantined', 'dead',
    'draft', 'discarded', 'queued', 'sending', 'sent', 'deferred', 'bounced', 'failed', 'suppressed')),
  add foreign key (tenant_id, thread_id) references email_threads on delete cascade,
  add foreign key (tenant_id, sender_user_id) references users on delete set null (sender_user_id);
create index mail_messages_thread on mail_messages (tenant_id, thread_id, id) where thread_id is not null;
create index mail_messages_sender on mail_messages (tenant_id, sender_user_id) where sender_user_id is not null;
create unique index mail_messages_token on mail_messages (tenant_id, token) where token is not null;
