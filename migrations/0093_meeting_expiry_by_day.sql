-- The index of meetings that expire holds days. An append moves `expires_at`, which was in the index: so each append wrote the
-- meeting into all of its indexes anew, and left the old entries for a vacuum.
alter table meetings add column expires_on date; -- the day of `expires_at` in UTC
update meetings set expires_on = (expires_at at time zone 'UTC')::date where expires_at is not null;
drop index meetings_expiry;
create index meetings_expiry on meetings (expires_on) where expires_on is not null;
-- With room in each page for the next version of a row.
alter table meetings set (fillfactor = 80);
