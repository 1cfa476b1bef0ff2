-- How many mails of conversations a tenant has sent on a day.
create table email_day_counts (
  tenant_id uuid primary key references tenants,
  day date not null,
  count integer not null check (count > 0)
);
