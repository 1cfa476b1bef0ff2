-- What a mail has beyond its first part, which stays in `mail_messages.raw`. Mails that are there already stay whole.
create table mail_message_parts (
  tenant_id uuid not null,
  owner_id uuid not null, -- the message
  position integer not null check (position > 0),
  bytes bytea not null,
  primary key (tenant_id, owner_id, position),
  foreign key (tenant_id, owner_id) references mail_messages on delete cascade
);
alter table mail_message_parts alter column bytes set storage external;

alter table mail_messages add column raw_bytes integer;
update mail_messages set raw_bytes = octet_length(raw);
alter table mail_messages add check ((raw is null) = (raw_bytes is null));
-- What a tenant stores is added up without reading its mails.
create index mail_messages_bytes on mail_messages (tenant_id) include (raw_bytes);
