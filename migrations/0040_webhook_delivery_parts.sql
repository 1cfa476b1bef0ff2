-- What a body has beyond its first part, which stays in `webhook_deliveries.body`. Bodies that are there already stay whole.
create table webhook_delivery_parts (
  tenant_id uuid not null,
  owner_id uuid not null, -- the delivery
  position integer not null check (position > 0),
  bytes bytea not null,
  primary key (tenant_id, owner_id, position),
  foreign key (tenant_id, owner_id) references webhook_deliveries on delete cascade
);
-- Mails are mostly attachments, which have been compressed already.
alter table webhook_delivery_parts alter column bytes set storage external;
