-- Tokens that may read one job and nothing else. Only the hash of a token is kept. One that is from an earlier link
-- generation of its owner is void, as links are.
create table job_tokens (
  id bytea primary key,
  job_id bytea not null,
  owner_id bytea not null references owners (id) on delete cascade,
  user_id bytea not null,
  name text,
  hash bytea not null unique,
  last4 text not null,
  link_generation integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index job_tokens_of_job on job_tokens (job_id);
create index job_tokens_by_expiry on job_tokens (expires_at);
