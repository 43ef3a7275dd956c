-- Keys that people sign in with instead of a password (WebAuthn).
create table passkeys (
  id bytea primary key,
  user_id bytea not null references logins (user_id) on delete cascade,
  name text not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  -- How often the authenticator says it was used; 0 where it does not count.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

create index passkeys_of_user on passkeys (user_id);

-- What authenticators are asked to sign: each once, for five minutes.
create table passkey_challenges (
  hash bytea primary key,
  -- Who adds a passkey; null for whoever signs in.
  user_id bytea references logins (user_id) on delete cascade,
  expires_at timestamptz not null
);

create index passkey_challenges_by_end on passkey_challenges (expires_at);
