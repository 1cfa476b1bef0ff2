-- Who is signed in to the console, and the links that sign somebody in. Both depend on an admin key: a named one, or the one of
-- the environment, of which a fingerprint (HMAC) is kept. A new key there ends what depended on the old one.

create table sign_in_links (
  id uuid primary key,
  token_hash bytea not null unique, -- SHA-256: nobody can use what is stored here
  role text not null check (role in ('OWNER', 'EDITOR', 'VIEWER')),
  admin_key_id uuid references admin_keys on delete cascade,
  key_fingerprint bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((admin_key_id is null) <> (key_fingerprint is null))
);
create index sign_in_links_newest on sign_in_links (created_at desc, id desc);
create index sign_in_links_key on sign_in_links (admin_key_id);

create table browser_sessions (
  id uuid primary key,
  secret_hash bytea not null unique, -- SHA-256 of the cookie
  role text not null check (role in ('OWNER', 'EDITOR', 'VIEWER')),
  admin_key_id uuid references admin_keys on delete cascade,
  key_fingerprint bytea,
  sign_in_link_id uuid, -- null: signed in with the key itself
  ip text,
  created_at timestamptz not null,
  last_active_at timestamptz not null, -- what a page asks by itself does not count
  expires_at timestamptz not null,
  confirmed_until timestamptz, -- until then sensitive operations are allowed
  ended_at timestamptz,
  check ((admin_key_id is null) <> (key_fingerprint is null))
);
create index browser_sessions_newest on browser_sessions (created_at desc, id desc) where ended_at is null;
create index browser_sessions_expiry on browser_sessions (expires_at);
create index browser_sessions_key on browser_sessions (admin_key_id);
