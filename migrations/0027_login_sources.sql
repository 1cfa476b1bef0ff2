-- From where an account has logged in. Failed logins from there have a counter of their own, so that a stranger's guesses
-- elsewhere do not delay its owner.
create table login_sources (
  tenant_id uuid not null,
  user_id uuid not null,
  source_hash bytea not null, -- keyed hash of a client address, or of the token in a browser's cookie
  seen_at timestamptz not null,
  primary key (tenant_id, user_id, source_hash),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index login_sources_age on login_sources (seen_at);

-- Empty: the one counter for everywhere else.
alter table login_failures add column source_hash bytea not null default '';
alter table login_failures drop constraint login_failures_pkey;
alter table login_failures add primary key (tenant_id, email_hash, source_hash);
