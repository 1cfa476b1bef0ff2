-- Mails that wait to be sent, and the tokens they carry.

create table mail_outbox (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  recipient text not null,
  kind text not null check (kind in ('VERIFY_EMAIL', 'RESET_PASSWORD')),
  content_sealed bytea, -- holds a token; null as soon as it is of no more use
  status text not null check (status in ('PENDING', 'SENT', 'FAILED', 'DISCARDED')),
  attempts integer not null default 0,
  claimed_until timestamptz, -- while one try runs no other begins
  last_error text,
  created_at timestamptz not null,
  expires_at timestamptz not null, -- of its token: past it the mail would only confuse
  sent_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create unique index mail_outbox_id on mail_outbox (id); -- administrators name a mail by id alone
create index mail_outbox_user on mail_outbox (tenant_id, user_id, kind, created_at);
create index mail_outbox_newest on mail_outbox (created_at desc, id desc);
create index mail_outbox_open on mail_outbox (expires_at) where content_sealed is not null;

-- One row a user and purpose: a new token takes the place of the one before, and using it removes it.
create table account_tokens (
  tenant_id uuid not null,
  user_id uuid not null,
  purpose text not null check (purpose in ('VERIFY_EMAIL', 'RESET_PASSWORD')),
  token_hash bytea not null unique, -- SHA-256 of a 256-bit random token
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, user_id, purpose),
  foreign key (tenant_id, user_id) references users on delete cascade
);
