-- Uploads that may break off and go on later, at most one for a form. What has arrived is stored in parts, which become
-- one file when all of them are there.
create table resumable_uploads (
  task_id bytea primary key,
  -- Its name in the address: an upload that was started anew has another.
  id text not null,
  owner_id bytea not null references owners (id) on delete cascade,
  filename text not null,
  length bigint not null check (length >= 0),
  received bigint not null default 0 check (received between 0 and length),
  -- When its last part arrived.
  moved_at timestamptz not null default now(),
  -- When its file was there; from then on only the answer to the sender is kept.
  done_at timestamptz,
  expires_at timestamptz not null
);
create index resumable_uploads_by_owner on resumable_uploads (owner_id);

create table upload_parts (
  task_id bytea not null references resumable_uploads (task_id) on delete cascade,
  starts_at bigint not null,
  size bigint not null check (size > 0),
  key text not null,
  primary key (task_id, starts_at)
);
