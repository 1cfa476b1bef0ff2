-- Files of providers that are documents of the knowledge base, and follow them.
create table integration_files (
  tenant_id uuid not null,
  integration_id uuid not null,
  file_key text not null,     -- the provider's id of the file
  title text,
  document_id uuid,
  is_own boolean not null default false, -- the document was made for this file, and goes with it
  version text,               -- the provider's, of what was imported
  status text not null check (status in ('waiting', 'imported', 'failed', 'removed', 'stopped')),
  cause text,
  leased_until timestamptz,   -- somebody imports it
  imported_at timestamptz,
  checked_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, integration_id, file_key),
  foreign key (tenant_id, integration_id) references integrations on delete cascade
);
