-- An account that an administrator has suspended: nobody can act for it or sign in with it until this is null again.
alter table owners add column suspended_at timestamptz;

-- What administrators say to everybody who opens a page. There is one row at most.
create table announcements (
  is_current boolean primary key default true check (is_current),
  text text not null,
  changed_at timestamptz not null default now()
);
