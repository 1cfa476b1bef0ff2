-- The uses that validations took of one license at one moment are one row, however many they are: nobody asks for one of
-- them by its id, and none is given back. Each is listed as its own (src/licensing/uses/use.store.ts). A row for each use
-- cost more than all else that a use needs. Those that validations took before stay in license_uses and are listed too.
create table license_use_batches (
  tenant_id uuid not null,
  license_id uuid not null,
  id uuid not null, -- UUIDv7 of `used_at`: the key gives the order of time as well
  used_at timestamptz not null,
  uses_count integer not null check (uses_count > 0),
  primary key (tenant_id, license_id, id)
);
