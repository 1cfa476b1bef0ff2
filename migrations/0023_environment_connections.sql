-- Connections whose secret stands in the environment of the service: one of a scheme in the installation.
alter table webhook_connections add column is_environment boolean not null default false;
create unique index webhook_connections_environment on webhook_connections (scheme)
  where is_environment and deleted_at is null;
