-- The events of a task's changes are coalesced by minute in `webhook_messages`.
alter table tasks drop column change_sent_at;

-- The task that was proposed, which may be deleted by now: if its meeting moves, it may be proposed once more.
alter table task_proposals add column task_id uuid;
