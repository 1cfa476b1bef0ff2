-- A mail to several organizations is stored once for each of them, also when a webhook delivers it.
drop index mail_messages_message;
create unique index mail_messages_message on mail_messages (tenant_id, connection_id, message_id) where thread_id is null;
create index email_configs_connection on email_configs ((settings -> 'inbound' ->> 'connectionId'))
  where settings -> 'inbound' ->> 'kind' = 'webhook';
