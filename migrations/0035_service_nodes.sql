-- The processes that use this database now, and where each keeps uploaded files: nodes with separate folders cannot serve
-- each other's files. Rows are renewed every half minute and removed at a clean stop.
create table service_nodes (
  id uuid primary key,
  host text not null,
  -- The folder's kind or the bucket's address; never a secret.
  files text not null,
  seen_at timestamptz not null
);
