-- The body's hash, where the delivery id is not signed: whoever captured a delivery cannot send it again under another id.
alter table webhook_deliveries add column body_key bytea;

update webhook_deliveries d set body_key = d.body_sha256
  where (d.tenant_id, d.id) in (
    select distinct on (e.tenant_id, e.connection_id, e.body_sha256) e.tenant_id, e.id
      from webhook_deliveries e join webhook_connections c on c.tenant_id = e.tenant_id and c.id = e.connection_id
      where e.kind = 'event' and c.scheme in ('github', 'jira-hmac', 'jira-jwt', 'linear')
      order by e.tenant_id, e.connection_id, e.body_sha256, e.received_at, e.id);

create unique index webhook_deliveries_body on webhook_deliveries (tenant_id, connection_id, body_key)
  where body_key is not null;
