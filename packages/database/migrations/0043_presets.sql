-- Named settings of an operation. They belong to an owner; a personal one is seen by the user who made it alone.
create table presets (
  id bytea primary key,
  owner_id bytea not null references owners (id) on delete cascade,
  user_id bytea not null,
  name text not null,
  operation text not null,
  output_format text,
  options jsonb not null,
  personal boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index presets_of_owner on presets (owner_id, id);
