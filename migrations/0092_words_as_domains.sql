-- Columns that hold one of a few words have a domain in place of a check, in the tables that are written most. PostgreSQL reads
-- the text of each check of a table anew for every statement that writes rows, whichever columns it writes: 5 us for a check. What
-- a domain allows is kept ready, and is asked for the written columns alone.

-- The statements that count name the words themselves. Whatever else writes these tables copies rows of theirs.
alter table usage_counters drop constraint usage_counters_span_check, drop constraint usage_counters_scope_check;
alter table usage_by_day drop constraint usage_by_day_engine_check;

create domain meeting_status as text check (value in ('scheduled', 'active', 'completed', 'cancelled', 'failed'));
create domain meeting_cause as text check (value in ('MISSED'));
create domain meeting_personality as text check (value in ('supportive', 'challenger', 'neutral', 'analyst', 'coach'));
create domain meeting_summary_mode as text check (value in ('short', 'detailed'));
create domain meeting_visibility as text check (value in ('private', 'org', 'members'));
create domain meeting_ttl_days as integer check (value between 1 and 3650);
-- A trigger that names a column holds its type.
drop trigger meetings_shared on meetings;
alter table meetings
  drop constraint meetings_status_check, alter column status type meeting_status,
  drop constraint meetings_cause_check, alter column cause type meeting_cause,
  drop constraint meetings_personality_check, alter column personality type meeting_personality,
  drop constraint meetings_summary_mode_check, alter column summary_mode type meeting_summary_mode,
  drop constraint meetings_visibility_check, alter column visibility type meeting_visibility,
  drop constraint meetings_ttl_days_check, alter column ttl_days type meeting_ttl_days;
create trigger meetings_shared after update of visibility, org_id on meetings for each row
  when ((old.visibility, old.org_id) is distinct from (new.visibility, new.org_id))
  execute function set_visibility_of_proposals();

create domain task_status as text check (value in ('proposed', 'open', 'in_progress', 'done', 'dismissed'));
create domain task_source as text check (value in ('tracker', 'meeting', 'manual'));
create domain task_provider as text check (value in ('jira', 'linear', 'github'));
create domain task_priority as text check (value in ('none', 'low', 'medium', 'high', 'urgent'));
create domain task_link_sync as text check (value in ('READ_ONLY', 'SYNCED', 'PENDING', 'FAILED'));
create domain task_origin as text check (value in ('user', 'meeting', 'tracker', 'system'));
drop trigger tasks_changed on tasks;
alter table tasks
  drop constraint tasks_status_check, alter column status type task_status,
  drop constraint tasks_source_check, alter column source type task_source,
  drop constraint tasks_provider_check, alter column provider type task_provider,
  drop constraint tasks_priority_check, alter column priority type task_priority,
  drop constraint tasks_link_sync_check, alter column link_sync type task_link_sync;
alter table task_changes drop constraint task_changes_origin_check, alter column origin type task_origin;
-- A condition is read anew like a check. This one compared eight columns, of which one changes with nearly every update.
create trigger tasks_changed after update on tasks for each row
  when (old.labels <> '{}' or new.labels <> '{}') execute function write_labelled_tasks();

create domain webhook_delivery_kind as text check (value in ('event', 'confirmation', 'refusal'));
create domain webhook_delivery_status as text
  check (value in ('received', 'processed', 'ignored', 'retrying', 'dead', 'rejected'));
alter table webhook_deliveries
  drop constraint webhook_deliveries_kind_check, alter column kind type webhook_delivery_kind,
  drop constraint webhook_deliveries_status_check, alter column status type webhook_delivery_status;

create domain drafted_answer_channel as text check (value in ('chat', 'collab'));
create domain drafted_answer_status as text check (value in ('pending', 'sent'));
create domain drafted_answer_waiting_for as text check (value in ('user', 'answer', 'sending'));
alter table drafted_answers
  drop constraint drafted_answers_channel_check, alter column channel type drafted_answer_channel,
  drop constraint drafted_answers_status_check, alter column status type drafted_answer_status,
  drop constraint drafted_answers_waiting_for_check, alter column waiting_for type drafted_answer_waiting_for;

create domain webhook_send_status as text check (value in ('PENDING', 'DELIVERED', 'FAILED'));
alter table webhook_sends drop constraint webhook_sends_status_check, alter column status type webhook_send_status;
