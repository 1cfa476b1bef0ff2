-- Most tasks of an organization are done some day: what is overdue must not be looked for among them.
create index tasks_due_unfinished on tasks (tenant_id, org_id, due, id) where status not in ('done', 'dismissed');
