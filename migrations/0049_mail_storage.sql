-- What the mails of a tenant take together, so that storing one does not add up all others.
create table mail_storage (
  tenant_id uuid primary key references tenants,
  bytes bigint not null
);
insert into mail_storage (tenant_id, bytes)
  select tenant_id, sum(octet_length(text) + coalesce(raw_bytes, 0)) from mail_messages group by tenant_id;
drop index mail_messages_bytes;
