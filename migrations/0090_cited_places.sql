-- Where the quotes of an answer by mail stand: whether its readers may read them is asked again when it is approved.
-- Null: a mail that was written before, or that is no answer.
alter table mail_messages add column cited_places jsonb;
