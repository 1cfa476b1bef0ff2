-- Everything that the public reads without a credential has one revision: whoever keeps prepared answers asks for this
-- number alone. It is written in the transaction of every change, so that changes are seen in the order of commits.
create table public_revision (
  only_one boolean primary key default true check (only_one),
  revision bigint not null
);
insert into public_revision (revision) values (1);

alter table products add column revision integer not null default 1;
