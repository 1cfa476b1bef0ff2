-- Questions from chats that came when those of the month were used up. They are answered with a sentence that says so.
alter table drafted_answers add column is_refused boolean not null default false;
