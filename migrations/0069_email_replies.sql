-- Answers to mails: what they answer, what they quote, and how many were sent by themselves.

alter table mail_messages add column answers_id uuid; -- the mail that it answers
create index mail_messages_drafts on mail_messages (received_at) where status = 'draft';
create index mail_messages_answers on mail_messages (tenant_id, answers_id) where answers_id is not null;

create table email_citations (
  tenant_id uuid not null,
  message_id uuid not null,
  item_id uuid not null, -- the meeting or document that it quotes
  primary key (tenant_id, message_id, item_id),
  foreign key (tenant_id, message_id) references mail_messages on delete cascade
);
create index email_citations_item on email_citations (tenant_id, item_id);

create table email_reply_counts (
  tenant_id uuid not null references tenants,
  kind text not null check (kind in ('day', 'thread', 'sender')),
  subject text not null, -- the owner, the thread, or a digest of the address
  window_start timestamptz not null,
  count integer not null check (count > 0),
  primary key (tenant_id, kind, subject)
);
create index email_reply_counts_age on email_reply_counts (window_start);
