-- Summaries that are kept until what they were made of changes, and what the language model was paid for.

create table summaries (
  tenant_id uuid not null,
  meeting_id uuid not null,
  mode text not null check (mode in ('short', 'detailed')),
  personality text not null check (personality in ('supportive', 'challenger', 'neutral', 'analyst', 'coach')),
  -- What it was made of; of anything else it is stale.
  content_revision integer not null,
  title text not null,
  engine text not null check (engine in ('local', 'llm')),
  engine_version text not null,
  model text,           -- null: none was configured, whichever engine wrote it
  fallback_reason text, -- why the local engine wrote it although a model is configured
  body jsonb not null,
  generated_at timestamptz not null,
  primary key (tenant_id, meeting_id, mode, personality),
  foreign key (tenant_id, meeting_id) references meetings on delete cascade
);

-- Tokens of the language model by day (UTC): reserved before a request, settled after it.
create table model_tokens (
  tenant_id uuid not null references tenants,
  day date not null,
  tokens bigint not null check (tokens >= 0),
  primary key (tenant_id, day)
);
