-- What the console asks on its first page, and what its search finds: by day over all tenants, and by an id or a prefix alone.

create index usage_metrics_day on usage_metrics (day);
create index api_keys_prefix on api_keys (key_prefix);
create index devices_id on devices (id);
create index audit_log_request on audit_log (request_id) where request_id is not null;
create index webhook_endpoints_failing on webhook_endpoints (failing_since) where failing_since is not null;
