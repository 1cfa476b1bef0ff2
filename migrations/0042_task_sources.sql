-- Few tasks of an organization may come from a tracker or a meeting: a list of them must not read all others.
create index tasks_source on tasks (tenant_id, org_id, source, number);
