-- Where an export has put its files, for its owner to see: [{path, size, sha256}].
alter table tasks add column exported jsonb;

-- The host key each SFTP server has shown to an owner first: another one later is a failure.
create table host_keys (
  owner_id bytea not null references owners (id) on delete cascade,
  host text not null,
  port integer not null,
  -- SHA-256 of the key, as OpenSSH prints it.
  fingerprint text not null,
  first_seen_at timestamptz not null default now(),
  primary key (owner_id, host, port)
);
