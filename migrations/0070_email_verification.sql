-- Keys that sign mails of own domains, and what shows that settings of mail work.

create table email_dkim_keys (
  tenant_id uuid not null,
  owner_id uuid not null,
  selector text collate "C" not null,
  domain text collate "C" not null,
  private_key_sealed bytea not null,
  public_key text not null, -- DER in base64
  seen_at timestamptz, -- when its record was found; null: it signs nothing yet
  created_at timestamptz not null,
  primary key (tenant_id, owner_id, selector),
  foreign key (tenant_id, owner_id) references email_configs on delete cascade
);

create table email_verifications (
  tenant_id uuid not null,
  id uuid not null,
  owner_id uuid not null,
  org_id uuid,
  status text not null check (status in ('running', 'passed', 'failed')),
  steps jsonb not null default '[]',
  token bytea not null,       -- of the mail of the round trip
  fingerprint bytea not null, -- of the settings that are verified
  deadline timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references email_configs on delete cascade
);
create unique index email_verifications_running on email_verifications (tenant_id, owner_id) where status = 'running';
create index email_verifications_deadline on email_verifications (deadline) where status = 'running';
create index email_verifications_age on email_verifications (created_at);

-- Mails whose sender may not be used yet.
create index mail_messages_waiting on mail_messages (tenant_id) where status = 'queued' and cause = 'SENDER_NOT_VERIFIED';
