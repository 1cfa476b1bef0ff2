-- Named admin keys, the hash chain of the audit log, and the mark of an erased tenant.

create table admin_keys (
  id uuid primary key,
  name text not null,
  role text not null check (role in ('OWNER', 'EDITOR', 'VIEWER')),
  key_hash bytea not null unique, -- SHA-256, as in api_keys
  key_prefix text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  revoked_at timestamptz,
  rotated_from_id uuid unique references admin_keys -- a key is rotated once
);
create index admin_keys_newest on admin_keys (created_at desc, id desc);

create index api_keys_id on api_keys (id); -- administrators name a key by id alone

alter table tenants add column erased_at timestamptz;

-- docs/audit.md says what these prove.
alter table audit_log
  add column salt bytea,            -- of the personal digest; gone after a redaction, so that no guess can be tried against it
  add column personal_digest bytea, -- HMAC of label, address, request and changes
  add column digest bytea,          -- HMAC of the rest and of the personal digest; from the transaction of the change
  add column seq bigint,            -- place in the chain; null until the entry is sealed, seconds later
  add column chain_hash bytea,      -- HMAC of the one before, the place and the digest
  add column redacted_at timestamptz,
  add column redaction_mac bytea;
create unique index audit_log_seq on audit_log (seq);
create index audit_log_unsealed on audit_log (at, id) where seq is null;

-- Where the chain starts (entries before it were dropped by age) and where it ends.
create table audit_chain_ends (
  name text primary key check (name in ('BASE', 'HEAD')),
  seq bigint not null,
  hash bytea not null,
  mac bytea not null
);
