-- Invitations to meetings that users sent or forwarded to an address of ours.

create table mail_invitations (
  tenant_id uuid not null,
  id uuid not null,
  owner_id uuid not null, -- whose address it was
  org_id uuid,
  user_id uuid not null,  -- who sent it, and owns its meetings
  uid_hash bytea not null,
  series_sealed bytea not null, -- what is known of the UID; it may hold passcodes
  revision int not null default 1,
  look_at timestamptz,    -- when its later occurrences are planned; null: there are none
  ends_at timestamptz not null, -- nothing of it is planned after this
  primary key (tenant_id, id),
  unique (tenant_id, owner_id, user_id, uid_hash),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, owner_id) references email_configs on delete cascade
);
create index mail_invitations_due on mail_invitations (look_at) where look_at is not null;
create index mail_invitations_over on mail_invitations (ends_at) where look_at is null;
create index mail_invitations_user on mail_invitations (tenant_id, user_id);

create table mail_invitation_meetings (
  tenant_id uuid not null,
  invitation_id uuid not null,
  occurrence text collate "C" not null, -- its original start; empty: it does not recur
  meeting_id uuid not null,
  fingerprint text not null, -- of what the meeting follows
  is_gone boolean not null default false,
  ends_at timestamptz not null,
  primary key (tenant_id, invitation_id, occurrence),
  foreign key (tenant_id, invitation_id) references mail_invitations on delete cascade
);
