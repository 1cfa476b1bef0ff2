-- Answers to questions from a chat are sent there. One row for each question.
alter table drafted_answers
  add column workspace text, -- the chat's own id of the workspace or the directory
  add column team text,      -- of Teams, where the conversation is a channel
  add column is_direct boolean not null default false, -- nobody else reads the conversation
  add column asker_id uuid,  -- the user with the confirmed address of whoever asked; null: not known
  add foreign key (tenant_id, asker_id) references users on delete set null (asker_id);
create index drafted_answers_asker on drafted_answers (tenant_id, asker_id) where asker_id is not null;
create index drafted_answers_unsent on drafted_answers (tenant_id, id) where waiting_for in ('user', 'sending');

alter table integration_actions drop constraint integration_actions_action_check;
alter table integration_actions add constraint integration_actions_action_check
  check (action in ('post_summary', 'create_issue', 'update_issue', 'export_meeting', 'update_export', 'log_meeting', 'send_answer'));
