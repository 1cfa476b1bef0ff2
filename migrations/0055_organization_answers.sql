-- A question of a chat whose connection belongs to an organization is answered from what all its members may read.
alter table drafted_answers
  add column org_id uuid,
  add foreign key (tenant_id, org_id) references organizations on delete cascade,
  drop constraint drafted_answers_check1,
  add check (waiting_for <> 'answer' or user_id is not null or org_id is not null);
create index drafted_answers_org on drafted_answers (tenant_id, org_id) where org_id is not null;

-- Where such an answer stands. Its words are read again whenever it is shown.
create table drafted_answer_citations (
  tenant_id uuid not null,
  answer_id uuid not null,
  number integer not null,
  meeting_id uuid,
  document_id uuid,
  version bigint not null,   -- of the document; of a meeting the number of the entry's last change
  place bigint not null,     -- the chunk of the document, or the entry of the meeting
  start_at integer not null, -- in code points
  end_at integer not null,
  primary key (tenant_id, answer_id, number),
  foreign key (tenant_id, answer_id) references drafted_answers on delete cascade,
  foreign key (tenant_id, meeting_id) references meetings on delete cascade,
  foreign key (tenant_id, document_id) references documents on delete cascade,
  check (num_nonnulls(meeting_id, document_id) = 1)
);
create index drafted_answer_citations_meeting on drafted_answer_citations (tenant_id, meeting_id) where meeting_id is not null;
create index drafted_answer_citations_document on drafted_answer_citations (tenant_id, document_id) where document_id is not null;
