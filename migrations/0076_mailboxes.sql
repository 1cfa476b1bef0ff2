-- Mailboxes that are read by IMAP: how far, by whom, and what went wrong.
create table email_mailboxes (
  tenant_id uuid not null,
  owner_id uuid not null,
  org_id uuid,
  source text not null,      -- tells one account from another
  fingerprint text not null, -- tells whether the settings have changed
  since timestamptz not null, -- what arrived before is not read
  uid_validity bigint,       -- null: never read
  last_uid bigint not null default 0,
  holder uuid,               -- the process that reads it
  leased_until timestamptz,
  next_look_at timestamptz not null,
  looked_at timestamptz,
  failures integer not null default 0,
  cause text,
  detail text,
  primary key (tenant_id, owner_id),
  foreign key (tenant_id, owner_id) references email_configs on delete cascade
);
create index email_mailboxes_due on email_mailboxes (next_look_at);
create index email_mailboxes_holder on email_mailboxes (holder) where holder is not null;

insert into email_mailboxes (tenant_id, owner_id, org_id, source, fingerprint, since, next_look_at)
select tenant_id, owner_id, org_id,
  md5(concat_ws(' ', lower(settings -> 'inbound' ->> 'host'), lower(settings -> 'inbound' ->> 'userName'))),
  md5(concat_ws(' ', settings ->> 'inbound', encode(inbound_password_sealed, 'hex'))), updated_at, updated_at
from email_configs
where settings -> 'inbound' ->> 'kind' = 'imap';
