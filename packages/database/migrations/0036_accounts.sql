-- How people sign in. A user without a login has API keys alone.
create table logins (
  user_id bytea primary key references users (id) on delete cascade,
  -- What they sign in by, in lower case: an email address, or the name that a proxy gives.
  email text not null unique,
  -- Argon2id in the PHC format; null for those who do not sign in by a password.
  password_hash text,
  is_admin boolean not null default false,
  created_at timestamptz not null default now()
);

-- Owners that several users share. The owner of a user's own work has the user's id.
create table teams (
  owner_id bytea primary key references owners (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now()
);

create table memberships (
  owner_id bytea not null references teams (owner_id) on delete cascade,
  user_id bytea not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (owner_id, user_id)
);

create index memberships_of_user on memberships (user_id);

-- Owners of browsers that nobody signed in with (ACCOUNTS_MODE=open). Removed when they were not used for a while.
create table anonymous_owners (
  owner_id bytea primary key references owners (id) on delete cascade,
  created_at timestamptz not null default now()
);

create index anonymous_owners_by_age on anonymous_owners (created_at);

-- Browsers that are signed in. A session that is ended is deleted, and its tokens with it.
create table sessions (
  id bytea primary key,
  user_id bytea not null references users (id) on delete cascade,
  -- SHA-256 of what the cookie holds.
  hash bytea not null unique,
  -- Seconds after the last use at which it ends.
  idle_s integer not null,
  -- When it ends however much it is used.
  expires_at timestamptz not null,
  -- The second factor that is still to be shown; null once the user is signed in.
  pending text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  address text not null,
  user_agent text not null
);

create index sessions_of_user on sessions (user_id);
create index sessions_by_end on sessions (expires_at);

-- Links that make the first administrator. Used once, then deleted.
create table setup_links (
  hash bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
