-- Who did what to an owner's account, when and from where. Written in the transaction of the change. No foreign keys: an
-- entry outlives what it tells of.
create table audit_log (
  id bytea primary key,
  owner_id bytea not null,
  -- Null where the operator did it.
  user_id bytea,
  via text not null check (via in ('session', 'key', 'host')),
  -- The session or key it was done with.
  via_id bytea,
  action text not null,
  -- The key, webhook or session it was done to.
  subject_id bytea,
  -- What else is known, never a secret.
  detail jsonb not null default '{}',
  address text,
  created_at timestamptz not null
);

create index audit_log_of_owner on audit_log (owner_id, id);
