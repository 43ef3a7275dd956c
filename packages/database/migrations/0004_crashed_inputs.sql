-- How often an owner's input stopped an engine, kept for 24 hours: content that did it twice is not tried again.
create table crashed_inputs (
  day date not null,
  owner_id bytea not null,
  -- SHA-256 of the operation and the contents it works on.
  fingerprint bytea not null,
  -- Crashes up to the last one, those of the day before included.
  crashes integer not null,
  crashed_at timestamptz not null,
  primary key (day, owner_id, fingerprint)
) partition by range (day);
