-- Vectors of chunks, where an installation has an endpoint that makes them. They go with their chunks.
create table indexed_vectors (
  tenant_id uuid not null,
  indexed_id uuid not null,
  ordinal integer not null,
  model text not null,         -- vectors of two models cannot be compared
  signs bit varying not null,  -- one bit for each number: set if it is positive. What differs in few bits is near.
  vector bytea not null,       -- each number as a signed byte
  primary key (tenant_id, indexed_id, ordinal),
  foreign key (tenant_id, indexed_id, ordinal) references indexed_chunks on delete cascade
);

-- The model that made the vectors of all chunks. Null: some are missing.
alter table indexed_items add column vector_model text;
