-- What deliveries of other services lead to: tasks that follow issues, answers drafted for chats, mails.

create table tasks (
  tenant_id uuid not null references tenants,
  id uuid not null,
  org_id uuid, -- whose board it is on
  meeting_id uuid, -- where it was agreed
  title text not null,
  status text not null check (status in ('proposed', 'open', 'in_progress', 'done', 'dismissed')),
  assignee text, -- as whoever made it calls them
  due date,
  source text not null check (source in ('tracker', 'meeting', 'manual')),
  -- Of an issue: where it is, and as of when the row is.
  connection_id uuid,
  provider text check (provider in ('jira', 'linear', 'github')),
  external_id text, -- stays when the issue is moved; its key does not
  external_key text,
  external_url text,
  external_updated_at timestamptz, -- by the tracker's clock
  external_received_at timestamptz, -- decides between two changes of one moment: GitHub's clock has whole seconds
  effect_key text, -- which effect was the last to change it
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, meeting_id) references meetings on delete set null (meeting_id),
  check (source <> 'tracker' or (connection_id is not null and provider is not null and external_id is not null
    and external_key is not null and external_updated_at is not null and external_received_at is not null and effect_key is not null))
);
-- In this order: where two transactions insert the same, the first index is the one that is asked, and the loser updates.
create unique index tasks_issue on tasks (tenant_id, connection_id, external_id);
create unique index tasks_effect on tasks (tenant_id, effect_key);
create index tasks_meeting on tasks (tenant_id, meeting_id) where meeting_id is not null;

create table drafted_answers (
  tenant_id uuid not null references tenants,
  id uuid not null,
  connection_id uuid not null,
  effect_key text not null,
  channel text not null check (channel in ('chat', 'collab')),
  conversation text not null,
  thread text,
  service_url text, -- Bot Framework: which host takes the answer
  asked_by text not null, -- as the chat calls them
  question text not null,
  user_id uuid, -- whose meetings may be quoted; null: nobody was named yet
  status text not null check (status in ('pending', 'sent')),
  waiting_for text check (waiting_for in ('user', 'answer', 'sending')),
  created_at timestamptz not null,
  answered_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade,
  check ((status = 'sent') = (waiting_for is null)),
  check (waiting_for <> 'answer' or user_id is not null)
);
create unique index drafted_answers_effect on drafted_answers (tenant_id, effect_key);
create index drafted_answers_user on drafted_answers (tenant_id, user_id) where user_id is not null;
create index drafted_answers_age on drafted_answers (created_at);

-- What an answer is made of. In a table of its own, so that a quote goes with its meeting.
create table drafted_answer_quotes (
  tenant_id uuid not null,
  answer_id uuid not null,
  place integer not null,
  meeting_id uuid not null,
  seq bigint not null, -- the entry of the transcript
  speaker text not null,
  spoken_at text not null, -- HH:MM:SS into the meeting
  quote text not null,
  primary key (tenant_id, answer_id, place),
  foreign key (tenant_id, answer_id) references drafted_answers on delete cascade,
  foreign key (tenant_id, meeting_id) references meetings on delete cascade
);
create index drafted_answer_quotes_meeting on drafted_answer_quotes (tenant_id, meeting_id);

create table mail_messages (
  tenant_id uuid not null references tenants,
  id uuid not null,
  connection_id uuid not null,
  effect_key text not null,
  message_id text not null, -- its Message-ID; a digest where it has none or a very long one
  in_reply_to text,
  refs text[] not null,
  from_address text not null, -- empty: it names none
  envelope_from text, -- empty: a bounce; null: the provider does not say
  to_addresses text[] not null,
  subject text not null,
  text text not null,
  verdicts jsonb not null, -- of the provider: SPF, DKIM, DMARC, spam
  raw bytea, -- null: the provider put the mail elsewhere
  raw_type text, -- message/rfc822, or that of a delivery with a mail that was parsed
  status text not null check (status in ('received')),
  received_at timestamptz not null,
  primary key (tenant_id, id),
  check ((raw is null) = (raw_type is null))
);
create unique index mail_messages_message on mail_messages (tenant_id, connection_id, message_id);
create unique index mail_messages_effect on mail_messages (tenant_id, effect_key);
create index mail_messages_age on mail_messages (received_at);
