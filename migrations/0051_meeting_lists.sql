-- Long lists of meetings: shared ones in their order, and totals that do not count each meeting.

-- How many meetings each user owns. Who has none has no row. A meeting that changes its owner is counted where that is written.
create table meeting_counts (
  tenant_id uuid not null references tenants,
  user_id uuid not null,
  meeting_count integer not null check (meeting_count >= 0),
  primary key (tenant_id, user_id)
);
insert into meeting_counts (tenant_id, user_id, meeting_count)
  select tenant_id, user_id, count(*) from meetings group by tenant_id, user_id;

create function count_added_meetings() returns trigger language plpgsql as $$
begin
  insert into meeting_counts as c (tenant_id, user_id, meeting_count)
    select tenant_id, user_id, count(*) from changed group by tenant_id, user_id order by tenant_id, user_id
    on conflict (tenant_id, user_id) do update set meeting_count = c.meeting_count + excluded.meeting_count;
  return null;
end $$;
create function count_removed_meetings() returns trigger language plpgsql as $$
begin
  update meeting_counts c set meeting_count = c.meeting_count - r.count
    from (select tenant_id, user_id, count(*) from changed group by tenant_id, user_id) r
    where c.tenant_id = r.tenant_id and c.user_id = r.user_id;
  delete from meeting_counts where meeting_count = 0 and (tenant_id, user_id) in (select tenant_id, user_id from changed);
  return null;
end $$;
create trigger meetings_of_users_added after insert on meetings referencing new table as changed
  for each statement execute function count_added_meetings();
create trigger meetings_of_users_removed after delete on meetings referencing old table as changed
  for each statement execute function count_removed_meetings();

-- What lists ask of the meeting of a share. A new sharing replaces all shares, and a meeting is created once.
alter table meeting_shares
  add column is_listed boolean, -- the meeting's visibility is `members`
  add column meeting_created_at timestamptz;
update meeting_shares s set is_listed = m.visibility = 'members', meeting_created_at = m.created_at
  from meetings m where m.tenant_id = s.tenant_id and m.id = s.meeting_id;
alter table meeting_shares alter column is_listed set not null, alter column meeting_created_at set not null;
create index meeting_shares_newest on meeting_shares (tenant_id, user_id, meeting_created_at desc, meeting_id desc)
  where is_listed;

-- With the owner, to whom it is no shared meeting.
create index meetings_open on meetings (tenant_id, org_id, created_at desc, id desc) include (user_id) where visibility = 'org';
