-- The record of truth. Ids are 12-byte ObjectIDs whose first 4 bytes are the second of creation,
-- so a range of ids is a range of time: the large tables are partitioned by id into hours, and
-- expiry drops whole partitions. There is no default partition and no foreign key between
-- partitioned tables; the orchestrator keeps the references.

create table users (
  id bytea primary key,
  name text not null,
  created_at timestamptz not null default now()
);

-- Who owns work and has slots for it: a user today, a team tomorrow. Every transaction that
-- changes which tasks may run holds this row, so its two counters are exact.
create table owners (
  id bytea primary key,
  slots integer not null check (slots > 0),
  slots_used integer not null default 0 check (slots_used >= 0),
  backlog integer not null default 0 check (backlog >= 0)
) with (fillfactor = 50);

create table api_keys (
  id bytea primary key,
  owner_id bytea not null references owners (id) on delete cascade,
  user_id bytea not null references users (id) on delete cascade,
  name text not null,
  hash bytea not null unique,
  last4 text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

create table workers (
  id bytea primary key,
  host text not null,
  pools text[] not null,
  sandbox_level integer not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_by text check (ended_by in ('itself', 'silence'))
) with (fillfactor = 50);

create table jobs (
  id bytea not null primary key,
  owner_id bytea not null,
  user_id bytea not null,
  tag text,
  status text not null check (status in ('created', 'processing', 'completed', 'failed')),
  error_code text,
  msg text,
  -- Tasks that have not completed: the job completes when none is left.
  remaining integer not null,
  -- The number of its last event.
  seq integer not null,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null,
  deleted_at timestamptz
) partition by range (id);

create index jobs_of_owner on jobs (owner_id, id);

create table tasks (
  id bytea not null primary key,
  job_id bytea,
  owner_id bytea not null,
  user_id bytea not null,
  position integer not null,
  name text not null,
  operation text not null,
  pool text not null,
  status text not null
    check (status in ('created', 'processing', 'completed', 'canceled', 'failed', 'deleted')),
  payload jsonb not null,
  depends_on bytea[] not null,
  -- Inputs that have not completed.
  pending integer not null check (pending >= 0),
  -- Whether it holds one of its owner's slots: queued or running.
  slot boolean not null,
  -- The fence: a worker's writes count only while this is the attempt it claimed.
  attempt integer not null default 1,
  failures integer not null default 0,
  worker_deaths integer not null default 0,
  worker_id bytea,
  not_before timestamptz,
  error_code text,
  reason text,
  msg text,
  -- For operators only: never shown to a client.
  detail text,
  warnings text[] not null default '{}',
  -- The number of its last event, for a task outside a job.
  seq integer not null,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null
) partition by range (id);

create index tasks_of_owner on tasks (owner_id, id);
create index tasks_of_job on tasks (job_id, position) where job_id is not null;
create index tasks_open on tasks (id) where status in ('created', 'processing');
create index tasks_backlog on tasks (owner_id, id) where status = 'created' and pending = 0 and not slot;
create index tasks_unclaimed on tasks (pool, id) where slot and worker_id is null;
create index tasks_of_worker on tasks (worker_id) where worker_id is not null and status = 'processing';

-- Which task waits for which, found from the input's side; the other side is tasks.depends_on.
create table task_inputs (
  parent_id bytea not null,
  child_id bytea not null,
  primary key (parent_id, child_id)
) partition by range (parent_id);

create table files (
  task_id bytea not null,
  n integer not null,
  key text not null,
  filename text not null,
  format text not null,
  size bigint not null,
  sha256 bytea not null,
  crc32 bigint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  deleted_at timestamptz,
  -- When its bytes were seen to be gone from storage.
  erased_at timestamptz,
  primary key (task_id, n)
) partition by range (task_id);

create index files_to_erase on files (task_id) where deleted_at is not null and erased_at is null;

-- The event log of a job, or of a task outside any job.
create table events (
  subject_id bytea not null,
  seq integer not null,
  id bytea not null,
  type text not null,
  task_id bytea,
  created_at timestamptz not null default now(),
  primary key (subject_id, seq)
) partition by range (subject_id);

-- Answers kept for 24 hours, so that a repeated request is answered and not done again.
create table idempotency_keys (
  day date not null,
  owner_id bytea not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  body jsonb not null,
  created_at timestamptz not null,
  primary key (day, owner_id, key)
) partition by range (day);
