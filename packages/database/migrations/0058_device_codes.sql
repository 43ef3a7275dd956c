-- Sign-ins of programs without a browser, in the style of RFC 8628: a person approves or denies each in the web app. They
-- last ten minutes and give at most one API key.
create table device_codes (
  -- SHA-256 of the code that the program polls with.
  device_hash bytea primary key,
  -- HMAC of the code that the person types: it is short, so a plain hash of it could be reversed.
  user_hash bytea not null unique,
  -- What the program calls itself, and where it asked from: shown before the approval.
  name text not null,
  address text not null,
  -- The scopes of the key.
  scopes text[] not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'used')),
  -- Who approved or denied it, for which owner, with which session.
  user_id bytea references logins (user_id) on delete cascade,
  owner_id bytea references owners (id) on delete cascade,
  session_id bytea,
  -- Seconds that the program must wait between two polls.
  interval_s integer not null,
  polled_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check (status = 'pending' or user_id is not null and owner_id is not null and session_id is not null)
);

create index device_codes_by_end on device_codes (expires_at);
create index device_codes_of_user on device_codes (user_id);
create index device_codes_of_owner on device_codes (owner_id);
