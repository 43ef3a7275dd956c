-- Whether anybody is told of an owner's events: most have no webhooks, and must not pay for those who do.
alter table owners add column has_webhooks boolean not null default false;

-- Addresses that an owner wants events told to.
create table webhooks (
  id bytea primary key,
  owner_id bytea not null references owners (id) on delete cascade,
  -- own: an address of its own. jobs: one an owner, standing for the addresses that jobs bring along.
  kind text not null check (kind in ('own', 'jobs')),
  events text[] not null,
  description text,
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  -- The address and the secrets, sealed for this id.
  sealed bytea not null,
  -- Deliveries in a row of which every try failed.
  exhausted integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index webhooks_of_owner on webhooks (owner_id);
create unique index webhooks_of_jobs on webhooks (owner_id) where kind = 'jobs';

-- The addresses that jobs brought along, each sealed for its job.
create table job_webhooks (
  job_id bytea not null primary key,
  owner_id bytea not null,
  sealed bytea not null
) partition by range (job_id);

-- What is to be told to whom, and how the tries went. Written with the event, kept longer than the event log:
-- tries go on for 75 hours. Partitioned by id into days.
create table webhook_deliveries (
  id bytea not null primary key,
  webhook_id bytea not null,
  owner_id bytea not null,
  event_id bytea not null,
  type text not null,
  -- The job, or the task outside any job, and the number of its event; null for what tells of no work.
  subject_id bytea,
  seq integer,
  task_id bytea,
  event_at timestamptz not null,
  -- What was sent at the first try and is sent again at the others.
  body text,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  tries integer not null default 0,
  -- When the next try may begin; null once there is none.
  due_at timestamptz,
  -- Whoever tries holds it under this id until then; later, somebody else may.
  lease bytea,
  leased_until timestamptz,
  -- [{at, status, tookMs, answer | reason}]
  attempts jsonb not null default '[]',
  -- Why there will be no further try.
  reason text,
  replay_of bytea,
  created_at timestamptz not null default now(),
  ended_at timestamptz
) partition by range (id);

create index deliveries_of_webhook on webhook_deliveries (webhook_id, id);
create index deliveries_due on webhook_deliveries (owner_id, due_at, seq) where status = 'pending';
create index deliveries_leased on webhook_deliveries (owner_id) where lease is not null;
create index deliveries_untried on webhook_deliveries (subject_id, seq) where status = 'pending' and tries = 0;
