-- Whom tokens of a session act for unless they name somebody else; null for its user. Whoever is no member of that team
-- any more acts for themselves again.
alter table sessions add column owner_id bytea;

-- When a team was deleted. Nobody acts for it from then on; its row goes when its records are gone.
alter table teams add column deleted_at timestamptz;

-- Links by which people join a team, once each. One that was used or revoked is deleted.
create table invitations (
  id bytea primary key,
  owner_id bytea not null references teams (owner_id) on delete cascade,
  -- What whoever accepts it becomes.
  role text not null check (role in ('owner', 'admin', 'member')),
  -- SHA-256 of what the link ends with.
  hash bytea not null unique,
  -- Whom it is for; null for a link that is passed on by hand. It binds nobody.
  email text,
  invited_by bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index invitations_of_team on invitations (owner_id);
create index invitations_by_end on invitations (expires_at);
