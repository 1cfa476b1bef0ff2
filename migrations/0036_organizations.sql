-- Organizations: groups of users inside a tenant, who share meetings and tasks.

create table organizations (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  time_zone text not null, -- IANA
  member_count integer not null check (member_count >= 0), -- changed in the statement that takes or frees a seat
  invited_on date,         -- the last day on which invitations were sent
  invited_count integer not null default 0, -- how many on that day
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index organizations_newest on organizations (tenant_id, created_at desc, id desc);

create table organization_members (
  tenant_id uuid not null,
  org_id uuid not null,
  user_id uuid not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  notify_tasks_due boolean not null default true,
  joined_at timestamptz not null,
  primary key (tenant_id, org_id, user_id),
  foreign key (tenant_id, org_id) references organizations on delete cascade,
  foreign key (tenant_id, user_id) references users
);
create index organization_members_user on organization_members (tenant_id, user_id, org_id);

create table organization_invitations (
  tenant_id uuid not null,
  id uuid not null,
  org_id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  status text not null check (status in ('pending', 'accepted', 'declined', 'revoked')),
  token_hash bytea unique, -- SHA-256 of a 256-bit random token; null once it is of no more use
  invited_by uuid,         -- null once the user was removed
  mail_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  check ((token_hash is null) = (status <> 'pending')),
  foreign key (tenant_id, org_id) references organizations on delete cascade
);
create unique index organization_invitations_pending on organization_invitations (tenant_id, org_id, email)
  where status = 'pending';
create index organization_invitations_email on organization_invitations (tenant_id, email) where status = 'pending';
create index organization_invitations_newest on organization_invitations (tenant_id, org_id, created_at desc, id desc);
create index organization_invitations_inviter on organization_invitations (tenant_id, invited_by);
create index organization_invitations_expiry on organization_invitations (expires_at);

-- An invitation goes to an address that may have no user.
alter table mail_outbox alter column user_id drop not null;
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('VERIFY_EMAIL', 'RESET_PASSWORD', 'INVITATION'));
