-- People whom an identity provider signs in (OpenID Connect). Who somebody is to it is issuer and subject, and never the email address.
create table identities (
  issuer text not null,
  subject text not null,
  user_id bytea not null references logins (user_id) on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (issuer, subject)
);

create index identities_of_user on identities (user_id);

-- Sign-ins that were sent to the provider and have not come back: each comes back once, within ten minutes.
create table oidc_attempts (
  -- SHA-256 of what the browser's cookie holds.
  hash bytea primary key,
  -- The page to go back to.
  back text not null,
  -- Whether the session is to outlast the browser.
  stay boolean not null,
  expires_at timestamptz not null
);

create index oidc_attempts_by_end on oidc_attempts (expires_at);

-- Whether a membership follows the groups of the identity provider, and not what people decide.
alter table memberships add column managed boolean not null default false;
