-- Meetings shared with the members of an organization.

alter table meetings
  add column visibility text not null default 'private' check (visibility in ('private', 'org', 'members')),
  add check (visibility = 'private' or org_id is not null),
  add foreign key (tenant_id, org_id) references organizations;
create index meetings_org on meetings (tenant_id, org_id, created_at desc, id desc) where org_id is not null;

-- Who may do more than the visibility says: with `members` the readers and writers, with `org` the writers.
create table meeting_shares (
  tenant_id uuid not null,
  meeting_id uuid not null,
  user_id uuid not null,
  org_id uuid not null, -- the meeting's
  access text not null check (access in ('read', 'write')),
  primary key (tenant_id, meeting_id, user_id),
  foreign key (tenant_id, meeting_id) references meetings on delete cascade,
  -- Without a cascade: a membership ends only after its shares, whose meetings are locked first.
  foreign key (tenant_id, org_id, user_id) references organization_members
);
create index meeting_shares_member on meeting_shares (tenant_id, org_id, user_id, meeting_id);
create index meeting_shares_user on meeting_shares (tenant_id, user_id, meeting_id);
