-- Connections whose secret stands in the environment of the service: one of a scheme in the installation.
alter table webhook_connections add column is_environment boolean not null default false;
create unique index webhook_connections_environment on webhook_connections (scheme)
  where is_environment and deleted_at is null;

-- A delivery has one issue, and an issue one task: `tasks_issue` is enough. Beside it this made copies of a delivery that
-- were processed at one moment fail now and then, on an index for which the insert has no other way out.
drop index tasks_effect;
