-- How much of the present term's end its tenant was told: 0 nothing, 1 that it comes, 2 that it came.
alter table licenses add column term_told smallint not null default 0;
-- Nobody is told of what ended before anybody could be.
update licenses set term_told = 2 where expires_at <= now();
-- What is still to be told, soonest first. Uses change none of these columns, and so cost it nothing.
create index licenses_terms on licenses (term_told, expires_at)
  where term_told < 2 and expires_at is not null and revoked_at is null;
