-- A live transcript is indexed from where it has changed since.
alter table indexed_items
  add column title_digest text,  -- of the title that is indexed (SHA-256), to tell whether it is the current one
  add column last_change bigint; -- of a transcript, the number of the last write that is indexed; null: only the whole can be indexed
