-- Second factors by an app that shows codes (TOTP, RFC 6238).
create table totp (
  user_id bytea primary key references logins (user_id) on delete cascade,
  -- The secret, sealed for the user.
  sealed bytea not null,
  -- Null until a code has shown that the app has the secret; until then nobody is asked for one.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: none is taken twice.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

-- What stands in for a code once, when the app is lost: SHA-256 of 80 random bits.
create table recovery_codes (
  user_id bytea not null references totp (user_id) on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);
